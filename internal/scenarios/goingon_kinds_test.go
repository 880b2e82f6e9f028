package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// soloist is a kind of agent that knows nothing of hosts: its ends end a round.
type soloist struct {
	fsm.Position
	end     fsm.Status
	from    fsm.Agent // set: the agent that it names when it has ended
	handled []fsm.Status
	task    fsm.Task
}

var soloistStates = fsm.Table("Soloist", []fsm.Row[*soloist]{
	{Status: fsm.Continue, Handle: (*soloist).work},
	{Status: fsm.Finish, Handle: (*soloist).note, NextAgent: (*soloist).next, RoundEnd: true},
	{Status: fsm.Fail, Handle: (*soloist).note, NextAgent: (*soloist).next, RoundEnd: true},
	{Status: fsm.Error, Handle: (*soloist).note, NextAgent: (*soloist).next, RoundEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Error, By: fsm.BySystem},
)

func (a *soloist) Name() string    { return "Soloist" }
func (a *soloist) States() fsm.Set { return soloistStates }
func (a *soloist) Answer() string  { return "sung: " + a.task.Text }

func (a *soloist) Begin(_ context.Context, task fsm.Task) error {
	a.task = task
	return nil
}

func (a *soloist) work(ctx context.Context) error {
	a.Decide(a.end, fsm.BySystem, "the last note")
	return a.note(ctx)
}

func (a *soloist) note(context.Context) error {
	a.handled = append(a.handled, a.Status())
	return nil
}

func (a *soloist) next() fsm.Agent {
	if a.from != nil {
		return a.from
	}
	return a
}

func TestScenario37_AnEndEndsOnlyARoundOfItsOwn(t *testing.T) {
	for end, outcome := range map[fsm.Status]round.Outcome{fsm.Finish: round.Finished, fsm.Fail: round.Failed, fsm.Error: round.Faulted} {
		t.Run("alone/"+string(end), func(t *testing.T) {
			s := onStage(t)
			solo := &soloist{end: end}
			res, err := s.drive(solo, "a song").Run(t.Context())
			assert.Equal(t, outcome == round.Finished, err == nil)
			assert.Equal(t, outcome, res.Outcome)
			assert.Equal(t, "Soloist", res.Agent)
			assert.Equal(t, end, res.Status)
			assert.Equal(t, []string{"Soloist:CONTINUE", "Soloist:" + string(end)}, s.positions())
			assert.Equal(t, []fsm.Status{fsm.Continue}, solo.handled, "an end with nobody to return to is not handled")
			if outcome == round.Finished {
				assert.Equal(t, "sung: a song", res.Answer)
			} else {
				assert.Empty(t, res.Answer)
			}
		})
		for _, names := range []string{"itself", "the host"} {
			t.Run("under a host/"+string(end)+", naming "+names, func(t *testing.T) {
				replies := []any{assign("0", "a song")}
				if end != fsm.Error {
					replies = append(replies, finish("done"))
				}
				s := onStage(t, replies...)
				solo := &soloist{end: end}
				s.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return solo, nil }
				if names == "the host" {
					solo.from = s.host()
				}
				res, err := s.run("sing")
				path := []string{"HostAgent:CONTINUE", "HostAgent:ASSIGN", "Soloist:CONTINUE", "Soloist:" + string(end)}
				require.Len(t, res.Subtasks, 1)
				assert.Equal(t, string(end), res.Subtasks[0].Status)
				if end == fsm.Error {
					require.ErrorIs(t, err, round.ErrFault)
					assert.Equal(t, round.Faulted, res.Outcome)
					assert.Equal(t, path, s.positions())
					return
				}
				require.NoError(t, err)
				assert.Equal(t, append(path, "HostAgent:CONTINUE", "HostAgent:FINISH"), s.positions())
				assert.Equal(t, "done", res.Answer, "the host's, not the kind's")
				assert.Equal(t, fsm.BySystem, s.Steps[3].By)
				assert.Equal(t, []fsm.Status{fsm.Continue, end}, solo.handled)
				assert.Same(t, s.host(), solo.task.From)
				if end == fsm.Finish {
					assert.JSONEq(t, `"sung: a song"`, string(res.Subtasks[0].Result))
				} else {
					assert.Empty(t, res.Subtasks[0].Result)
					assert.Equal(t, "the last note", res.Subtasks[0].Reason)
				}
			})
		}
	}
}

func TestScenario40_ABudgetsErrorCannotBeSwallowed(t *testing.T) {
	bounds := map[string]round.Options{
		"MaxSteps":         {MaxSteps: 1, MaxTokens: -1},
		"MaxTokens":        {MaxTokens: 20},
		"MaxCost":          {MaxCost: 2},
		"MaxDuration":      {MaxDuration: 1500 * time.Millisecond},
		"MaxSessionSteps":  {MaxSessionSteps: 1},
		"MaxSessionTokens": {MaxSessionTokens: 20},
		"MaxSessionCost":   {MaxSessionCost: 2},
	}
	ways := map[string]func() error{
		"nothing":       func() error { return nil },
		"another error": func() error { return errors.New("something else") },
		"a suspension":  func() error { return fsm.ErrSuspend },
		"a cancel":      func() error { return context.Canceled },
		"a panic":       func() error { panic("something else") },
	}
	for bound, options := range bounds {
		for way, says := range ways {
			for _, to := range []fsm.Status{fsm.Continue, fsm.Finish} {
				t.Run(fmt.Sprintf("%s/%s/%s", bound, way, to), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						s := onStage(t)
						options.Price = func(string, llm.Usage) float64 { return 1 }
						asked := 0
						user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
							asked++
							return people.Answer{}, nil
						})
						model := &always{reply: "fine", takes: time.Second, tokens: 10}
						last := 1
						if bound == "MaxSteps" || bound == "MaxSessionSteps" {
							last = 2 // the second step is one too many; the first must be taken
						}
						agent := &walker{}
						if to == fsm.Finish {
							agent.end = last
						}
						var heard []error // by an agent that does not listen, and goes on acting
						agent.does = func(ctx context.Context) error {
							for range 3 {
								if _, err := llm.Complete(ctx, model, &llm.Request{}); err != nil {
									heard = append(heard, err)
									_, _ = desktop.Execute(ctx, s.Desktop, desktop.Shell("rm -r everything"))
									_, _ = people.Ask(ctx, user, people.Question{ID: "1", Text: "May I?"}, 0)
								}
							}
							if agent.steps < last {
								return nil
							}
							return says()
						}
						session, err := round.NewSession(agent, &options)
						require.NoError(t, err)
						res, err := session.Run(t.Context(), "go")
						budget, ok := errors.AsType[*round.BudgetError](err)
						require.True(t, ok, "%v", err)
						assert.Equal(t, bound, budget.Bound)
						require.ErrorIs(t, err, round.ErrBudget)
						require.NotErrorIs(t, err, round.ErrFault)
						assert.Equal(t, round.OverBudget, res.Outcome)
						assert.Equal(t, fsm.Continue, res.Status, "nothing moved")
						assert.Equal(t, fsm.Continue, agent.Status())
						assert.Empty(t, res.Answer)
						require.NotEmpty(t, heard)
						if bound == "MaxDuration" { // the call that it cut off has its own words
							heard = heard[1:]
						}
						if way == "a panic" {
							_, panicked := errors.AsType[*round.PanicError](err)
							assert.True(t, panicked, "which is not lost")
						}
						for _, err := range heard {
							require.ErrorIs(t, err, round.ErrBudget, "the calls behind it are refused, too")
						}
						assert.Empty(t, s.Desktop.Log(), "nothing is executed any more")
						assert.Zero(t, asked, "nobody is asked any more")
					})
				})
			}
		}
	}
}

// myApp embeds a built-in agent and inherits its Manager, whose states were written for the built-in type.
type myApp struct{ *appagent.Agent }

func TestScenario41_EmbeddedAgentsAreTypeErrors(t *testing.T) {
	s := onStage(t, assign("0", "go"))
	s.Config.NewApp = func(_ context.Context, a appagent.Config) (fsm.Worker, error) {
		app, err := appagent.New(appagent.Config{Name: a.Name, Model: a.Model, Desktop: a.Desktop, Window: a.Window, Board: a.Board})
		return &myApp{app}, err
	}
	res, err := s.run("go")
	require.ErrorIs(t, err, fsm.ErrAgentType)
	require.ErrorContains(t, err, "fsm: state CONTINUE of AppAgent handles a *appagent.Agent and was given a *scenarios_test.myApp")
	require.ErrorIs(t, err, round.ErrFault)
	_, panicked := errors.AsType[*round.PanicError](err)
	assert.False(t, panicked)
	require.Len(t, res.Subtasks, 1)
	assert.Equal(t, "ERROR", res.Subtasks[0].Status)
	assert.Contains(t, res.Subtasks[0].Reason, "*scenarios_test.myApp")
}
