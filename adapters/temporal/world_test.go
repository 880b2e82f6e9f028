package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"github.com/agentfsm/agentfsm/adapters/temporal"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/errand"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// A test binary that is started with this drives the runs that its value says, until it is killed.
const envPlace = "TEMPORAL_TEST_PLACE"

func TestMain(m *testing.M) {
	worker.SetStickyWorkflowCacheSize(16) // as the package comment has it
	if text := os.Getenv(envPlace); text != "" {
		var p place
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			panic(err)
		}
		panic(p.work(context.Background()))
	}
	m.Run() // which sets the status of the program
}

// place is where several processes work.
type place struct {
	Address, Namespace, Queue, Dir string
}

// newPlace has a server of its own, and a folder of journals.
func newPlace(t *testing.T) *place {
	t.Helper()
	address, namespace := realpartstest.Temporal(t)
	return &place{address, namespace, "agentfsm", t.TempDir()}
}

// dial is the client of a process.
func (p *place) dial() (client.Client, error) {
	quiet := slog.New(slog.DiscardHandler)
	return client.Dial(client.Options{HostPort: p.Address, Namespace: p.Namespace, Identity: "test", Logger: sdklog.NewStructuredLogger(quiet)})
}

func (p *place) client(t testing.TB) client.Client {
	t.Helper()
	c, err := p.dial()
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func (p *place) engine(t testing.TB, opts *temporal.Options) *temporal.Engine {
	t.Helper()
	e, err := temporal.New(p.client(t), opts)
	require.NoError(t, err)
	return e
}

// heartbeat is a short one, so that the death of a process is noticed soon.
const heartbeat = 2 * time.Second

// work drives runs as a process of its own.
func (p *place) work(ctx context.Context) error {
	c, err := p.dial()
	if err != nil {
		return err
	}
	e, err := temporal.New(c, &temporal.Options{TaskQueue: p.Queue, Heartbeat: heartbeat})
	if err != nil {
		return err
	}
	st, err := store.Files(p.Dir)
	if err != nil {
		return err
	}
	svc, err := runs.New(st, runs.Config{Engine: e, Agent: agents("killed")})
	if err != nil {
		return err
	}
	return svc.Work(ctx)
}

// service is one over the folder of the place, whose engine answers by update, too.
func (p *place) service(t *testing.T) *runs.Service {
	t.Helper()
	st, err := store.Files(p.Dir)
	require.NoError(t, err)
	var svc *runs.Service
	e := p.engine(t, &temporal.Options{
		TaskQueue: p.Queue, Heartbeat: heartbeat,
		Answer: func(ctx context.Context, run, question string, answer people.Answer) (bool, error) {
			return svc.Answer(ctx, run, question, answer)
		},
	})
	svc, err = runs.New(st, runs.Config{Engine: e, Agent: agents("service")})
	require.NoError(t, err)
	return svc
}

// works has the service drive runs until the test ends.
func works(t *testing.T, svc *runs.Service) {
	t.Helper()
	over := make(chan error, 1)
	go func() { over <- svc.Work(t.Context()) }()
	t.Cleanup(func() {
		require.NoError(t, svc.Close(context.Background()))
		require.Error(t, <-over)
	})
}

// awaits waits until a run stands as the test wants it.
func awaits(t *testing.T, svc *runs.Service, run string, holds func(durable.State) bool) durable.State {
	t.Helper()
	var state durable.State
	require.Eventually(t, func() bool {
		var err error
		state, err = svc.Get(t.Context(), run)
		return assert.NoError(t, err) && holds(state)
	}, 2*time.Minute, 10*time.Millisecond, "run %q", run)
	return state
}

func asks(s durable.State) bool  { return len(s.Waits) > 0 }
func ended(s durable.State) bool { return s.Stage == durable.Ended }

// newClerk returns an agent of a process that does what its request says: "ask", "ask by 2s", "walk 5", or "hang".
func newClerk(by string) *errand.Agent {
	return &errand.Agent{Called: "clerk", Step: func(ctx context.Context, c *errand.Agent) (done bool, err error) {
		verb, rest, _ := strings.Cut(c.Task, " ")
		switch verb {
		case "ask":
			timeout := time.Duration(-1)
			if _, by, ok := strings.Cut(rest, "by "); ok {
				timeout, _ = time.ParseDuration(by)
			}
			answer, err := people.Ask(ctx, people.Later(), people.Question{Agent: "clerk", Text: "How much?"}, timeout)
			if c.Said = answer.Text; errors.Is(err, people.ErrTimeout) {
				c.Said, err = "nobody said", nil
			}
			return true, err
		case "walk":
			var steps int
			_, _ = fmt.Sscan(rest, &steps)
			c.Said += by + " "
			select {
			case <-time.After(100 * time.Millisecond):
			case <-ctx.Done():
				return false, ctx.Err()
			}
			return c.N+1 >= steps, nil
		}
		<-ctx.Done() // hang
		return false, ctx.Err()
	}}
}

// agents makes clerks of a process.
func agents(by string) func(context.Context, durable.State) (fsm.Worker, func(), error) {
	return func(context.Context, durable.State) (fsm.Worker, func(), error) { return newClerk(by), nil, nil }
}

// begun is a set of drives that the test waits for.
type begun struct {
	mu   sync.Mutex
	runs map[string]int
}

func (b *begun) drive(run string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.runs == nil {
		b.runs = map[string]int{}
	}
	b.runs[run]++
	return b.runs[run]
}

func (b *begun) many() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.runs)
}

func (b *begun) of(run string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.runs[run]
}
