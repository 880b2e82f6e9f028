package round_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/blackboard/plan"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// planner is an agent of any kind that has a plan.
type planner struct {
	fsm.Position
	do    func() error // in each of its two steps
	steps int
	plan  plan.Plan
	panic bool
}

var plannerStates = fsm.Table("Planner",
	[]fsm.Row[*planner]{
		{Status: fsm.Continue, Handle: (*planner).step},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

func (p *planner) Name() string                          { return "Planner" }
func (p *planner) States() fsm.Set                       { return plannerStates }
func (p *planner) Begin(context.Context, fsm.Task) error { return nil }
func (p *planner) Answer() string                        { return "done" }

func (p *planner) step(context.Context) error {
	to := fsm.Continue
	if p.steps++; p.steps == 2 {
		to = fsm.Finish
	}
	p.Decide(to, fsm.BySystem, "")
	if p.do == nil {
		return nil
	}
	return p.do()
}

func (p *planner) Plan() plan.Plan {
	if p.panic {
		panic("no plan")
	}
	return p.plan
}

// newPlanner plans two items in its first step, and opens the first one.
func newPlanner(t *testing.T, board *blackboard.Board) *planner {
	t.Helper()
	p := &planner{}
	p.do = func() error {
		if p.plan != nil {
			return nil
		}
		drafted, err := plan.Plan(nil).Revise(plan.Draft{
			{ID: "4711", Task: "say 4711", Application: "4711"}, {ID: "b", Task: "go", DependsOn: []string{"4711"}},
		})
		require.NoError(t, err)
		s, err := board.Open(blackboard.Subtask{Text: "say 4711"})
		require.NoError(t, err)
		p.plan = drafted.Assign("4711", s.ID)
		return blackboard.Plan.Put(board, p.plan)
	}
	return p
}

func TestPlanInTheResult(t *testing.T) {
	board := blackboard.New(nil)
	p := newPlanner(t, board)
	r, err := round.New(p, "go", &round.Options{
		Board: board, Redact: func(text string) string { return strings.ReplaceAll(text, "4711", "####") },
	})
	require.NoError(t, err)
	assert.Empty(t, r.Result().Plan)
	for step, err := range r.Steps(t.Context()) {
		require.NoError(t, err)
		assert.Equal(t, 1, step.Progress.Planned, "one was begun, one is left")
		assert.Len(t, r.Result().Plan, 2, "a round that is under way has one, too")
		break
	}
	res, err := r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, plan.Plan{
		{Item: plan.Item{ID: "####", Task: "say ####", Application: "####"}, Status: plan.Assigned, Subtask: "subtask_1"},
		{Item: plan.Item{ID: "b", Task: "go", DependsOn: []string{"####"}}, Status: plan.Planned},
	}, res.Plan)
	raw, err := json.Marshal(res)
	require.NoError(t, err)
	assert.Contains(t, string(raw), `"plan":[{"id":"####"`)
	assert.Equal(t, "say 4711", p.plan[0].Task, "the agent's own is left alone")

	res.Plan[0].Task = "changed"
	p.plan = nil
	assert.Equal(t, "say ####", r.Result().Plan[0].Task, "what is over stays as it is")

	shown, _, err := blackboard.Plan.Get(board)
	require.NoError(t, err)
	assert.Equal(t, plan.Failed, shown[0].Status, "the Round closed its sub-task")
}

func TestNoPlanInTheResult(t *testing.T) {
	board := blackboard.New(nil)
	require.NoError(t, blackboard.Plan.Put(board, plan.Notes("of somebody else")))
	t.Run("no planner", func(t *testing.T) {
		r, err := round.New(newPuppet("A"), "go", &round.Options{Board: board})
		require.NoError(t, err)
		res, err := r.Run(t.Context())
		require.NoError(t, err)
		assert.Empty(t, res.Plan)
		raw, err := json.Marshal(res)
		require.NoError(t, err)
		assert.NotContains(t, string(raw), `"plan"`)
	})
	t.Run("a planner that panics", func(t *testing.T) {
		r, err := round.New(&planner{panic: true}, "go", &round.Options{Board: board})
		require.NoError(t, err)
		res, err := r.Run(t.Context())
		require.NoError(t, err, "how far it was is no reason to fail")
		assert.Equal(t, round.Finished, res.Outcome)
		assert.Empty(t, res.Plan)
	})
}

// What others keep under the name of the plan is left alone, and so is a plan that
// has nothing to do with a sub-task that the Round closes.
func TestClosingLeavesOtherPlansAlone(t *testing.T) {
	for _, text := range []string{`42`, `{"steps":[1]}`, `["a"]`, `[{"id":"a","task":"x","status":"assigned","subtask":"subtask_9"}]`} {
		board := blackboard.New(nil)
		require.NoError(t, board.PutRaw("plan", json.RawMessage(text)))
		a := newPuppet("A")
		a.do = func(context.Context) error {
			_, err := board.Open(blackboard.Subtask{Text: "x"})
			return err
		}
		r, err := round.New(a, "go", &round.Options{Board: board})
		require.NoError(t, err)
		_, err = r.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "FAIL", board.Subtasks()[0].Status)
		raw, _ := board.Raw("plan")
		assert.Equal(t, text, string(raw))
	}
}
