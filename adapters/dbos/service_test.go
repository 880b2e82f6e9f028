package dbos_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/errand"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// newClerk returns an agent that asks how much, for so long, and says what it was told. Told to get stuck, it does.
func newClerk(run string, limit time.Duration) *errand.Agent {
	return &errand.Agent{Called: "clerk", Step: func(ctx context.Context, c *errand.Agent) (done bool, err error) {
		if c.Task == "get stuck" {
			<-ctx.Done()
			return false, context.Cause(ctx)
		}
		answer, err := people.Ask(ctx, people.Later(), people.Question{ID: run + "-q", Agent: "clerk", Text: "How much?"}, limit)
		if c.Said = answer.Text; errors.Is(err, people.ErrTimeout) {
			c.Said, err = "nobody says", nil
		}
		return true, err
	}}
}

// Two processes work, and a third one starts, answers and cancels.
func TestService(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		journals := store.Memory()
		var mu sync.Mutex
		by := map[string]string{}
		service := func(name string, works bool) *runs.Service {
			config := runs.Config{Engine: open(t, url, ""), Poll: 10 * time.Millisecond}
			if works {
				config.Agent = func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
					mu.Lock()
					defer mu.Unlock()
					by[run.Run] = name
					limit := time.Duration(-1)
					if run.Request == "ask for a second" {
						limit = time.Second
					}
					return newClerk(run.Run, limit), nil, nil
				}
			}
			svc, err := runs.New(journals, config)
			require.NoError(t, err)
			if works {
				over := make(chan error, 1)
				go func() { over <- svc.Work(context.WithoutCancel(t.Context())) }()
				t.Cleanup(func() {
					require.NoError(t, svc.Close(context.Background()))
					require.ErrorIs(t, <-over, runs.ErrClosed)
				})
			}
			return svc
		}
		service("one", true)
		service("two", true)
		page := service("page", false)

		stands := func(run string) string {
			s, err := page.Get(t.Context(), run)
			require.NoError(t, err)
			return fmt.Sprint(s.Stage, " ", s.Outcome, " ", s.Answer)
		}
		for run, request := range map[string]string{
			"answered": "ask", "late": "ask for a second", "unwanted": "ask", "stuck": "get stuck",
		} {
			_, err := page.Start(t.Context(), run, request, nil)
			require.NoError(t, err)
		}
		for _, run := range []string{"answered", "unwanted"} {
			eventually(t, func() bool {
				s, err := page.Get(t.Context(), run)
				return err == nil && len(s.Waits) > 0
			}, "run %q does not ask", run)
		}
		given, err := page.Answer(t.Context(), "answered", "answered-q", people.Answer{Text: "12"})
		require.NoError(t, err)
		assert.True(t, given)
		eventually(t, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return by["stuck"] != ""
		}, "a run is not begun")
		for _, run := range []string{"unwanted", "stuck"} {
			cancelled, err := page.Cancel(t.Context(), run, "enough")
			require.NoError(t, err)
			assert.True(t, cancelled)
		}
		want := map[string]string{
			"answered": "ended FINISH 12", "late": "ended FINISH nobody says",
			"unwanted": "ended CANCELLED ", "stuck": "ended CANCELLED ",
		}
		for run, want := range want {
			eventually(t, func() bool { return stands(run) == want }, "run %q is not %q", run, want)
		}
		c := tools(t, url)
		eventually(t, func() bool { return len(rows(t, c)) == 0 }, "runs that have ended leave rows")
	})
}

// Work looks into the store now and then, once for all runs: it reads nothing of one that waits, however many there are.
func TestWaitingIsNotPolled(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		many := 1000
		if testing.Short() {
			many = 100
		}
		e, journals := open(t, url, ""), &counted{Index: store.Memory()}
		c := tools(t, url)
		svc, err := runs.New(journals, runs.Config{
			Engine: e, Poll: time.Millisecond,
			Agent: func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
				return newClerk(run.Run, time.Hour), nil, nil // with a row of DBOS each
			},
		})
		require.NoError(t, err)
		over := make(chan error, 1)
		go func() { over <- svc.Work(context.WithoutCancel(t.Context())) }()
		t.Cleanup(func() {
			require.NoError(t, svc.Close(context.Background()))
			require.ErrorIs(t, <-over, runs.ErrClosed)
		})
		for i := range many {
			_, err := svc.Start(t.Context(), fmt.Sprint("run ", i), "ask", nil)
			require.NoError(t, err)
		}
		looks := func(n int64) {
			t.Helper()
			n += journals.lists.Load()
			eventually(t, func() bool { return journals.lists.Load() >= n }, "Work does not look into the store")
		}
		eventually(t, func() bool { return len(rows(t, c, sdk.WorkflowStatusDelayed)) == many && len(rows(t, c)) == many }, "a run does not wait")
		before := int64(-1)
		for range 100 { // a look that was under way may have woken some
			if before == journals.calls.Load() {
				break
			}
			before = journals.calls.Load()
			looks(10)
		}
		assert.Equal(t, before, journals.calls.Load(), "each look calls for runs that wait")
	})
}

// counted is a store that counts the calls for a run, and what it lists.
type counted struct {
	store.Index
	calls, lists atomic.Int64
}

func (c *counted) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	c.calls.Add(1)
	return c.Index.Append(ctx, run, after, records...)
}

func (c *counted) AppendMarked(ctx context.Context, run string, after int64, mark store.Mark, records ...[]byte) error {
	c.calls.Add(1)
	return c.Index.AppendMarked(ctx, run, after, mark, records...)
}

func (c *counted) Read(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
	c.calls.Add(1)
	return c.Index.Read(ctx, run, from)
}

func (c *counted) Drive(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
	c.calls.Add(1)
	return c.Index.Drive(ctx, run, takeOver)
}

func (c *counted) Marked(ctx context.Context, run string) (store.Mark, error) {
	c.calls.Add(1)
	return c.Index.Marked(ctx, run)
}

func (c *counted) Marks(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
	c.lists.Add(1)
	return func(yield func(store.Mark, error) bool) {
		for m, err := range c.Index.Marks(ctx, q) {
			c.calls.Add(1)
			if !yield(m, err) {
				return
			}
		}
	}
}
