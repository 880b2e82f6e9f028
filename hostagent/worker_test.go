package hostagent_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/savetest"
)

// Another process asks for the agent that had control, without ASSIGN. It goes on
// with its task, and the host takes its result.
func TestWorkerGoesOnElsewhere(t *testing.T) {
	b := newBench(t, assign("0", "x"), m{"Status": "CONTINUE", "Thought": "page 3"}, m{"Status": "FINISH", "Result": "r"}, say(fsm.Finish))
	host := b.begun()
	app := walkTo(t, host, 3)
	host = b.elsewhere(host)
	before := savetest.JSON(t, host)
	worker, err := host.Worker(t.Context(), app.Name())
	require.NoError(t, err)
	assert.Equal(t, fsm.Continue, worker.Status())
	assert.Equal(t, before, savetest.JSON(t, host))
	again, err := host.Worker(t.Context(), app.Name())
	require.NoError(t, err)
	assert.Same(t, worker, again)

	handBack(t, host, step(t.Context(), t, worker))
	host.Returned(worker)
	require.NoError(t, host.CloseSubtasks(fsm.Fail, "it is over"), "the host knows who came back, and how")
	assert.JSONEq(t, `"r"`, string(host.Subtasks()[0].Result))
	step(t.Context(), t, host)
	assert.Equal(t, fsm.Finish, host.Status())
}

// A factory that fails, or makes something else, loses nothing: the right one still can.
func TestWorkerFails(t *testing.T) {
	ctx, cause := t.Context(), errors.New("no such program")
	b := newBench(t, assign("0", "x"))
	first := b.begun()
	name := walkTo(t, first, 2).Name()
	_, err := first.Worker(ctx, "nobody")
	require.EqualError(t, err, "hostagent: the agent of nobody: no application has an agent of that name")

	made := func(worker fsm.Worker, err error) func(appagent.Config) (fsm.Worker, error) {
		return func(appagent.Config) (fsm.Worker, error) { return worker, err }
	}
	var makes func(app appagent.Config) (fsm.Worker, error)
	b.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) { return makes(app) }
	host := b.elsewhere(first)
	raw := savetest.JSON(t, host)
	for what, c := range map[string]struct {
		makes func(app appagent.Config) (fsm.Worker, error)
		want  string
	}{
		"factory":      {made(nil, cause), "no such program"},
		"nothing":      {made(nil, nil), "NewApp returned no agent"},
		"another name": {made(&foreign{name: "f"}, nil), "no application has an agent of that name"},
		"load":         {made(&keeper{foreign: foreign{name: name}, err: cause}, nil), "no such program"},
		"no Load": {func(app appagent.Config) (fsm.Worker, error) {
			agent, err := appagent.New(app)
			return &saveless{agent}, err
		}, "it has no method Load for what it knew"},
	} {
		makes = c.makes
		_, err := host.Worker(ctx, name)
		require.ErrorContains(t, err, "hostagent: the agent of ", what)
		require.ErrorContains(t, err, c.want, what)
		assert.Equal(t, raw, savetest.JSON(t, host), what)
	}
	makes = func(app appagent.Config) (fsm.Worker, error) { return appagent.New(app) }
	worker, err := host.Worker(ctx, name)
	require.NoError(t, err)
	assert.Equal(t, name, worker.Name())
	assert.Equal(t, raw, savetest.JSON(t, host))
}

// saveless is an agent that cannot load what it knew.
type saveless struct{ fsm.Worker }

// The agent is made again for its window as it was last assigned.
func TestWorkerHasTheLastWindow(t *testing.T) {
	b := newBench(t, assign("0", "x"), say(fsm.Finish), assign("0", "y"))
	host := b.begun()
	app := walkTo(t, host, 3)
	handBack(t, host, app)
	b.Word.ChangeWindow(func(now *desktop.Window) { now.Title = "other.docx - Word" })
	walkTo(t, host, 2)
	var made desktop.Window
	b.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		made = app.Window
		return appagent.New(app)
	}
	_, err := b.elsewhere(host).Worker(t.Context(), app.Name())
	require.NoError(t, err)
	assert.Equal(t, "other.docx - Word", made.Title)
}

// Nobody is made for a name that no agent of the session has.
func TestWorkerOfUnknownNames(t *testing.T) {
	b := newBench(t, assign("0", "x"))
	first := b.begun()
	walkTo(t, first, 2)
	b.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { panic("made") }
	for _, host := range []*hostagent.Agent{b.host(), b.elsewhere(first), first} {
		before := savetest.JSON(t, host)
		for _, name := range []string{"", "HostAgent", "word/report", "appagent/word/report", "AppAgent/word/report ", "AppAgent/excel/book"} {
			_, err := host.Worker(t.Context(), name)
			require.ErrorContains(t, err, "no application has an agent of that name", name)
		}
		assert.Equal(t, before, savetest.JSON(t, host))
	}
}

// An agent from before Load is not given out after it.
func TestWorkerAfterLoad(t *testing.T) {
	b := newBench(t, assign("0", "x"), m{"Status": "CONTINUE", "Thought": "on"})
	host := b.begun()
	app := walkTo(t, host, 2)
	raw := savetest.JSON(t, host)
	walkTo(t, app, 1)
	savetest.Load(t, host, raw)
	worker, err := host.Worker(t.Context(), app.Name())
	require.NoError(t, err)
	assert.NotSame(t, app, worker)
	assert.Equal(t, raw, savetest.JSON(t, host), "what it did since is not known")
	same, err := host.Worker(t.Context(), app.Name())
	require.NoError(t, err)
	assert.Same(t, worker, same)
}

// Drop forgets the agent of an application that works on nothing.
func TestDrop(t *testing.T) {
	b := newBench(t, assign("0", "x"), m{"Status": "FINISH", "Result": "r"}, say(fsm.Finish))
	host := b.begun()
	app := walkTo(t, host, 2)
	require.EqualError(t, host.Drop(t.Context(), "word/report"), "hostagent: the agent of word/report: it has a sub-task")
	require.EqualError(t, host.Drop(t.Context(), "word"), `hostagent: the agent of word: no application has an agent of that key: there are ["word/report"]`)

	handBack(t, host, step(t.Context(), t, app))
	step(t.Context(), t, host)
	before := savetest.JSON(t, host)
	require.NoError(t, host.Drop(t.Context(), "word/report"))
	require.EqualError(t, host.Drop(t.Context(), "word/report"), "hostagent: the agent of word/report: no application has an agent", "it is gone")
	_, err := host.Worker(t.Context(), app.Name())
	require.Error(t, err)

	host = b.elsewhere(host)
	assert.NotContains(t, savetest.JSON(t, host), app.Name(), "it is not made elsewhere, either")
	assert.Contains(t, before, app.Name())
}
