package scenarios_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// releaser goes from PLAN to one of its ends, each with a name of its own.
type releaser struct {
	fsm.Position
	name string
	end  fsm.Status
	done int // tasks
}

func (r *releaser) Name() string                          { return r.name }
func (r *releaser) States() fsm.Set                       { return releaserStates }
func (r *releaser) Begin(context.Context, fsm.Task) error { r.done++; return nil }
func (r *releaser) Answer() string                        { return "all deployed" }

func (r *releaser) plan(context.Context) error {
	r.Decide(r.end, fsm.BySystem, "as planned")
	return nil
}

var releaserStates = fsm.Table("Releaser",
	[]fsm.Row[*releaser]{
		{Status: "PLAN", Handle: (*releaser).plan},
		{Status: "DONE", RoundEnd: true, Success: true},
		{Status: "ROLLED_BACK", RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
	},
	fsm.Edge{To: "PLAN", By: fsm.BySystem},
	fsm.Edge{From: "PLAN", To: "DONE", By: fsm.BySystem},
	fsm.Edge{From: "PLAN", To: "ROLLED_BACK", By: fsm.BySystem},
	fsm.Edge{From: "PLAN", To: fsm.Fail, By: fsm.BySystem},
)

// The table says which of a kind's own ends are successes, not a name.
func TestScenario50_EndsOfAKindsOwn(t *testing.T) {
	for end, c := range map[fsm.Status]struct {
		outcome round.Outcome
		text    string // of the error
	}{
		"DONE":        {round.Finished, ""},
		"ROLLED_BACK": {round.Failed, "round: the task failed: r:ROLLED_BACK: as planned (a success would be DONE)"},
		fsm.Fail:      {round.Failed, "round: the task failed: r:FAIL: as planned"},
	} {
		t.Run(string(end), func(t *testing.T) {
			r, err := round.New(&releaser{name: "r", end: end}, "release", nil)
			require.NoError(t, err)
			res, err := r.Run(t.Context())
			assert.Equal(t, c.outcome, res.Outcome)
			assert.Equal(t, end, res.Status)
			if c.text != "" {
				require.ErrorIs(t, err, round.ErrFailed)
				assert.Equal(t, c.text, err.Error())
				assert.Empty(t, res.Answer)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "all deployed", res.Answer)
		})
	}
}

// A kind whose table starts in PLAN, under a host: ASSIGN enters it there, each time,
// and what its table calls a success is one for the host. Its other ends are not.
func TestScenario49_AssignEntersAtTheStart(t *testing.T) {
	s := onStage(t, assign("0", "release"), assign("0", "release again"), finish("released"))
	worker := &releaser{end: "DONE"}
	s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		worker.name = strings.TrimPrefix(app.Name, "AppAgent/")
		return worker, nil
	}
	res, err := s.run("release")
	require.NoError(t, err)
	assert.Equal(t, 2, worker.done)
	require.Len(t, res.Subtasks, 2)
	for _, sub := range res.Subtasks {
		assert.Equal(t, "FINISH", sub.Status)
		assert.JSONEq(t, `"all deployed"`, string(sub.Result))
	}
	assert.Equal(t, []string{
		"HostAgent:CONTINUE", "HostAgent:ASSIGN",
		worker.name + ":PLAN", worker.name + ":DONE", "HostAgent:CONTINUE", "HostAgent:ASSIGN",
		worker.name + ":PLAN", worker.name + ":DONE", "HostAgent:CONTINUE", "HostAgent:FINISH",
	}, s.positions())

	worker = &releaser{end: "ROLLED_BACK"}
	s2 := onStage(t, assign("0", "release"), finish("not released"))
	s2.Config.NewApp = s.Config.NewApp
	res, err = s2.run("release")
	require.NoError(t, err)
	require.Len(t, res.Subtasks, 1)
	assert.Equal(t, "ROLLED_BACK", res.Subtasks[0].Status)
	assert.Empty(t, res.Subtasks[0].Result)
	assert.Contains(t, prompt[string](s2, 1, "last_error"), "ROLLED_BACK")
}
