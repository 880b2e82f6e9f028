package scenarios_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/round"
)

// planOfTwo is a plan of two items, the second of which builds on the first.
var planOfTwo = []any{
	map[string]any{"id": "a", "task": "extract"},
	map[string]any{"id": "b", "task": "draw", "depends_on": []string{"a"}},
}

// planOf is the plan of a host as package plan has it.
func planOf(host *hostagent.Agent) plan.Plan {
	var p plan.Plan
	for _, i := range host.Plan() {
		p = append(p, plan.Entry{
			Item:   plan.Item{ID: i.ID, Task: i.Task, Application: i.Application, DependsOn: i.DependsOn},
			Status: plan.Status(i.Status), Subtask: i.Subtask,
		})
	}
	return p
}

// withPlan is a decision with a plan.
func withPlan(decision any, list any) any {
	d := map[string]any{"Plan": list}
	maps.Copy(d, decision.(map[string]any))
	return d
}

// planOnBoard is the plan as the blackboard has it.
func planOnBoard(t *testing.T, board *blackboard.Board) plan.Plan {
	t.Helper()
	raw, ok, err := blackboard.NewKey[json.RawMessage](boarddata.Plan).Get(board)
	require.NoError(t, err)
	if !ok {
		return nil
	}
	var p plan.Plan
	require.NoError(t, json.Unmarshal(raw, &p))
	return p
}

// The plan is the host's own; what a Result has of it are its sub-tasks, without secrets.
func TestPlan_IsRedacted(t *testing.T) {
	s := onStage(t, withPlan(assign("0", "tell 4711"), []any{
		map[string]any{"id": "tell 4711", "task": "say 4711", "application": "word"},
		map[string]any{"id": "b", "task": "draw", "depends_on": []string{"tell 4711"}},
	}))
	s.Options.Redact = func(text string) string { return strings.ReplaceAll(text, "4711", "####") }
	r := s.round("do it")
	r.Adjust(func(o *round.Options) { o.MaxSteps = 1 })
	res, err := r.Run(t.Context())
	require.ErrorIs(t, err, round.ErrBudget)
	raw, jsonErr := json.Marshal(res)
	require.NoError(t, jsonErr)
	assert.NotContains(t, string(raw), "4711")
	assert.Equal(t, "say ####", res.Subtasks[0].Text)
	assert.Equal(t, "say 4711", planOf(s.Host)[0].Task, "the host itself knows")
}
