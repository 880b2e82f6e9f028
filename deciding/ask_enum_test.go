package deciding_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestAskChecksEnumTags(t *testing.T) {
	type ticket struct {
		Queue string `json:"queue" enum:"billing,tech"`
		Note  string `json:"note,omitempty" enum:"urgent,later"`
	}
	model := llmtest.Script(t, `{"queue":"nonsense"}`, `{"note":"urgent"}`, `{"queue":"tech"}`)
	got, err := deciding.Ask(t.Context(), deciding.Inquiry[ticket]{
		Model: model, Sections: []llm.Section{{Name: "mail", Value: "it is broken"}},
	})
	require.NoError(t, err)
	assert.Equal(t, ticket{Queue: "tech"}, got)
	for i, why := range map[int]string{1: "queue", 2: "queue"} {
		assert.Contains(t, llmtest.Section[string](t, model.Requests()[i], "last_error"), why)
	}
}
