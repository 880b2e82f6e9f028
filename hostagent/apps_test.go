package hostagent_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/policies"
)

// foreign is an agent of another kind: it says what it was given and ends.
type foreign struct {
	fsm.Position
	name   string
	task   fsm.Task
	end    fsm.Status // where it ends; "": FINISH
	begin  error
	closed error
}

var foreignStates = fsm.Table("Foreign",
	[]fsm.Row[*foreign]{
		{Status: fsm.Continue, Handle: func(f *foreign, _ context.Context) error {
			to := f.end
			if to == "" {
				to = fsm.Finish
			}
			f.Decide(to, fsm.BySystem, "as told")
			return nil
		}},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
)

func (f *foreign) Name() string                { return f.name }
func (f *foreign) States() fsm.Set             { return foreignStates }
func (f *foreign) Answer() string              { return f.task.Text + ", done" }
func (f *foreign) Close(context.Context) error { return f.closed }
func (f *foreign) Begin(_ context.Context, t fsm.Task) error {
	f.task = t
	return f.begin
}

func TestNewAppGetsWhatTheHostHas(t *testing.T) {
	temperature := 0.5
	b := newBench(t, assign("0", "x"), say(fsm.Finish))
	b.Config.User, b.Config.Board = answering("", true), blackboard.New(0)
	b.Config.Apps = []hostagent.Program{{Name: "WORD", Docs: "how to", Examples: "like this"}}
	b.Config.Config.Prompt, b.Config.NoImages = "be brief", true
	b.Config.MaxTokens, b.Config.Temperature = 100, &temperature
	b.Config.MaxReasks, b.Config.MaxMemory, b.Config.AskTimeout, b.Config.MaxActions = 7, -1, 9, 10
	b.Config.NewID = func() string { return "an id" }
	var got appagent.Config
	worker := &foreign{name: "shell"}
	b.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		got = app
		return worker, nil
	}
	host, s := b.session()
	res, err := s.Run(t.Context(), "do it")
	require.NoError(t, err)

	assert.Equal(t, "an id", got.NewID())
	verdict := got.Policy(t.Context(), desktop.Tool{}, commands.Launch("calc"))
	assert.Equal(t, policies.Confirm, verdict.Action, "the host's default policy")
	got.NewID, got.Policy = nil, nil
	assert.NotNil(t, got.User)
	got.User = nil
	assert.Equal(t, appagent.Config{ // none remembered stays none: 0 would be the default
		Name: "AppAgent/word/report", Window: got.Window,
		Model: b.Model, Desktop: b.Desktop, Board: b.Config.Board, Docs: "how to", Examples: "like this",
		Prompt: "be brief", States: appagent.States(), NoImages: true, MaxTokens: 100, Temperature: &temperature,
		MaxReasks: 7, MaxMemory: -1, AskTimeout: 9, MaxActions: 10,
	}, got)
	assert.Equal(t, "report.docx - Word", got.Window.Title)

	assert.Equal(t, fsm.Task{ID: "subtask_1", Text: "x", From: host}, worker.task)
	assert.Same(t, worker, host.App("word/report"))
	assert.JSONEq(t, `"x, done"`, string(res.Subtasks[0].Result), "an answer without Data is a JSON string")
	assert.Equal(t, "as told", res.Subtasks[0].Reason)
}

func TestNewAppFails(t *testing.T) {
	cause := errors.New("no licence")
	var none *foreign
	for name, tc := range map[string]struct {
		worker fsm.Worker
		err    error
		text   string
	}{
		"error":     {nil, cause, cause.Error()},
		"nil":       {nil, nil, "hostagent: Config.NewApp returned no agent"},
		"typed nil": {none, nil, "hostagent: Config.NewApp returned no agent"},
		"begin":     {&foreign{name: "shell", begin: cause}, nil, cause.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, assign("0", "x"))
			b.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return tc.worker, tc.err }
			res, err := b.run()
			assert.Equal(t, fsm.Error, res.Status)
			require.ErrorContains(t, err, tc.text)
			if tc.worker == nil && tc.err != nil {
				require.ErrorIs(t, err, cause)
			}
			assert.ErrorContains(t, err, "hostagent: the agent of word/report: ")
		})
	}
}

// Handled by hand, without having decided: ASSIGN has nothing to hand over.
func TestAssignWithoutAChoice(t *testing.T) {
	host := newBench(t).host()
	host.SetStatus(hostagent.Assign)
	state := host.States().Bind(hostagent.Assign)
	require.ErrorContains(t, state.Handle(t.Context(), host), "ASSIGN without a chosen application")
	_, _, next, err := state.Next(host)
	require.NoError(t, err)
	assert.Same(t, host, next)
	assert.False(t, state.Permits(fsm.Continue, "", 0), "the table refuses to stay")
}
