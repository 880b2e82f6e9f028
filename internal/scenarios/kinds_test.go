package scenarios_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

// employ makes a worker the agent of each application, named after it.
func (s *stage) employ(a *worker) {
	s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		a.name = strings.TrimPrefix(app.Name, "AppAgent/")
		return a, nil
	}
}

func TestScenario02_HandOverAsksTheHandledState(t *testing.T) {
	var log []string
	asked := func(a *worker) *worker {
		a.at = func(place string) { log = append(log, fmt.Sprintf("%s:%s %s", a.name, a.Status(), place)) }
		return a
	}
	taker := asked(&worker{name: "b", states: workerTable("WALK", usualEnds...)})
	giver := asked(&worker{name: "a", script: []fsm.Status{"WALK"}})
	giver.states = workerStates.With(fsm.Edge{From: fsm.Continue, To: "WALK", By: fsm.BySystem, Kind: fsm.AnyKind})
	giver.next = func() fsm.Agent {
		if giver.Decision().To == "WALK" {
			return taker
		}
		return giver
	}
	s := onStage(t)
	_, err := s.drive(giver, "run").Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"a:CONTINUE", "b:WALK", "b:FINISH", "a:CONTINUE", "a:FINISH"}, s.positions())
	assert.Equal(t, []string{
		"a:CONTINUE Begin", "a:CONTINUE Handle", "a:CONTINUE NextState", "a:CONTINUE NextAgent",
		"b:WALK Handle", "b:WALK NextState", "b:WALK NextAgent", "b:FINISH NextState", "b:FINISH NextAgent",
		"a:CONTINUE Handle", "a:CONTINUE NextState", "a:CONTINUE NextAgent", "a:FINISH Answer",
	}, log, "the state that was handled is asked, once, before anything moves")
}

// A kind that the module knows nothing of, beside an AppAgent. It has neither Data nor Board. The module of
// TestForeignModule has one with a model and statuses of its own.
func TestScenario06_ForeignKindUnderAssign(t *testing.T) {
	linux := &worker{script: []fsm.Status{fsm.Continue, fsm.Finish, fsm.Fail}, answer: "Linux"}
	s := play(t, "linux_assigned", "session", func(s *stage) fsm.Worker {
		s.employ(linux)
		employed := s.Config.NewApp
		s.Config.NewApp = func(ctx context.Context, app appagent.Config) (fsm.Worker, error) {
			if app.Window.Root == "terminal" {
				return employed(ctx, app)
			}
			return appagent.New(app)
		}
		return nil
	})
	assert.Equal(t, []fsm.Task{
		{ID: "subtask_1", Text: "which system", Message: "ask uname", From: s.Host},
		{ID: "subtask_3", Text: "turn it off", From: s.Host},
	}, linux.tasks)
}

func TestScenario37_AnEndEndsOnlyARoundOfItsOwn(t *testing.T) {
	for end, outcome := range map[fsm.Status]round.Outcome{fsm.Finish: round.Finished, fsm.Fail: round.Failed, fsm.Error: round.Faulted} {
		t.Run("alone/"+string(end), func(t *testing.T) {
			s := onStage(t)
			solo := &worker{name: "Solo", script: []fsm.Status{end}, answer: "sung"}
			res, err := s.drive(solo, "a song").Run(t.Context())
			assert.Equal(t, outcome == round.Finished, err == nil)
			assert.Equal(t, outcome, res.Outcome)
			assert.Equal(t, []string{"Solo:CONTINUE", "Solo:" + string(end)}, s.positions())
			assert.Equal(t, []fsm.Status{fsm.Continue}, solo.handled, "an end with nobody to return to is not handled")
			assert.Equal(t, outcome == round.Finished, res.Answer == "sung")
		})
		for _, names := range []string{"itself", "the host"} {
			t.Run("under a host/"+string(end)+", naming "+names, func(t *testing.T) {
				replies := []any{assign("0", "a song")}
				if end != fsm.Error {
					replies = append(replies, leaving("done", "subtask_1"))
				}
				s := onStage(t, replies...)
				solo := &worker{script: []fsm.Status{end}, answer: "sung"}
				s.employ(solo)
				if names == "the host" {
					solo.next = func() fsm.Agent {
						if solo.Status() == fsm.Continue {
							return solo
						}
						return s.Host
					}
				}
				res, err := s.run("sing")
				path := []string{"HostAgent:CONTINUE", "HostAgent:ASSIGN", "word/report:CONTINUE", "word/report:" + string(end)}
				assert.Equal(t, string(end), res.Subtasks[0].Status)
				if end == fsm.Error {
					require.ErrorIs(t, err, round.ErrFault)
					assert.Equal(t, path, s.positions())
					return
				}
				require.NoError(t, err)
				assert.Equal(t, append(path, "HostAgent:CONTINUE", "HostAgent:FINISH"), s.positions())
				assert.Equal(t, "done", res.Answer, "the host's, not the kind's")
				assert.Equal(t, []fsm.Status{fsm.Continue, end}, solo.handled)
				assert.Equal(t, end == fsm.Finish, string(res.Subtasks[0].Result) == `"sung"`)
				assert.Equal(t, "as it came", res.Subtasks[0].Reason)
			})
		}
	}
}

// releaserStates begin in PLAN. The table says which of a kind's own ends are successes, not a name.
var releaserStates = workerTable("PLAN",
	fsm.Row[*worker]{Status: "DONE", Success: true}, fsm.Row[*worker]{Status: "ROLLED_BACK"}, fsm.Row[*worker]{Status: fsm.Fail})

func TestScenario50_EndsOfAKindsOwn(t *testing.T) {
	for end, text := range map[fsm.Status]string{
		"DONE":        "",
		"ROLLED_BACK": "round: the task failed: r:ROLLED_BACK: as it came (a success would be DONE)",
		fsm.Fail:      "round: the task failed: r:FAIL: as it came",
	} {
		t.Run(string(end), func(t *testing.T) {
			s := onStage(t)
			r := &worker{name: "r", states: releaserStates, script: []fsm.Status{end}, answer: "all deployed"}
			res, err := s.drive(r, "release").Run(t.Context())
			assert.Equal(t, end, res.Status)
			if text != "" {
				require.ErrorIs(t, err, round.ErrFailed)
				require.EqualError(t, err, text)
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
	s := onStage(t, assign("0", "release"), assign("0", "release again"), leaving("half of it", "subtask_2"))
	s.employ(&worker{states: releaserStates, script: []fsm.Status{"DONE", "ROLLED_BACK"}, answer: "all deployed"})
	res, err := s.run("release")
	require.NoError(t, err)
	assert.Equal(t, []string{
		"HostAgent:CONTINUE", "HostAgent:ASSIGN",
		"word/report:PLAN", "word/report:DONE", "HostAgent:CONTINUE", "HostAgent:ASSIGN",
		"word/report:PLAN", "word/report:ROLLED_BACK", "HostAgent:CONTINUE", "HostAgent:FINISH",
	}, s.positions())
	assert.Equal(t, "FINISH", res.Subtasks[0].Status)
	assert.JSONEq(t, `"all deployed"`, string(res.Subtasks[0].Result))
	assert.Equal(t, "ROLLED_BACK", res.Subtasks[1].Status)
	assert.Empty(t, res.Subtasks[1].Result)
	assert.Contains(t, prompt[string](s, 2, "last_error"), "ROLLED_BACK")
}

// A host may work for another one, in an application of its own. Both may need the same application: their agents
// have names that differ, because those of a named host begin with its name.
func TestAHostUnderAHost(t *testing.T) {
	for name, inner := range map[string]string{"a_host_under_a_host": "excel/book", "a_host_that_fails_under_a_host": "excel/book", "a_team_under_a_host": "Team"} {
		t.Run(name, func(t *testing.T) {
			play(t, name, "session", func(s *stage) fsm.Worker {
				s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
					if app.Window.Root != "excel" {
						return appagent.New(app)
					}
					cfg := s.Config
					cfg.NewApp, cfg.Name, cfg.Board = nil, inner, app.Board
					return hostagent.New(cfg)
				}
				return nil
			})
		})
	}
}

// A worker whose FINISH names another agent in its place does not speak for it.
func TestTheOutcomeIsThatOfWhoComesBack(t *testing.T) {
	s := onStage(t, assign("0", "x"), leaving("done", "subtask_1"))
	second := &worker{name: "second", script: []fsm.Status{fsm.Fail}}
	first := &worker{states: workerStates.With(fsm.Edge{From: fsm.Finish, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem})}
	first.at = func(place string) {
		if place == "NextState" && first.Status() == fsm.Finish {
			first.Decide(fsm.Continue, fsm.BySystem, "")
			first.next = func() fsm.Agent { return second }
		}
	}
	s.employ(first)
	res, err := s.run("go")
	require.NoError(t, err)
	assert.Equal(t, "FAIL", res.Subtasks[0].Status)
}

// A host that goes on and on in CONTINUE: the instance that AddState brings takes the
// next step, though the status does not change.
func TestScenario48_AddStateWhileAHostStays(t *testing.T) {
	finishing := fsm.Row[*hostagent.Agent]{Status: fsm.Continue, Handle: func(a *hostagent.Agent, _ context.Context) error {
		a.Decide(fsm.Finish, fsm.ByModel, "the new CONTINUE")
		return nil
	}}
	s := onStage(t, status("CONTINUE"), status("CONTINUE"))
	s.Config.States = hostagent.States().With()
	s.Options.Observe = func(step round.Step) {
		if step.Seq == 2 {
			require.NoError(t, s.Config.States.AddState(fsm.Continue, finishing.State()))
		}
	}
	res, err := s.run("go")
	require.NoError(t, err)
	assert.Equal(t, "the new CONTINUE", res.Reason)
	assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:CONTINUE", "HostAgent:CONTINUE", "HostAgent:FINISH"}, s.positions())
}
