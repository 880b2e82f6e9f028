package mcpserver_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

// The schema of the output has every name that a result can have, and takes the
// fullest and the emptiest of them.
func TestOutputSchema(t *testing.T) {
	c, _ := memory(t, newServer(t, newOffice().plays(done)), nil)
	list, err := c.ListTools(t.Context(), nil)
	require.NoError(t, err)
	schema := list.Tools[0].OutputSchema

	full := runtask.Result{Warning: errors.New("the door is open"), Result: round.Result{
		Run: "order 7", Round: 1,
		Outcome: round.Finished, Agent: "HostAgent", Status: "FINISH", Answer: "It is done.", Reason: "so",
		Partial:  []proof.Undone{{ID: "2", Task: "print", Status: proof.Dropped, Reason: "no printer"}},
		Verified: &proof.Finding{Verdict: proof.Yes, By: "somebody", Evidence: "it is there"},
		Steps:    1, Transitions: 2, Calls: 3, Cost: 0.5, Usage: llm.Usage{InputTokens: 1, OutputTokens: 2},
	}}
	for _, data := range []string{`{"a": [1, null]}`, `"text"`, `null`, `7`, asJSON(t, make([]int, 1<<20))} {
		full.Subtasks = append(full.Subtasks, blackboard.Subtask{
			ID: "1", App: "word", Text: "write", DependsOn: []string{"0"}, Status: "FINISH", Reason: "so", Result: json.RawMessage(data),
		})
	}
	for _, result := range []runtask.Result{full, {Result: round.Result{Outcome: round.Finished, Subtasks: []blackboard.Subtask{}}}} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(asJSON(t, result)), &value))
		fits(t, schema, value)
	}
	var value map[string]any
	require.NoError(t, json.Unmarshal([]byte(asJSON(t, full)), &value))
	properties := schema.(map[string]any)["properties"].(map[string]any)
	for name := range value {
		assert.Contains(t, properties, name)
	}
	// Each field but Err, Waits and Wakes, which a task that is done has not, has a name in the
	// JSON, and was filled in above.
	assert.Len(t, value, reflect.TypeFor[round.Result]().NumField()-3+1)
}
