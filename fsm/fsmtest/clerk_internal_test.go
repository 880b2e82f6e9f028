package fsmtest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/fsm"
)

// clerk is an agent that can be broken in every way that a check looks for.
type clerk struct {
	fsm.Position
	set       fsm.Set
	nextState func(*clerk) fsm.Status // of CONTINUE
	nextAgent func(*clerk) fsm.Agent
	calls     atomic.Int32 // of what is broken; atomic, so that no race hides what is looked for
}

func (c *clerk) Name() string    { return "clerk" }
func (c *clerk) States() fsm.Set { return c.set }
func (c *clerk) base() *clerk    { return c }

// member is a clerk or a type that embeds one: the states take both, so that
// each of those types is broken in one way only.
type member interface {
	fsm.Agent
	base() *clerk
}

// table returns a sound kind, with hand-overs, an end that goes on and a person,
// and adds the edges to it.
func table(edges ...fsm.Edge) *fsm.Manager[member] {
	m := fsm.NewManager[member]("Clerk", append([]fsm.Edge{
		{To: fsm.Continue, By: fsm.BySystem},
		{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
		{From: fsm.Continue, To: fsm.Pending, By: fsm.ByModel | fsm.BySystem},
		{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
		{From: fsm.Continue, To: fsm.Screenshot, Kind: "Camera", By: fsm.BySystem},
		{From: fsm.Pending, To: fsm.Continue, By: fsm.ByUser},
		{From: fsm.Pending, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.ByTimeout},
		{From: fsm.Error, To: fsm.Finish, By: fsm.BySystem},
	}, edges...)...)
	put(m, fsm.Continue, fsm.Pending)
	for _, s := range []fsm.Status{fsm.Finish, fsm.Error} {
		must(m.AddState(s, state{name: s, end: true}))
	}
	return m
}

func put(m *fsm.Manager[member], list ...fsm.Status) {
	for _, s := range list {
		must(m.AddState(s, state{name: s}))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// state is every state of the kind. The one named CONTINUE has the Next methods
// that the clerk brings along.
type state struct {
	name fsm.Status
	end  bool
}

func (s state) Name() fsm.Status { return s.name }

func (s state) Handle(context.Context, member) error {
	panic("Handle is not for the checks to call")
}

func (s state) NextState(a member) fsm.Status {
	if c := a.base(); s.name == fsm.Continue && c.nextState != nil {
		return c.nextState(c)
	}
	return a.Decision().To
}

func (s state) NextAgent(a member) fsm.Agent {
	if c := a.base(); s.name == fsm.Continue && c.nextAgent != nil {
		return c.nextAgent(c)
	}
	return a
}

func (s state) IsRoundEnd() bool   { return s.end }
func (s state) IsSubtaskEnd() bool { return false }

// inspect makes every check and returns the problems by the name of the check.
func inspect(set fsm.Set, newAgent func() fsm.Agent) map[string][]string {
	found := map[string][]string{}
	run(set, newAgent, func(c check, problems []string) {
		if len(problems) > 0 {
			found[c.name] = problems
		}
	})
	return found
}

// expect asserts that exactly the named checks fail, each with the text.
func expect(t *testing.T, found map[string][]string, want map[string]string) {
	t.Helper()
	for name, problems := range found {
		if assert.Contains(t, want, name, "%s: %q", name, problems) {
			assert.Contains(t, fmt.Sprint(problems), want[name])
		}
	}
	for name := range want {
		assert.Contains(t, found, name)
	}
}

// with returns a maker of clerks whose state CONTINUE has these Next methods.
func with(set fsm.Set, nextState func(*clerk) fsm.Status, nextAgent func(*clerk) fsm.Agent) func() fsm.Agent {
	return func() fsm.Agent { return &clerk{set: set, nextState: nextState, nextAgent: nextAgent} }
}
