package durable_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// Editor is a kind of docs/guides/state-set.md: it has somebody else do its task.
type Editor struct {
	fsm.Position
	name string
	task string
	next resumable // who does it: a Writer, or another Editor
}

// resumable is an agent with which another process can go on.
type resumable interface {
	fsm.Worker
	fsm.Saver
}

var editors = fsm.Table("Editor",
	[]fsm.Row[*Editor]{
		{Status: fsm.Continue, Handle: (*Editor).decide, NextAgent: (*Editor).hand},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

func (e *Editor) Name() string    { return e.name }
func (e *Editor) States() fsm.Set { return editors }
func (e *Editor) Answer() string  { return e.next.Answer() }

func (e *Editor) Begin(_ context.Context, task fsm.Task) error {
	e.task = task.Text
	return nil
}

// decide hands the task over, and ends when its answer is there.
func (e *Editor) decide(ctx context.Context) error {
	if e.next.Answer() != "" {
		e.Decide(fsm.Finish, fsm.BySystem, "it is there")
		return nil
	}
	e.Decide(fsm.Continue, fsm.BySystem, "a task")
	return e.next.Begin(ctx, fsm.Task{Text: e.task, From: e})
}

func (e *Editor) hand() fsm.Agent {
	if e.Decision().To == fsm.Continue {
		return e.next
	}
	return e
}

// Save returns what an Editor knows, with what the agent knows to which it hands over.
func (e *Editor) Save() (fsm.Saved, error) {
	saved, err := fsm.SaveState(e.task)
	if err != nil {
		return saved, err
	}
	next, err := e.next.Save()
	saved.Workers = map[string]fsm.Saved{e.next.Name(): next}
	return saved, err
}

// Load makes a new Editor know the one, and a new agent the other.
func (e *Editor) Load(saved fsm.Saved) error {
	if err := saved.LoadState(&e.task); err != nil {
		return err
	}
	return e.next.Load(saved.Workers[e.next.Name()])
}

// Worker returns the agent of that name, wherever it is below.
func (e *Editor) Worker(ctx context.Context, name string) (fsm.Worker, error) {
	if e.next.Name() == name {
		return e.next, nil
	}
	if deputy, ok := e.next.(*Editor); ok {
		return deputy.Worker(ctx, name)
	}
	return nil, errors.New("nobody is called " + name)
}

// The process dies before and after each record. What the third agent knows is among what the second
// one saves, and is there in the next process.
func TestEditorsSurvive(t *testing.T) {
	run := func(at int, after bool) (died bool) {
		var calls int
		st := &mortal{Store: store.Memory()}
		serve := func() (round.Result, error) {
			chief := &Editor{name: "chief", next: &Editor{name: "deputy", next: &Writer{model: scribble(t, &calls)}}}
			s, err := durable.Open(t.Context(), chief, st, "run", nil)
			require.NoError(t, err)
			return s.Continue(t.Context(), "a headline for today")
		}
		st.start(at, after)
		res, err := serve()
		if died = st.dead(); died {
			require.ErrorIs(t, err, round.ErrLost)
			st.start(0, false)
			res, err = serve()
			assert.LessOrEqual(t, calls, 3, "the Writer's remark was not forgotten")
		}
		require.NoError(t, err)
		assert.Equal(t, "A quiet day", res.Answer)
		return died
	}
	assert.GreaterOrEqual(t, atEachRecord(t, run), 10)
}

// forgetfulEditor does not save the agent to which it hands over.
type forgetfulEditor struct{ *Editor }

var forgetfulEditors = fsm.Table("Forgetful",
	[]fsm.Row[*forgetfulEditor]{
		{
			Status: fsm.Continue, Handle: func(f *forgetfulEditor, ctx context.Context) error { return f.decide(ctx) },
			NextAgent: func(f *forgetfulEditor) fsm.Agent { return f.next },
		},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
)

func (f *forgetfulEditor) States() fsm.Set            { return forgetfulEditors }
func (f *forgetfulEditor) Save() (fsm.Saved, error)   { return fsm.SaveState(f.task) }
func (f *forgetfulEditor) Load(saved fsm.Saved) error { return saved.LoadState(&f.task) }

// What an agent knows to which another one hands over cannot be lost in silence: the run is, before
// that one has done anything.
func TestAnAgentThatNobodySaves(t *testing.T) {
	for name, chief := range map[string]func(*Writer) fsm.Worker{
		"of the first agent": func(w *Writer) fsm.Worker { return &forgetfulEditor{&Editor{name: "chief", next: w}} },
		"of the second": func(w *Writer) fsm.Worker {
			return &Editor{name: "chief", next: &forgetfulEditor{&Editor{name: "deputy", next: w}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			s, err := durable.Open(t.Context(), chief(&Writer{model: scribble(t, &calls)}), store.Memory(), "run", nil)
			require.NoError(t, err)
			_, err = s.Continue(t.Context(), "a headline for today")
			require.ErrorIs(t, err, round.ErrLost)
			require.ErrorIs(t, err, round.ErrNotResumable)
			require.ErrorContains(t, err, `it handed over to "writer", which is not among the Workers of what it saves`)
			assert.Zero(t, calls)
		})
	}
}
