package scenarios_test

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
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

// planStands requires a plan of two items with these statuses.
func planStands(t *testing.T, want []plan.Status, plans ...plan.Plan) {
	t.Helper()
	for _, p := range plans {
		require.Len(t, p, len(want))
		for i, status := range want {
			assert.Equal(t, status, p[i].Status, p[i].ID)
		}
	}
}

// Asking the user, giving up and asking for approval do not wait for the plan.
func TestPlan_OthersMayEndTheRound(t *testing.T) {
	for _, tc := range []struct {
		name  string
		reply any
		user  *person
	}{
		{"nobody answers", pending("", "Which year?"), nil},
		{"not approved", map[string]any{"Status": "CONFIRM", "Comment": "Shall I give up?"}, &person{answers: []any{false}}},
		{"FAIL", map[string]any{"Status": "FAIL", "Comment": "there is no table"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := onStage(t, withPlan(tc.reply, planOfTwo))
			s.Config.States = hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})
			if tc.user != nil {
				s.Config.User = tc.user
			}
			_, err := s.run("draw it")
			require.ErrorIs(t, err, round.ErrFailed)
			planStands(t, []plan.Status{plan.Planned, plan.Planned}, planOf(s.Host), planOnBoard(t, s.Host.Board()))
		})
	}
}

// However an application ends the round, its item has failed: in the Result, on
// the blackboard and for the host.
func TestPlan_AnErrorClosesTheItem(t *testing.T) {
	s := onStage(t, withPlan(assign("0", "a"), planOfTwo))
	s.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return newQuitter(), nil }
	res, err := s.run("draw it")
	require.ErrorIs(t, err, round.ErrFault)
	require.Equal(t, "ERROR", res.Subtasks[0].Status)
	planStands(t, []plan.Status{plan.Failed, plan.Planned}, planOf(s.Host), planOnBoard(t, s.Host.Board()))
}

// A round that is given up closes its item. The next one has a plan of its own.
func TestPlan_OfAGivenUpRound(t *testing.T) {
	s := onStage(t, withPlan(assign("0", "a"), planOfTwo), status(fsm.Continue), withPlan(finish("hello"), []any{"rest"}))
	s.Options.MaxSteps = 2
	session := s.session()
	_, err := session.Run(t.Context(), "draw it")
	require.ErrorIs(t, err, round.ErrBudget)
	_, err = session.Start("hello")
	require.NoError(t, err)
	planStands(t, []plan.Status{plan.Failed, plan.Planned}, planOf(s.Host), planOnBoard(t, session.Board()))
	_, err = session.Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, plan.Notes("rest"), planOf(s.Host))
	require.NoError(t, session.Close(t.Context()))
	assert.Equal(t, plan.Notes("rest"), planOf(s.Host))
}

// actsBehind is a desktop on which something happens right behind a call.
type actsBehind struct {
	*desktoptest.Desktop
	tool string
	then func()
}

func (b *actsBehind) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	res, err := b.Desktop.Execute(ctx, cmd)
	if cmd.ToolName == b.tool {
		b.then()
	}
	return res, err
}

// A step that was interrupted behind its act is taken again. The plan that it wrote
// is there, whether the model writes it again or not, and nothing is begun twice.
func TestPlan_CancelledBehindTheAct(t *testing.T) {
	for name, again := range map[string]any{"with its plan": withPlan(assign("0", "a"), planOfTwo), "without": assign("0", "a")} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, withPlan(assign("0", "a"), planOfTwo), again, finish("r1"), assign("1", "b"), finish("r2"), finish("done"))
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			s.Config.Desktop = &actsBehind{s.Desktop, desktop.SelectApplicationWindow, func() { cancel(errGoHome) }}
			r := s.round("draw it")
			res, err := r.Run(ctx)
			require.ErrorIs(t, err, round.ErrCancelled)
			assert.Empty(t, res.Subtasks)
			planStands(t, []plan.Status{plan.Planned, plan.Planned}, planOf(s.Host), planOnBoard(t, s.Host.Board()))
			res, err = r.Run(t.Context())
			require.NoError(t, err)
			assert.Len(t, res.Subtasks, 2)
			planStands(t, []plan.Status{plan.Planned, plan.Planned}, prompt[plan.Plan](s, 1, "plan"))
			planStands(t, []plan.Status{plan.Finished, plan.Finished}, planOf(s.Host))
		})
	}
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
