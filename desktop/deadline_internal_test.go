package desktop

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The context of a call is one of package context, whoever looks at it and when.
func TestDeadline(t *testing.T) {
	errOver := errors.New("over")
	for name, looks := range map[string]func(context.Context){
		"nobody":    func(context.Context) {},
		"at Err":    func(ctx context.Context) { _ = ctx.Err() },
		"at Done":   func(ctx context.Context) { _ = ctx.Done() },
		"at values": func(ctx context.Context) { _ = ctx.Value("x") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				parent, stop := context.WithCancelCause(t.Context())
				d := newDeadline(parent, time.Second)
				looks(d)
				at, ok := d.Deadline()
				assert.True(t, ok && at.Equal(time.Now().Add(time.Second)))
				require.NoError(t, d.Err())
				require.NoError(t, context.Cause(d))
				time.Sleep(time.Second)
				synctest.Wait()
				require.ErrorAs(t, context.Cause(d), new(*lateError), "also when that is asked first")
				require.ErrorIs(t, d.Err(), context.DeadlineExceeded)
				<-d.Done()

				d = newDeadline(parent, time.Second)
				looks(d)
				child, cancel := context.WithCancel(d)
				defer cancel()
				stop(errOver)
				<-child.Done()
				require.ErrorIs(t, context.Cause(child), errOver)
				require.ErrorIs(t, context.Cause(d), errOver)
				require.ErrorIs(t, d.Err(), context.Canceled)
			})
		})
		t.Run(name+", after the call", func(t *testing.T) {
			d := newDeadline(t.Context(), time.Hour)
			looks(d)
			d.end()
			require.ErrorIs(t, d.Err(), context.Canceled, "what the call left behind ends with it")
			<-d.Done()
			require.ErrorIs(t, context.Cause(d), context.Canceled)
		})
	}
	first, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	sooner, _ := first.Deadline()
	at, _ := newDeadline(first, time.Hour).Deadline()
	assert.Equal(t, sooner, at)
}
