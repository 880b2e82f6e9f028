package main

import (
	"context"

	looplab "github.com/looplab/fsm"
)

// walkLooplab goes to and fro between two states.
func walkLooplab(ctx context.Context, n int) (int, error) {
	seen := 0
	count := func(context.Context, *looplab.Event) { seen++ }
	machine := looplab.NewFSM("continue", looplab.Events{
		{Name: "there", Src: []string{"continue"}, Dst: "rest"},
		{Name: "back", Src: []string{"rest"}, Dst: "continue"},
	}, looplab.Callbacks{"enter_rest": count, "enter_continue": count})
	for i := range n {
		if err := machine.Event(ctx, choose(i%2 == 0, "there", "back")); err != nil {
			return seen, err
		}
	}
	return seen, nil
}
