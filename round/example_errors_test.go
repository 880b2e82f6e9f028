package round_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/round"
)

// What Run returns tells how a round ended, or why it stopped.
func ExampleError() {
	r, err := round.New(porter("CONTINUE", "CONTINUE", "FINISH"), "books plates glasses", &round.Options{MaxSteps: 2})
	if err != nil {
		panic(err)
	}
	for range 2 {
		_, err := r.Run(context.Background())

		// region kinds
		var budget *round.BudgetError
		switch {
		case err == nil:
			fmt.Println("success: FINISH, or an end that its table calls one")
		case errors.As(err, &budget):
			fmt.Println("a bound was reached; with a higher one Run goes on:", budget.Bound)
			r.Adjust(func(o *round.Options) { o.MaxSteps *= 2 })
		case errors.Is(err, round.ErrSuspended), errors.Is(err, round.ErrCancelled):
			fmt.Println("Run goes on")
		case errors.Is(err, round.ErrFailed):
			fmt.Println("FAIL, a decision; the reason is in the Result")
		case errors.Is(err, round.ErrFault):
			fmt.Println("ERROR, something broke; the cause is behind err")
		default:
			fmt.Println("it did not run: round.ErrBusy, round.ErrClosed, round.ErrAgent")
		}
		// endregion
	}

	// Output:
	// a bound was reached; with a higher one Run goes on: MaxSteps
	// success: FINISH, or an end that its table calls one
}
