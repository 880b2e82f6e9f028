package dbos_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

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
