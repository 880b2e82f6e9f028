package hostagent_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

type schema struct {
	Type       string `json:"type"`
	Properties map[string]struct {
		Type        string   `json:"type"`
		Description string   `json:"description"`
		Enum        []string `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

func schemaOf(t *testing.T, req *llm.Request) schema {
	t.Helper()
	var s schema
	require.NotNil(t, req.Schema)
	require.NoError(t, json.Unmarshal(req.Schema.JSON, &s))
	return s
}

func TestSchema(t *testing.T) {
	b := newBench(t, say(fsm.Finish))
	b.Config.User = people.Later()
	b.finish()
	s := schemaOf(t, b.Model.Last())
	assert.Equal(t, "object", s.Type)
	assert.Equal(t, []string{"Status"}, s.Required)
	assert.Equal(t, []string{"CONTINUE", "ASSIGN", "FINISH", "PENDING", "CONFIRM"}, s.Properties["Status"].Enum)
	names := []string{
		"Observation", "Thought", "CurrentSubTask", "Message", "ControlLabel", "ControlText", "Plan",
		"Status", "Comment", "Questions", "Bash", "Function", "Args", "Result",
	}
	assert.Len(t, s.Properties, len(names))
	for _, name := range names {
		assert.NotEmpty(t, s.Properties[name].Description, name)
	}
	assert.Equal(t, []fsm.Status{"CONTINUE", "ASSIGN", "FINISH", "PENDING", "CONFIRM"},
		section[[]fsm.Status](b, 0, "allowed_statuses"))
}
