package durable_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Everything at once, mostly for the race detector. Whatever is given back and whatever
// is dropped, no command is executed twice.
func TestConcurrentEverything(t *testing.T) {
	for _, crash := range []int{3, 7, 12, 20, 33} {
		t.Run(fmt.Sprint(crash), func(t *testing.T) {
			y := newTally(t)
			user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
				return people.Answer{Approved: true}, nil
			})
			do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
				var all sync.WaitGroup
				for i := range 5 {
					all.Go(func() {
						defer func() { _ = recover() }() // of a process that dies
						_ = y.ask(ctx)
						_, _ = y.act(ctx, fmt.Sprint("tool ", c.N, i))
						_, _ = desktop.Open(ctx, y, nil)
						_, _ = people.Ask(ctx, user, people.Question{ID: fmt.Sprint(i), Text: "?"}, 0)
						_ = trace.Uncertain(ctx)
					})
				}
				all.Wait()
				if c.N++; c.N < 3 {
					return fsm.Continue, nil
				}
				return fsm.Finish, nil
			}
			y.dies(crash, do)
			s := y.resume(do)
			res, err := s.Round().Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, 3, res.Transitions)
			for tool, times := range y.done {
				assert.Equal(t, 1, times, tool)
			}
			_, err = durable.Replay(t.Context(), newClerk(do), y.store, "run", nil)
			var panicked *round.PanicError
			require.NotErrorAs(t, err, &panicked)
		})
	}
}
