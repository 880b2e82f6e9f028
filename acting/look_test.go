package acting_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// resumed is what a Round tells a step that goes on in another process: what the agent
// saw is old.
type resumed struct{ trace.Sink }

func (resumed) Stale() bool                  { return true }
func (resumed) Uncertain() []desktop.Command { return nil }
func (resumed) Looked() (looked, known bool) { return false, false }

// In a step that was resumed the first act is looked at, too, and an approved one.
func TestPerformLooksAgainAfterAResume(t *testing.T) {
	const moved = "write failure: it was not executed: while the run was stopped, its target had changed from book to shelf: look again"
	for name, c := range map[string]struct {
		resumed bool
		want    []string
		// An approved act is looked at in any case: time went by.
		approved []string
	}{
		"resumed": {true, []string{moved}, []string{moved}},
		"not":     {false, []string{"write success"}, []string{"write failure: it was not executed: its target changed after the user was asked: look again, then ask again"}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			if c.resumed {
				ctx = trace.With(ctx, resumed{&sink{}})
			}
			_, a := bench(t, verdicts(nil))
			a.Look = func(_ context.Context, act acting.Act) acting.Act { act.Target = "shelf"; return act }
			p, err := a.Perform(ctx, []acting.Act{write(nil)}, false)
			require.NoError(t, err)
			assert.Equal(t, c.want, became(p))

			p, err = done(ctx, a, granted(t, write(nil)))
			require.NoError(t, err)
			assert.Equal(t, c.approved, became(p), "approved")
		})
	}
}

// Who cancels while somebody looks stops the list; nothing is said of the target.
func TestPerformCancelledWhileLooking(t *testing.T) {
	d, a := bench(t, verdicts(nil))
	ctx, cancel := context.WithCancel(t.Context())
	a.Look = func(_ context.Context, act acting.Act) acting.Act { cancel(); act.Target = "nothing"; return act }
	p, err := a.Perform(ctx, acts("write", "erase"), false)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, []string{"write success", "erase skipped: not executed"}, became(p))
	assert.Empty(t, d.Calls("erase"))
	assert.Equal(t, desktop.Skipped, p.Acted[1].Result.Status)
}

// Nor does a look that was interrupted void an approval: before the question it is still
// waited for, and before the act nobody says that the target is another one.
func TestApprovalsAndALookThatWasInterrupted(t *testing.T) {
	stopped := errors.New("stopped")
	for name, sees := range map[string]func(*acting.Act){
		"nothing":        func(a *acting.Act) { a.Target = "" },
		"another window": func(a *acting.Act) { a.Target = "shelf" },
		"another focus":  func(a *acting.Act) { a.Focus = "name" },
		"the same":       func(*acting.Act) {},
	} {
		for when, with := range map[string]func(context.Context) context.Context{
			"in a step":         func(ctx context.Context) context.Context { return ctx },
			"in a resumed step": func(ctx context.Context) context.Context { return trace.With(ctx, resumed{&sink{}}) },
		} {
			t.Run(name+" "+when, func(t *testing.T) {
				interrupted := func() (context.Context, acting.Look) {
					ctx, cancel := context.WithCancelCause(with(t.Context()))
					return ctx, func(_ context.Context, act acting.Act) acting.Act { cancel(stopped); sees(&act); return act }
				}
				w, user := waitingFor(write(nil)), answers(true)
				ctx, look := interrupted()
				_, err := w.Confirm(ctx, &acting.Actor{User: user, Look: look}, "")
				require.ErrorIs(t, err, stopped)
				assert.NotNil(t, w.Approval, "it is asked when the run goes on")
				assert.Empty(t, user.asked)
				assert.Empty(t, w.LastError)

				d, a := bench(t, nil)
				ctx, a.Look = interrupted()
				p, err := done(ctx, a, granted(t, write(nil)))
				require.ErrorIs(t, err, stopped)
				assert.Equal(t, []string{"write skipped: not executed"}, became(p))
				assert.Empty(t, d.Log())
			})
		}
	}
}
