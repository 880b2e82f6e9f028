package main

import (
	"context"
	"fmt"
	"runtime"
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
		{"… with a bound on time", walkRound(timed)},
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
