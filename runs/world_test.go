package runs_test

import (
	"context"
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

// teller is an agent that does in each step what a func of the test says.
type teller struct {
	*errand.Agent
	w   *world
	run string
}

// handle is what a teller does in its nth step, from 1, and whether that was the last one.
type handle func(ctx context.Context, t *teller, n int) (done bool, err error)

func (w *world) teller(run string) *teller {
	t := &teller{w: w, run: run}
	t.Agent = &errand.Agent{Called: "teller", Step: func(ctx context.Context, a *errand.Agent) (bool, error) {
		w.note("%s %d", run, a.N+1)
		return w.do(ctx, t, a.N+1)
	}}
	return t
}

func (t *teller) ask(ctx context.Context) (string, error) {
	answer, err := people.Ask(ctx, people.Later(), people.Question{ID: t.run + "-q", Agent: "teller", Text: "How much?"}, t.w.timeout)
	return answer.Text, err
}

// world is what outlives a process.
type world struct {
	*testing.T
	store store.Store
	do    handle
	// timeout is that of questions.
	timeout time.Duration

	mu   sync.Mutex
	took []string // steps that began, in order
	open int      // agents that are not closed yet
	most int      // of them, at a time
}

func newWorld(t *testing.T, do handle) *world {
	return &world{T: t, store: store.Memory(), do: do, timeout: -1}
}

func (w *world) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.took = append(w.took, fmt.Sprintf(format, args...))
}

func (w *world) steps() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.took...)
}

// process is a service over the store of the world.
func (w *world) process(config runs.Config) *runs.Service {
	if config.Agent == nil {
		config.Agent = func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.open++
			w.most = max(w.most, w.open)
			return w.teller(run.Run).Agent, func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.open--
			}, nil
		}
	}
	svc, err := runs.New(w.store, config)
	require.NoError(w, err)
	return svc
}

// works has the service drive runs until the test ends.
func (w *world) works(svc *runs.Service) *runs.Service {
	done := make(chan error, 1)
	go func() { done <- svc.Work(w.Context()) }()
	w.Cleanup(func() {
		assert.NoError(w, svc.Close(context.Background()))
		assert.Error(w, <-done)
	})
	return svc
}

func (w *world) start(svc *runs.Service, run string) {
	_, err := svc.Start(w.Context(), run, "go", nil)
	require.NoError(w, err)
}

func (w *world) look(run string) durable.State {
	state, err := durable.Look(w.Context(), w.store, run)
	require.NoError(w, err)
	return state
}

// stands is where a run stands, on one line.
func (w *world) stands(run string) string {
	s := w.look(run)
	return fmt.Sprintf("%s %s %q %q", s.Stage, s.Outcome, s.Reason, s.Answer)
}
