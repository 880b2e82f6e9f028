package round_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/errand"
	"github.com/agentfsm/agentfsm/round"
)

// A step that ends its goroutine is a fault, in the first step or later, watched or not.
func TestStepEndsItsGoroutine(t *testing.T) {
	for name, last := range map[string]int{"the first step": 0, "a later step": 2} {
		for _, watched := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				agent := &errand.Agent{Called: "clerk", Step: func(_ context.Context, a *errand.Agent) (bool, error) {
					if a.N == last {
						runtime.Goexit()
					}
					return false, nil
				}}
				r, err := round.New(agent, "go", nil)
				require.NoError(t, err)
				steps, gone := 0, make(chan struct{})
				go func() {
					defer close(gone)
					if !watched {
						_, _ = r.Run(t.Context())
						t.Error("it came back")
						return
					}
					for range r.Steps(t.Context()) {
						steps++
					}
					t.Error("it came back")
				}()
				<-gone
				if watched {
					assert.Equal(t, last, steps)
				}
				res, err := r.Run(t.Context())
				require.ErrorContains(t, err, "Goexit")
				assert.Equal(t, round.Faulted, res.Outcome)
				assert.Contains(t, res.Reason, "Goexit")
			})
		}
	}
}
