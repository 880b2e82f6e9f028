package hostagent_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

func snapshotOf(t testing.TB, host *hostagent.Agent) string {
	t.Helper()
	raw, err := host.Snapshot()
	require.NoError(t, err)
	return string(raw)
}

func changesOf(t testing.TB, host *hostagent.Agent) string {
	t.Helper()
	raw, err := host.Changes()
	require.NoError(t, err)
	return string(raw)
}

// The stable form, so that a change to it is seen: a request, ASSIGN, a step of the
// application, its end, and the session's.
func TestChangesForm(t *testing.T) {
	b := newBench(t,
		m{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "x", "Message": "y", "Plan": []string{"z"}},
		m{"Status": "CONTINUE", "Thought": "page 3"}, m{"Status": "FINISH", "Result": "r"}, say(fsm.Finish))
	host := b.host()
	assert.Empty(t, changesOf(t, host), "a new host has no news")
	other := b.host()
	text := ""
	tell := func() {
		t.Helper()
		changes := changesOf(t, host)
		text += changes + "\n"
		require.NoError(t, other.Apply([]byte(changes)))
		require.Equal(t, snapshotOf(t, host), snapshotOf(t, other))
		assert.Empty(t, changesOf(t, host), "it is told once")
	}
	host.SetStatus(fsm.Continue)
	require.NoError(t, host.Begin(t.Context(), fsm.Task{Text: "do it"}))
	tell()
	var agent fsm.Agent = host
	for range 4 {
		agent = step(t.Context(), t, agent)
		tell()
	}
	handBack(t, host, agent)
	step(t.Context(), t, host)
	tell()
	require.NoError(t, host.Close(t.Context()))
	tell()
	golden(t, "changes.jsonl", text)
}

// Another process asks for the agent that had control, without ASSIGN. It goes on
// with its task, and the host takes its result.
func TestWorkerGoesOnElsewhere(t *testing.T) {
	b := newBench(t, assign("0", "x"), m{"Status": "CONTINUE", "Thought": "page 3"}, m{"Status": "FINISH", "Result": "r"}, say(fsm.Finish))
	host := b.begun()
	app := walkTo(t, host, 3)
	host = b.elsewhere(host)
	before := snapshotOf(t, host)
	worker, err := host.Worker(t.Context(), app.Name())
	require.NoError(t, err)
	assert.Equal(t, fsm.Continue, worker.Status())
	assert.Equal(t, before, snapshotOf(t, host))
	again, err := host.Worker(t.Context(), app.Name())
	require.NoError(t, err)
	assert.Same(t, worker, again)
	assert.Empty(t, changesOf(t, host), "that it is made again is no news")

	handBack(t, host, step(t.Context(), t, worker))
	host.Returned(worker)
	require.NoError(t, host.CloseSubtasks(fsm.Fail, "it is over"), "the host knows who came back, and how")
	assert.JSONEq(t, `"r"`, string(host.Subtasks()[0].Result))
	step(t.Context(), t, host)
	assert.Equal(t, fsm.Finish, host.Status())
}

func TestWorkerFails(t *testing.T) {
	ctx, cause := t.Context(), errors.New("no such program")
	b := newBench(t, assign("0", "x"))
	host := b.begun()
	walkTo(t, host, 2)
	_, err := host.Worker(ctx, "nobody")
	var app *hostagent.AppError
	require.ErrorAs(t, err, &app)
	assert.Equal(t, "nobody", app.Key)
	require.ErrorIs(t, err, hostagent.ErrUnknownApp)

	for name, tc := range map[string]struct {
		worker fsm.Worker
		err    error
		want   error
	}{
		"factory":      {nil, cause, cause},
		"nothing":      {nil, nil, hostagent.ErrNoApp},
		"another name": {&foreign{name: "f"}, nil, hostagent.ErrUnknownApp},
		"restore":      {&keeper{foreign: foreign{name: "AppAgent/word/report"}, err: cause}, nil, cause},
	} {
		t.Run(name, func(t *testing.T) {
			b.Config.NewApp = func(context.Context, hostagent.App) (fsm.Worker, error) { return tc.worker, tc.err }
			_, err := b.elsewhere(host).Worker(ctx, "AppAgent/word/report")
			require.ErrorIs(t, err, tc.want)
			assert.ErrorAs(t, err, &app)
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	for name, changes := range map[string]string{
		"no JSON":         "nothing",
		"list":            "[]",
		"more":            `{"version":1} {}`,
		"no version":      `{}`,
		"newer version":   `{"version":2}`,
		"type":            `{"version":1,"set":{"request":7}}`,
		"open":            `{"version":1,"unset":["chosen"],"set":{"open":"subtask_1"}}`,
		"plan":            `{"version":1,"set":{"plan":[{"id":"a","task":"t","depends_on":["a"],"status":"planned"}]}}`,
		"memory":          `{"version":1,"memory":{"from":7,"add":[{}]}}`,
		"launched":        `{"version":1,"launched":{"from":1}}`,
		"other window":    `{"version":1,"apps":{"word/report":{"info":{"name":"f","window":{"root":"excel"}}}}}`,
		"no snapshot":     `{"version":1,"apps":{"a/b":{"changes":{"version":1}}}}`,
		"broken snapshot": `{"version":1,"apps":{"a/b":{"snapshot":7,"changes":{"version":1},"app_agent":true}}}`,
		"broken changes":  `{"version":1,"apps":{"word/report":{"changes":{"version":2},"app_agent":true}}}`,
		"other kind":      `{"version":1,"apps":{"word/report":{"changes":[1]}}}`,
		"good, then bad":  `{"version":1,"apps":{"word/report":{"changes":{"version":1,"set":{"steps":9}},"app_agent":true},"z/":{"changes":{}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, assign("0", "x"), say(fsm.Continue))
			first := b.begun()
			walkTo(t, first, 2)
			changesOf(t, first)
			host := b.elsewhere(first)
			walkTo(t, first.App("word/report"), 1)
			require.NoError(t, host.Apply([]byte(changesOf(t, first))))
			before := snapshotOf(t, host)
			require.ErrorIs(t, host.Apply([]byte(changes)), hostagent.ErrChanges)
			assert.Equal(t, before, snapshotOf(t, host))
			assert.Empty(t, changesOf(t, host))
		})
	}
}

// What the agents that are there know is not lost to Apply; they are made anew.
func TestApplyWithAgentsThere(t *testing.T) {
	b := newBench(t, assign("0", "x"), m{"Status": "CONTINUE", "Thought": "page 3"})
	host := b.begun()
	walkTo(t, host, 3)
	require.NoError(t, host.Apply(nil))
	require.NotNil(t, host.App("word/report"))
	before := snapshotOf(t, host)
	require.NoError(t, host.Apply([]byte(`{"version":1,"later":1}`)))
	assert.Nil(t, host.App("word/report"))
	assert.Equal(t, before, snapshotOf(t, host))
}

// An agent that was followed, then made, is followed anew from where it is by then.
func TestApplyBehindAnAgentThatWasFollowed(t *testing.T) {
	b := newBench(t, assign("0", "x"), m{"Status": "CONTINUE", "Thought": "1"}, m{"Status": "CONTINUE", "Thought": "2"})
	first := b.begun()
	app := walkTo(t, first, 2)
	changesOf(t, first)
	host := b.elsewhere(first)
	walkTo(t, app, 1)
	require.NoError(t, host.Apply([]byte(changesOf(t, first))))
	worker, err := host.Worker(t.Context(), app.Name())
	require.NoError(t, err)
	step(t.Context(), t, worker)
	before := snapshotOf(t, host)
	require.NoError(t, host.Apply([]byte(`{"version":1,"later":1}`)))
	assert.Equal(t, before, snapshotOf(t, host))
}

// The agent is made again for its window as it was last assigned.
func TestWorkerHasTheLastWindow(t *testing.T) {
	b := newBench(t, assign("0", "x"), say(fsm.Finish), assign("0", "y"))
	host := b.begun()
	app := walkTo(t, host, 3)
	handBack(t, host, app)
	b.Word.SetTitle("other.docx - Word")
	walkTo(t, host, 2)
	worker, err := b.elsewhere(host).Worker(t.Context(), app.Name())
	require.NoError(t, err)
	assert.Equal(t, "other.docx - Word", worker.(*appagent.Agent).Window().Title)
}
