package main

import (
	"context"
	"fmt"
	"runtime"

	looplab "github.com/looplab/fsm"
	"github.com/qmuntal/stateless"
)

// machine makes n transitions whose actions do nothing, and returns how many it saw.
type machine struct {
	Name string
	Walk func(ctx context.Context, n int) (seen int, err error)
}

// The machines by name, as other files refer to them.
const (
	roundStep = "agentfsm, a step of a Round with its checks and bounds"
	bareStep  = "a loop by hand without checks"
)

// machines are the sides of the comparison of transitions, ours first.
func machines() []machine {
	return []machine{
		{roundStep, walkRound(nil)},
		{"… with an observer", walkRound(observed)},
		{"… with a log of JSON lines", walkRound(logged)},
		{"stateless", walkStateless},
		{"looplab/fsm", walkLooplab},
		{bareStep, walkBare},
	}
}

// walkTurn lets each machine make n transitions.
func walkTurn(ctx context.Context, n int, use func(name string, c cost)) error {
	for _, m := range machines() {
		runtime.GC()
		before := read()
		seen, err := m.Walk(ctx, n)
		if err == nil && seen != n {
			err = fmt.Errorf("%w: %d transitions of %d", errOther, seen, n)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		use(m.Name, before.per(n))
	}
	return nil
}

// events go to and fro between two states.
var events = [2]string{"there", "back"}

func walkStateless(ctx context.Context, n int) (int, error) {
	seen := 0
	count := func(context.Context, ...any) error { seen++; return nil }
	machine := stateless.NewStateMachine("continue")
	machine.Configure("continue").Permit(events[0], "rest").OnEntry(count)
	machine.Configure("rest").Permit(events[1], "continue").OnEntry(count)
	for i := range n {
		if err := machine.FireCtx(ctx, events[i%2]); err != nil {
			return seen, err
		}
	}
	return seen, nil
}

func walkLooplab(ctx context.Context, n int) (int, error) {
	seen := 0
	count := func(context.Context, *looplab.Event) { seen++ }
	machine := looplab.NewFSM("continue", looplab.Events{
		{Name: events[0], Src: []string{"continue"}, Dst: "rest"},
		{Name: events[1], Src: []string{"rest"}, Dst: "continue"},
	}, looplab.Callbacks{"enter_rest": count, "enter_continue": count})
	for i := range n {
		if err := machine.Event(ctx, events[i%2]); err != nil {
			return seen, err
		}
	}
	return seen, nil
}
