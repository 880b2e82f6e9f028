package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/blackboard/plan"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
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
		Outcome: round.Finished, Agent: "HostAgent", Status: "FINISH", Answer: "It is done.", Reason: "so",
		Steps: 1, Transitions: 2, Calls: 3, Cost: 0.5, Usage: llm.Usage{InputTokens: 1, OutputTokens: 2},
		Plan: plan.Plan{
			{Item: plan.Item{Task: "a note"}},
			{Item: plan.Item{ID: "1", Task: "write", Application: "word", DependsOn: []string{"0"}}, Status: plan.Finished, Subtask: "subtask_1"},
		},
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
	// Each field but Err and Waits, which a task that is done has not, has a name in the
	// JSON, and was filled in above.
	assert.Len(t, value, reflect.TypeFor[round.Result]().NumField()-2+1)
	subtask := properties["subtasks"].(map[string]any)["items"].(map[string]any)["properties"].(map[string]any)
	for _, s := range value["subtasks"].([]any) {
		for name := range s.(map[string]any) {
			assert.Contains(t, subtask, name)
		}
	}
}

// A plan can have notes, which are texts and no objects.
func TestPlanOfNotes(t *testing.T) {
	o := newOffice()
	c, _ := memory(t, newServer(t, mcpserver.Config{Open: func(context.Context, *mcpserver.Call) (*round.Session, error) {
		tools, err := o.desktop()
		if err != nil {
			return nil, err
		}
		screen, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "excel", Process: "book", Title: "Book"}, Desktop: tools})
		if err != nil {
			return nil, err
		}
		host, err := hostagent.New(hostagent.Config{
			Model: llmtest.Script(nil, `{"Status": "FINISH", "Plan": ["look", "think"], "Result": "All done."}`), Desktop: screen,
		})
		if err != nil {
			return nil, err
		}
		return round.NewSession(host, nil)
	}}), nil)
	list, err := c.ListTools(t.Context(), nil)
	require.NoError(t, err)
	res := c.did(t, "x")
	require.False(t, res.IsError, text(t, res))
	assert.Equal(t, []any{"look", "think"}, res.StructuredContent.(map[string]any)["plan"])
	fits(t, list.Tools[0].OutputSchema, res.StructuredContent)
}
