package durable_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// clerk is an agent of a kind of its own that does in each step what a func says, and
// goes where that says. It saves one object, and the agents that it has made.
type clerk struct {
	fsm.Position
	name   string
	path   string  // names of who made it, and its own
	set    fsm.Set // nil: clerkStates
	do     errand
	answer func() string
	begun  func(fsm.Task)
	given  int // what was saved
	board  *blackboard.Board
	save   func() (fsm.Saved, error) // nil: as a clerk does
	load   func(fsm.Saved) error
	next   fsm.Agent // to whom it hands over
	kids   map[string]*clerk

	N     int      // what it remembers
	Notes []string // likewise
}

type errand func(ctx context.Context, c *clerk) (fsm.Status, error)

func newClerk(do errand) *clerk { return &clerk{name: "clerk", do: do, board: blackboard.New(0)} }

// What a clerk decides beside the statuses of fsm: to hand over, until that one is done or for good.
const (
	pass  fsm.Status = "PASS"
	yield fsm.Status = "YIELD"
)

var (
	nothing   = func(*clerk, context.Context) error { return nil }
	nextOf    = func(c *clerk) fsm.Agent { return c.next }
	clerkRows = []fsm.Row[*clerk]{
		{Status: fsm.Continue, Handle: func(c *clerk, ctx context.Context) error {
			to, err := c.do(ctx, c)
			if err == nil {
				c.Decide(to, fsm.ByModel, "")
			}
			return err
		}},
		{Status: pass, Handle: nothing, NextState: fsm.To[*clerk](fsm.Continue), NextAgent: nextOf},
		{Status: yield, SubtaskEnd: true, Handle: nothing, NextState: fsm.To[*clerk](fsm.Continue), NextAgent: nextOf},
		{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Fail, RoundEnd: true, SubtaskEnd: true, NextState: fsm.To[*clerk](fsm.Finish), Handle: func(c *clerk, _ context.Context) error {
			c.Notes = append(c.Notes, "cleaned up") // when the session is closed
			return nil
		}},
		{Status: fsm.Error, RoundEnd: true},
	}
	clerkEdges = []fsm.Edge{
		{To: fsm.Continue, By: fsm.BySystem},
		{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
		{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
		{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel},
		{From: fsm.Fail, To: fsm.Finish, By: fsm.BySystem},
		{From: fsm.Continue, To: pass, By: fsm.ByModel},
		{From: fsm.Continue, To: yield, By: fsm.ByModel},
		{From: pass, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
		{From: yield, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
	}
	clerkStates = fsm.Table("Clerk", clerkRows, clerkEdges...)
)

func (c *clerk) Name() string             { return c.name }
func (c *clerk) Board() *blackboard.Board { return c.board }
func (c *clerk) States() fsm.Set {
	if c.set != nil {
		return c.set
	}
	return clerkStates
}
func (c *clerk) Begin(_ context.Context, task fsm.Task) error {
	if c.begun != nil {
		c.begun(task)
	}
	return nil
}
func (c *clerk) Answer() string {
	if c.answer != nil {
		return c.answer()
	}
	return "done"
}

type memory struct {
	N     int
	Notes []string
	Next  string `json:",omitempty"`
}

func (c *clerk) Save() (fsm.Saved, error) {
	if c.save != nil {
		return c.save()
	}
	m := memory{N: c.N, Notes: c.Notes}
	if c.next != nil {
		m.Next = c.next.Name()
	}
	s, err := fsm.SaveState(m)
	for name, k := range c.kids {
		if s.Workers == nil {
			s.Workers = map[string]fsm.Saved{}
		}
		if s.Workers[name], err = k.Save(); err != nil {
			return s, err
		}
	}
	return s, err
}

func (c *clerk) Load(saved fsm.Saved) error {
	c.given++
	if c.load != nil {
		return c.load(saved)
	}
	var m memory
	if err := saved.LoadState(&m); err != nil {
		return err
	}
	c.N, c.Notes = m.N, m.Notes
	for name, k := range saved.Workers {
		if err := c.kid(name).Load(k); err != nil {
			return err
		}
	}
	if m.Next != "" && c.kids[m.Next] != nil {
		c.next = c.kids[m.Next]
	}
	return nil
}

// kid makes a worker that works as its maker's func says.
func (c *clerk) kid(name string) *clerk {
	if k := c.kids[name]; k != nil {
		return k
	}
	if c.kids == nil {
		c.kids = map[string]*clerk{}
	}
	c.kids[name] = &clerk{name: name, path: c.path + "/" + name, do: c.do}
	return c.kids[name]
}

func (c *clerk) Worker(_ context.Context, name string) (fsm.Worker, error) {
	if k := c.kids[name]; k != nil {
		return k, nil
	}
	return nil, errors.New(c.name + " knows no " + name)
}

// tally is what outlives the processes of clerks: a model, a desktop on which everything
// succeeds, and a store. It counts.
type tally struct {
	t     *testing.T
	store *mortal
	tools []desktop.Tool

	mu    sync.Mutex
	calls int
	done  map[string]int // by tool
}

func newTally(t *testing.T) *tally {
	return &tally{t: t, store: &mortal{Store: store.Memory()}, done: map[string]int{}}
}

func (y *tally) Complete(context.Context, *llm.Request) (*llm.Response, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.calls++
	return &llm.Response{Text: "yes", Model: "m", Usage: llm.Usage{InputTokens: 10}}, nil
}

func (y *tally) Tools(context.Context) ([]desktop.Tool, error) { return y.tools, nil }

func (y *tally) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.done[cmd.ToolName]++
	return desktop.Result{Status: desktop.Success}, nil
}

// act executes a command, ask calls the model, for a clerk.
func (y *tally) act(ctx context.Context, tool string) (desktop.Result, error) {
	return desktop.Execute(ctx, y, desktop.Command{ToolName: tool})
}

func (y *tally) ask(ctx context.Context) error {
	_, err := llm.Complete(ctx, y, &llm.Request{})
	return err
}

// begin is the first process of the run.
func (y *tally) begin(do errand) *round.Session {
	y.t.Helper()
	return y.beginWith(newClerk(do))
}

func (y *tally) beginWith(a fsm.Worker) *round.Session {
	y.t.Helper()
	s, err := durable.Open(y.t.Context(), a, y.store, "run", nil)
	require.NoError(y.t, err)
	return s
}

// resume is another process.
func (y *tally) resume(do errand) *round.Session {
	y.t.Helper()
	return y.resumeWith(newClerk(do))
}

func (y *tally) resumeWith(a fsm.Worker) *round.Session {
	y.t.Helper()
	y.store.start(0, false)
	s, err := durable.Open(y.t.Context(), a, y.store, "run", &durable.Options{Existing: true})
	require.NoError(y.t, err)
	return s
}

// dies is the first process, which dies after that Append.
func (y *tally) dies(at int, do errand) {
	y.t.Helper()
	y.store.start(at, true)
	_, err := y.begin(do).Run(y.t.Context(), "go")
	require.ErrorIs(y.t, err, round.ErrLost)
	require.True(y.t, y.store.dead())
	y.store.start(0, false)
}

// replay does the run once more, and nothing else.
func (y *tally) replay(do errand) (round.Result, error) {
	y.t.Helper()
	y.mu.Lock()
	calls, done := y.calls, len(y.done)
	y.mu.Unlock()
	res, err := durable.Replay(y.t.Context(), newClerk(do), y.store, "run", nil)
	require.Equal(y.t, calls, y.calls, "a replay calls no model")
	require.Len(y.t, y.done, done, "a replay does nothing")
	return res, err
}

// kinds are those of the records.
func (y *tally) kinds() []string {
	y.t.Helper()
	kinds, _ := (&world{t: y.t, store: y.store}).records()
	return kinds
}
