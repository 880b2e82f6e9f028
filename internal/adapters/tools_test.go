package adapters_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// A server that only refuses that the model must call a tool takes the tools.
func TestAbout_Tools(t *testing.T) {
	req := &llm.Request{Tools: []llm.Tool{{Name: "save"}}}
	for message, want := range map[string]adapters.FormatRefusal{
		"Forced tool use is not supported":                  adapters.ChoiceRefused,
		"Thinking may not be enabled if it forces tool use": adapters.ChoiceRefused,
		"This model cannot force tool use":                  adapters.ChoiceRefused,
		"tool_choice is not supported":                      adapters.ChoiceRefused,
		"Function calling mode ANY is not supported":        adapters.ChoiceRefused,
		"Tool use is not supported":                         adapters.ToolsRefused,
	} {
		f := &adapters.Failure{Status: http.StatusBadRequest, Message: message}
		assert.Equal(t, want, adapters.About(f, req, nil), message)
	}
}
