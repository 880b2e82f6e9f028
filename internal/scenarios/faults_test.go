package scenarios_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

var errBang = errors.New("bang")

// panicked checks a result that a panic must lead to.
func panicked(t *testing.T, res round.Result, err error, where string) {
	t.Helper()
	require.ErrorIs(t, err, round.ErrFault)
	require.ErrorIs(t, err, errBang, "a value that is an error is found")
	var p *round.PanicError
	require.ErrorAs(t, err, &p)
	assert.Equal(t, errBang, p.Value)
	assert.Contains(t, string(p.Stack), where, "the stack says where")
	assert.Contains(t, err.Error(), "bang")
	assert.NotContains(t, err.Error(), "goroutine", "the stack is not in the text")
	assert.Equal(t, round.Faulted, res.Outcome)
	assert.Equal(t, fsm.Error, res.Status)
	assert.Empty(t, res.Answer)
	assert.Equal(t, err, res.Err)
}

func TestScenario30_PanicOfAnAgent(t *testing.T) {
	for _, place := range []string{"Begin", "Handle", "NextState", "NextAgent", "Answer"} {
		t.Run(place, func(t *testing.T) {
			a := &worker{name: "Tumbler", script: []fsm.Status{fsm.Continue}, answer: "up again"}
			a.at = func(here string) {
				if here == place {
					a.at = nil
					panic(errBang)
				}
			}
			var steps []round.Step
			session, err := round.NewSession(a, &round.Options{Observe: func(s round.Step) { steps = append(steps, s) }})
			require.NoError(t, err)
			res, err := session.Run(t.Context(), "fall")
			panicked(t, res, err, "faults_test.go")
			if place != "Answer" {
				last := steps[len(steps)-1]
				assert.Equal(t, "Tumbler:CONTINUE -> Tumbler:ERROR (fault)", last.String())
				assert.NotEmpty(t, last.Reason)
				assert.NotContains(t, a.handled, fsm.Error, "the end of a round is not handled")
			}
			res, err = session.Run(t.Context(), "get up")
			require.NoError(t, err, "the next round works")
			assert.Equal(t, "up again", res.Answer)
			assert.Len(t, a.tasks, 2)
		})
	}
}

// Package round tests each step that cannot be.
func TestScenario31_StepsThatCannotBe(t *testing.T) {
	rows, edges := workerRows(fsm.Continue, usualEnds...)
	broken := fsm.NewManager[*worker]("Broken", edges[:3]...) // to FINISH, which has no state, but not to FAIL
	for _, row := range rows {
		require.NoError(t, broken.Register(row.Status, func() fsm.State[*worker] {
			if row.Status == fsm.Finish {
				return nil
			}
			return row.State()
		}))
	}
	for name, c := range map[string]struct {
		a    worker
		is   error
		text string
	}{
		"the next agent is nil":             {worker{next: func() fsm.Agent { return nil }}, round.ErrAgent, "next agent is nil"},
		"no such edge":                      {worker{states: broken, script: []fsm.Status{fsm.Fail}}, fsm.ErrNotAllowed, "may not go from CONTINUE to FAIL"},
		"a constructor that gives no state": {worker{states: broken}, fsm.ErrUnknownStatus, `no state "FINISH"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t)
			_, err := s.drive(&c.a, "go").Run(t.Context())
			require.ErrorIs(t, err, round.ErrFault)
			var p *round.PanicError
			assert.NotErrorAs(t, err, &p, "it is found before it breaks anything")
			require.ErrorIs(t, err, c.is)
			require.ErrorContains(t, err, c.text)
			assert.Equal(t, []string{":CONTINUE", ":ERROR"}, s.positions())
		})
	}
}

// A status that nobody registered ends no round as a success or in silence.
func TestScenario08_UnknownStatusInARound(t *testing.T) {
	for name, edges := range map[string][]fsm.Edge{
		"not in the table either":   nil,
		"in the table by a mistake": {{From: fsm.Continue, To: "NOPE", By: fsm.BySystem}},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t)
			a := &worker{name: "r", states: workerStates.With(edges...), script: []fsm.Status{"NOPE"}}
			res, err := s.drive(a, "go").Run(t.Context())
			require.ErrorIs(t, err, fsm.ErrUnknownStatus)
			require.ErrorContains(t, err, `has no state "NOPE"`)
			require.ErrorIs(t, err, round.ErrFault)
			assert.Empty(t, res.Answer)
			assert.Equal(t, []string{"r:CONTINUE", "r:ERROR"}, s.positions())
		})
	}
}

// What failed once is not kept: the next round asks the factory again.
func TestScenario15_FactoryFailsOnce(t *testing.T) {
	s := onStage(t, assign("0", "work"), assign("0", "work"), finish("r1"), finish("done"))
	calls := 0
	s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		if calls++; calls == 1 {
			return nil, nil
		}
		return appagent.New(app)
	}
	session := s.session()
	res, err := session.Run(t.Context(), "work")
	require.ErrorContains(t, err, "the agent of word/report: hostagent: Config.NewApp returned no agent")
	require.ErrorIs(t, err, round.ErrFault)
	assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:ASSIGN", "HostAgent:ERROR"}, s.positions())
	require.Empty(t, res.Subtasks)
	res, err = session.Run(t.Context(), "work again")
	require.NoError(t, err)
	assert.Equal(t, "done", res.Answer)
}

// myApp embeds a built-in agent and inherits its Manager, whose states were written for the built-in type.
type myApp struct{ *appagent.Agent }

func TestScenario41_EmbeddedAgentsAreTypeErrors(t *testing.T) {
	s := onStage(t, assign("0", "go"))
	s.Config.NewApp = func(_ context.Context, a appagent.Config) (fsm.Worker, error) {
		app, err := appagent.New(a)
		return &myApp{app}, err
	}
	res, err := s.run("go")
	require.ErrorContains(t, err, "fsm: state CONTINUE of AppAgent handles a *appagent.Agent and was given a *scenarios_test.myApp")
	require.ErrorIs(t, err, round.ErrFault)
	require.ErrorIs(t, err, fsm.ErrAgentType)
	_, panicked := errors.AsType[*round.PanicError](err)
	assert.False(t, panicked)
	assert.Equal(t, "ERROR", res.Subtasks[0].Status)
}

// A host whose sub-tasks fail too often ends with an error of its own.
func TestScenario16_TooManyFailuresHaveAnError(t *testing.T) {
	failed := map[string]any{"Status": "FAIL", "Comment": "no screen"}
	s := onStage(t, assign("0", "go"), failed, assign("0", "go"), failed)
	s.Config.Config.MaxReplans = 1
	_, err := s.run("go")
	require.ErrorIs(t, err, hostagent.ErrReplans)
}
