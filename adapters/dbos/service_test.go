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
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// clerk asks how much, and says what it was told. Its request says for how long it asks.
type clerk struct {
	fsm.Position
	run   string
	limit time.Duration
	stuck bool
	Said  string
}

var clerks = fsm.Table("Clerk",
	[]fsm.Row[*clerk]{
		{Status: fsm.Continue, Handle: (*clerk).step},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

func (c *clerk) Name() string               { return "clerk" }
func (c *clerk) States() fsm.Set            { return clerks }
func (c *clerk) Answer() string             { return c.Said }
func (c *clerk) Save() (fsm.Saved, error)   { return fsm.SaveState(c.Said) }
func (c *clerk) Load(saved fsm.Saved) error { return saved.LoadState(&c.Said) }
func (c *clerk) Begin(_ context.Context, task fsm.Task) (err error) {
	c.stuck = task.Text == "get stuck"
	return nil
}

func (c *clerk) step(ctx context.Context) error {
	if c.stuck {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	answer, err := people.Ask(ctx, people.Later(), people.Question{ID: c.run + "-q", Agent: "clerk", Text: "How much?"}, c.limit)
	switch {
	case err == nil:
		c.Said = answer.Text
	case errors.Is(err, people.ErrTimeout):
		c.Said = "nobody says"
	default:
		return err
	}
	c.Decide(fsm.Finish, fsm.BySystem, "")
	return nil
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
					return &clerk{run: run.Run, limit: limit}, nil, nil
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
