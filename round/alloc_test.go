package round_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/round"
)

// A step costs no memory, with every default safety on: a long round allocates
// what a short one does.
func TestStepsAllocateNothing(t *testing.T) {
	tests := []struct {
		name        string
		cancellable bool
		opts        round.Options
	}{
		{"defaults", false, round.Options{}},
		{"a context that can be cancelled", true, round.Options{}},
		{"every bound", false, round.Options{
			MaxSteps: 10, MaxRepeats: 10, MaxTokens: 10, MaxCost: 10, MaxDuration: time.Hour,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx := context.Background() // which is never done
			if test.cancellable {
				ctx = t.Context()
			}
			allocations := func(handOvers, work, want int) float64 {
				host := newPacers(handOvers, work)
				opts := test.opts
				opts.MaxTransitions = want
				return testing.AllocsPerRun(sample.Of(10, 3), func() {
					r, err := round.New(host, "pace", &opts)
					require.NoError(t, err)
					res, err := r.Run(ctx)
					require.NoError(t, err)
					if res.Transitions != want {
						t.Fatal(res.Transitions)
					}
				})
			}
			short := allocations(1, 1, 6)
			assert.Equal(t, short, allocations(1, 5000, 5005), "a self-loop")
			assert.Equal(t, short, allocations(1000, 1, 5001), "hand-overs")
		})
	}
}
