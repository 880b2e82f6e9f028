package scenarios_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// factory makes AppAgents and keeps them, in the order in which they were made.
type factory struct {
	apps []appagent.Config
	made []*appagent.Agent
}

// counted gives the stage's host a factory that is counted.
func counted(s *stage) *factory {
	f := &factory{}
	s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		a, err := appagent.New(app)
		f.apps, f.made = append(f.apps, app), append(f.made, a)
		return a, err
	}
	return f
}

// An agent that fails has no answer left over from what it did before.
func TestScenario12_NoAnswerOfTheTaskBefore(t *testing.T) {
	s := onStage(t, assign("0", "first"), finish("r1"), assign("0", "second"), status(fsm.Fail), finish("half done"))
	f := counted(s)
	res, err := s.run("twice")
	require.NoError(t, err)
	assert.Empty(t, res.Subtasks[1].Result)
	require.Len(t, f.made, 1)
	assert.Empty(t, f.made[0].Answer())
	assert.Empty(t, f.made[0].Data())
}

// beginner cannot take a task.
type beginner struct {
	*linuxAgent
	err error
}

func (b beginner) Begin(context.Context, fsm.Task) error { return b.err }

func TestScenario15_FactoryFails(t *testing.T) {
	broken := errors.New("no licence")
	for name, c := range map[string]struct {
		newApp func(context.Context, appagent.Config) (fsm.Worker, error)
		want   string
	}{
		"error":           {func(context.Context, appagent.Config) (fsm.Worker, error) { return nil, broken }, "no licence"},
		"error and agent": {func(context.Context, appagent.Config) (fsm.Worker, error) { return &linuxAgent{name: "x"}, broken }, "no licence"},
		"nil":             {func(context.Context, appagent.Config) (fsm.Worker, error) { return nil, nil }, "hostagent: Config.NewApp returned no agent"},
		"nil pointer":     {func(context.Context, appagent.Config) (fsm.Worker, error) { return (*linuxAgent)(nil), nil }, "hostagent: Config.NewApp returned no agent"},
		"begin": {func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
			return beginner{newLinuxAgent("x", app.Model, app.Desktop), broken}, nil
		}, "no licence"},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, assign("0", "work"))
			s.Config.NewApp = c.newApp
			res, err := s.run("work")
			require.ErrorContains(t, err, c.want)
			require.ErrorIs(t, err, round.ErrFault)
			assert.Equal(t, c.want == broken.Error(), errors.Is(err, broken))
			require.ErrorContains(t, err, "the agent of word/report: ")
			var panicked *round.PanicError
			assert.NotErrorAs(t, err, &panicked)
			assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:ASSIGN", "HostAgent:ERROR"}, s.positions())
			assert.Equal(t, fsm.ByFault, s.Steps[1].By)
			require.ErrorContains(t, s.Steps[1].Err, c.want)
			assert.Equal(t, "HostAgent", res.Agent)
			assert.Equal(t, fsm.Error, res.Status)
			assert.Equal(t, round.Faulted, res.Outcome)
			assert.Contains(t, res.Reason, c.want)
			for _, sub := range res.Subtasks {
				assert.Equal(t, "ERROR", sub.Status, "nothing stays open")
			}
		})
	}
}

// What failed once is not kept: the next round asks the factory again.
func TestScenario15_FactoryFailsOnce(t *testing.T) {
	s := onStage(t, assign("0", "work"), assign("0", "work"), finish("r1"), finish("done"))
	f := counted(s)
	works, calls := s.Config.NewApp, 0
	s.Config.NewApp = func(ctx context.Context, app appagent.Config) (fsm.Worker, error) {
		if calls++; calls == 1 {
			return nil, nil
		}
		return works(ctx, app)
	}
	session, err := round.NewSession(s.host(), nil)
	require.NoError(t, err)
	_, err = session.Run(t.Context(), "work")
	require.ErrorContains(t, err, "hostagent: Config")
	assert.Nil(t, s.Host.App("word/report"))
	res, err := session.Run(t.Context(), "work again")
	require.NoError(t, err)
	assert.Equal(t, "done", res.Answer)
	assert.Len(t, f.made, 1)
	assert.Equal(t, 2, calls)
}
