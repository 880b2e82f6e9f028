package scenarios_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// A round inside a Handle announces its secrets to the round around it, which
// records the same commands.
func TestSecretsOfARoundInsideARound(t *testing.T) {
	s := onStage(t)
	s.Desktop.AddTools(desktoptest.Tool{Name: "login", Schema: loginSchema})
	model := llmtest.Script(t, call(fsm.Continue, "login", map[string]any{"user": "bob", "password": longSecret}), finish("in"))
	inner, err := appagent.New(appagent.Config{Name: "Inner", Desktop: s.Desktop, Model: model})
	require.NoError(t, err)
	var out bytes.Buffer
	s.Options.Observe = round.JSONL(&out)
	outer := &walker{end: 1, does: func(ctx context.Context) error {
		r, err := round.New(inner, "log in", nil)
		if err != nil {
			return err
		}
		_, err = r.Run(ctx)
		return err
	}}
	_, err = s.drive(outer, "go").Run(t.Context())
	require.NoError(t, err)
	assert.Contains(t, out.String(), "login")
	assert.NotContains(t, out.String(), longSecret)
}

// A worker whose FINISH names another agent in its place does not speak for it.
func TestTheOutcomeIsThatOfWhoComesBack(t *testing.T) {
	s := onStage(t, assign("0", "x"), finish("done"))
	var log []string
	second := &runner{name: "second", log: &log}
	second.states = runners(t, "Second", []*leg{
		{name: fsm.Continue, to: fsm.To[*runner](fsm.Fail)},
		{name: fsm.Fail, ends: true, to: fsm.To[*runner]("")},
	},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
	)
	first := &runner{name: "first", log: &log, give: second}
	first.states = runners(t, "First", []*leg{
		{name: fsm.Continue, to: fsm.To[*runner](fsm.Finish)},
		{name: fsm.Finish, ends: true, pass: true, to: fsm.To[*runner](fsm.Continue)},
	},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
		fsm.Edge{From: fsm.Finish, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
	)
	s.Config.NewApp = func(context.Context, hostagent.App) (fsm.Worker, error) { return first, nil }
	res, err := s.run("go")
	require.NoError(t, err)
	require.Len(t, res.Subtasks, 1)
	assert.Equal(t, "FAIL", res.Subtasks[0].Status)
}

// A round that is given up right after control came back does not take the
// finished sub-task for an interrupted one.
func TestAFinishedSubtaskOfARoundThatIsGivenUp(t *testing.T) {
	s := onStage(t, assign("0", "count"), finish(map[string]any{"rows": 3}), finish("next"))
	session, err := round.NewSession(s.host(), &round.Options{MaxTransitions: 4})
	require.NoError(t, err)
	_, err = session.Run(t.Context(), "first")
	require.ErrorIs(t, err, round.ErrBudget)
	_, err = session.Run(t.Context(), "second")
	require.NoError(t, err)
	subtasks := session.Board().Subtasks()
	require.Len(t, subtasks, 1)
	assert.Equal(t, "FINISH", subtasks[0].Status)
	assert.JSONEq(t, `{"rows":3}`, string(subtasks[0].Result))

	board := prompt[map[string]any](s, 2, "blackboard")
	assert.Equal(t, map[string]any{"total": 0.0, "finished": 0.0, "failed": 0.0}, board["task_progress"], "nothing of the first round is current")
	assert.NotContains(t, board, "current_subtask")
	assert.NotContains(t, board, "plan")
}

// Giving a round up records how the last sub-task ended. That it was one failure
// too many is the affair of a host that goes on.
func TestGivingUpAfterTheLastFailure(t *testing.T) {
	fails := map[string]any{"Status": "FAIL", "Comment": "no"}
	s := onStage(t, assign("0", "a"), fails, assign("0", "b"), fails, finish("next"))
	s.Config.MaxReplans = 1
	session, err := round.NewSession(s.host(), &round.Options{MaxTransitions: 8})
	require.NoError(t, err)
	_, err = session.Run(t.Context(), "first")
	require.ErrorIs(t, err, round.ErrBudget, "control is back, and the host has not looked yet")
	_, err = session.Run(t.Context(), "second")
	require.NoError(t, err)
	subtasks := session.Board().Subtasks()
	require.Len(t, subtasks, 2)
	assert.Equal(t, "FAIL", subtasks[1].Status)
	assert.Equal(t, "no", subtasks[1].Reason)
}
