package llmtest_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

func TestScriptOfCalls(t *testing.T) {
	calls := []llm.Call{{ID: "c1", Name: "FINISH", Args: json.RawMessage(`{}`)}}
	model := llmtest.Script(t, calls, calls)
	for range 2 {
		resp, err := llm.Complete(t.Context(), model, ask("x"))
		require.NoError(t, err)
		assert.Equal(t, calls, resp.Calls)
		assert.Empty(t, resp.Text)
		assert.Equal(t, 15, resp.Usage.Total())
		resp.Calls[0].Args[0] = '[' // a response is its caller's
	}
}
