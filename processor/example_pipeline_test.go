package processor_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/processor"
)

// A turn lives as long as the step. What one phase finds, a later one uses.
type turn struct {
	unseen   string
	decision string
	notes    []string
}

func ExamplePipeline() {
	pipeline := processor.NewPipeline(
		processor.Strategy[*turn]{
			Phase: processor.DataCollection,
			Run:   func(context.Context, *turn) error { return errors.New("the screen is locked") },
			// Without a picture the step goes on, and the prompt can say so.
			Recover: func(_ context.Context, t *turn, err error) error {
				t.unseen = err.Error()
				return nil
			},
		},
		processor.Strategy[*turn]{
			Phase: processor.LLMInteraction,
			Run: func(_ context.Context, t *turn) error {
				t.decision = "type without looking, for " + t.unseen
				return nil
			},
		},
		processor.Strategy[*turn]{
			Phase: processor.ActionExecution,
			Run:   func(context.Context, *turn) error { return errors.New("no keyboard") },
		},
		processor.Strategy[*turn]{
			Phase: processor.MemoryUpdate, Always: true, // also of a step that failed
			Run: func(_ context.Context, t *turn) error {
				t.notes = append(t.notes, t.decision)
				return nil
			},
		},
	).Use(func(next processor.Func[*turn]) processor.Func[*turn] {
		return func(ctx context.Context, phase processor.Phase, t *turn) error {
			fmt.Println(phase)
			return next(ctx, phase, t)
		}
	})

	t := &turn{}
	err := pipeline.Process(context.Background(), t)
	fmt.Println(err)
	fmt.Println("noted:", t.notes)

	var failed *processor.PhaseError
	fmt.Println(errors.As(err, &failed), failed.Phase)
	// Output:
	// DATA_COLLECTION
	// LLM_INTERACTION
	// ACTION_EXECUTION
	// MEMORY_UPDATE
	// processor: ACTION_EXECUTION: no keyboard
	// noted: [type without looking, for the screen is locked]
	// true ACTION_EXECUTION
}
