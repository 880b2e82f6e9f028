package main

import (
	"context"

	"github.com/qmuntal/stateless"
)

// walkStateless goes to and fro between two states.
func walkStateless(ctx context.Context, n int) (int, error) {
	seen := 0
	count := func(context.Context, ...any) error { seen++; return nil }
	machine := stateless.NewStateMachine("continue")
	machine.Configure("continue").Permit("there", "rest").OnEntry(count)
	machine.Configure("rest").Permit("back", "continue").OnEntry(count)
	for i := range n {
		if err := machine.FireCtx(ctx, choose(i%2 == 0, "there", "back")); err != nil {
			return seen, err
		}
	}
	return seen, nil
}
