package durable_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/effects"
	helper "github.com/agentfsm/agentfsm/internal/errand"
)

// What a goroutine does that outlives its Handle is no part of the next step: with the context of a step that is over
// nothing is done and nothing waits, and the keys of the next step are its own, also in the next process.
func TestEffectsOfAStepThatIsOver(t *testing.T) {
	pay := func(done *[]string, by string) func(context.Context) (string, error) {
		return func(context.Context) (string, error) {
			*done = append(*done, by)
			return "receipt of " + by, nil
		}
	}
	for name, crash := range map[string]bool{"the next step goes on": false, "the process dies in the next step": true} {
		t.Run(name, func(t *testing.T) {
			st := store.Memory()
			var done []string
			leave, begun, late := make(chan struct{}), make(chan struct{}), sync.WaitGroup{}
			ctx, kill := context.WithCancel(t.Context())
			defer kill()
			var under error
			drive := func(ctx context.Context, step func(ctx context.Context, n int) (bool, error)) error {
				s, err := durable.Open(ctx, &helper.Agent{Called: "clerk", Step: func(ctx context.Context, a *helper.Agent) (bool, error) {
					return step(ctx, a.N)
				}}, st, "r", nil)
				require.NoError(t, err)
				_, err = s.Continue(ctx, "go")
				assert.NoError(t, s.Close(context.Background()))
				return err
			}
			last := func(ctx context.Context) (bool, error) {
				got, err := effects.Do(ctx, "pay", pay(&done, "step 1"))
				assert.Equal(t, "receipt of step 1", got)
				return true, err
			}
			err := drive(ctx, func(step context.Context, n int) (bool, error) {
				if n == 1 {
					close(leave)
					late.Wait()
					if crash {
						kill()
						return false, context.Cause(step)
					}
					return last(step)
				}
				late.Go(func() {
					_, under = effects.Do(step, "is under way", func(context.Context) (int, error) {
						close(begun)
						<-leave
						return 1, nil
					})
				})
				late.Go(func() {
					<-leave
					_, err := effects.Do(step, "pay", pay(&done, "step 0, late"))
					assert.ErrorIs(t, err, effects.ErrNotDone)
					_, err = effects.Do(step, "tag", pay(&done, "step 0, late"), effects.Idempotent())
					assert.ErrorIs(t, err, effects.ErrNotDone)
					assert.ErrorIs(t, effects.WaitUntil(step, "wait", time.Now().Add(time.Hour)), effects.ErrNotDone)
				})
				<-begun
				return false, nil
			})
			require.ErrorIs(t, under, effects.ErrNoValue)
			if crash {
				require.ErrorIs(t, err, context.Canceled)
				err = drive(t.Context(), func(ctx context.Context, n int) (bool, error) {
					assert.Equal(t, 1, n)
					return last(ctx)
				})
			}
			require.NoError(t, err)
			assert.Equal(t, []string{"step 1"}, done)
			state, err := durable.Look(t.Context(), st, "r")
			require.NoError(t, err)
			assert.Equal(t, durable.Ended, state.Stage)
			assert.Zero(t, state.Wakes)
		})
	}
}
