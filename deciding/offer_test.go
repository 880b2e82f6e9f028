package deciding_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// The model is told of what is offered, and what else the table allows is taken.
func TestAskOffers(t *testing.T) {
	type decision struct{ Status fsm.Status }
	model := llmtest.Script(t, `{"Status": "DONE"}`, `{"Status": "PENDING"}`)
	got, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{
		Model: model, Sections: []llm.Section{{Name: "request", Value: "go"}},
		Allowed: []fsm.Status{fsm.Continue, fsm.Fail, fsm.Pending}, Offered: []fsm.Status{fsm.Continue, fsm.Fail},
	})
	require.NoError(t, err)
	assert.Equal(t, fsm.Pending, got.Status)
	for _, req := range model.Requests() {
		var schema struct {
			Properties struct{ Status struct{ Enum []fsm.Status } }
		}
		require.NoError(t, json.Unmarshal(req.Schema.JSON, &schema))
		assert.Equal(t, []fsm.Status{fsm.Continue, fsm.Fail}, schema.Properties.Status.Enum)
		assert.Equal(t, []fsm.Status{fsm.Continue, fsm.Fail}, llmtest.Section[[]fsm.Status](t, req, "allowed_statuses"))
	}
	assert.Contains(t, llmtest.Section[string](t, model.Last(), "last_error"), "allowed are CONTINUE, FAIL")

	for problem, offered := range map[string][]fsm.Status{"no status is allowed here": {}, "Offered has FINISH, and Allowed does not": {fsm.Continue, fsm.Finish}} {
		_, err = deciding.Ask(t.Context(), deciding.Inquiry[decision]{
			Model:   llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { panic("asked") }),
			Allowed: []fsm.Status{fsm.Continue}, Offered: offered,
		})
		require.ErrorContains(t, err, problem)
	}
}
