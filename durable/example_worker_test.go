package durable_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	for at, died := 1, true; died; at++ {
		for _, after := range []bool{false, true} {
			var calls int
			st := &mortal{Store: store.Memory()}
			serve := func() (round.Result, error) {
				chief := &Editor{name: "chief", next: &Editor{name: "deputy", next: &Writer{model: scribble(t, &calls)}}}
				return open(t, chief, st).Continue(t.Context(), "a headline for today")
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
		}
		require.True(t, died || at > 5)
	}
}
