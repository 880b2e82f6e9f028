package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/errand"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/postgres"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
)

// What an asker does: so many steps without a question, and then so many with one each.
const (
	freely = 400
	askily = 100
)

// newAsker returns an agent that says when each of its steps begins.
func newAsker(began chan<- time.Time) *errand.Agent {
	return &errand.Agent{Called: "asker", Step: func(ctx context.Context, a *errand.Agent) (done bool, err error) {
		began <- time.Now()
		if a.N >= freely {
			question := people.Question{ID: fmt.Sprint("q", a.N), Agent: "asker", Text: "Go on?"}
			_, err = people.Ask(ctx, people.Later(), question, 0)
		}
		return a.N+1 == freely+askily, err
	}}
}

// BenchmarkRealEngines tells what a step of a run costs with each engine, and how long it takes from an answer to the step that
// gets it, all in one process with stores on one disk.
func BenchmarkRealEngines(b *testing.B) {
	server, err := postgres.Start(b.Context(), "")
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, server.Stop()) })
	for i, c := range []struct{ engine, store string }{
		{"", storeSQLite}, {"dbos", storeSQLite}, {"temporal", storeSQLite}, {"", storePostgres}, {"dbos", storePostgres},
	} {
		if _, known := engines[c.engine]; c.engine != "" && !known {
			continue
		}
		name := c.engine
		if name == "" {
			name = "runs"
		}
		b.Run(name+"/"+c.store, func(b *testing.B) {
			place := filepath.Join(b.TempDir(), "runs.db")
			if c.store == storePostgres {
				place = server.DSN("")
			}
			for n := 0; b.Loop(); n++ {
				benchEngine(b, c.engine, c.store, place, fmt.Sprintf("run-%d-%d", i, n))
			}
		})
	}
}

func benchEngine(b *testing.B, engineName, kind, place, run string) {
	b.Helper()
	ctx := b.Context()
	st, closeStore, err := openStore(ctx, kind, place)
	require.NoError(b, err)
	at, closeServer, err := startEngine(ctx, engineName, b.TempDir(), kind, place)
	require.NoError(b, err)
	engine, closeEngine, err := openEngine(ctx, job{Store: kind, Place: place, Engine: engineName, At: at, Name: "bench"})
	require.NoError(b, err)
	began := make(chan time.Time, freely+2*askily+10)
	svc, err := runs.New(st, runs.Config{
		Engine: engine,
		Round:  &round.Options{MaxSteps: -1, MaxTransitions: -1, MaxRepeats: -1},
		Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
			return newAsker(began), nil, nil
		},
	})
	require.NoError(b, err)
	done := make(chan error, 1)
	go func() { done <- svc.Work(ctx) }()

	_, err = svc.Start(ctx, run, "ask", nil)
	require.NoError(b, err)
	first := <-began
	for range freely {
		<-began
	}
	b.ReportMetric(float64(time.Since(first).Microseconds())/freely, "µs/step")
	var waits []time.Duration
	for i := range askily {
		question := fmt.Sprint("q", freely+i)
		for {
			state, err := svc.Get(ctx, run)
			require.NoError(b, err)
			if len(state.Waits) > 0 && state.Waits[0].ID == question && state.Stage == durable.Waiting {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond) // the drive is over, and its process knows nothing of the run any more
		answered := time.Now()
		_, err := svc.Answer(ctx, run, question, people.Answer{Approved: true})
		require.NoError(b, err)
		waits = append(waits, (<-began).Sub(answered))
		if i < askily-1 {
			<-began // the step after it, which asks the next question
		}
	}
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)/2].Microseconds())/1000, "ms-answer-p50")
	b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "ms-answer-p99")
	for {
		if state, err := svc.Get(ctx, run); err == nil && state.Stage == durable.Ended {
			break
		}
		time.Sleep(time.Millisecond)
	}
	require.NoError(b, svc.Close(ctx))
	require.ErrorIs(b, <-done, runs.ErrClosed)
	require.NoError(b, closeEngine())
	require.NoError(b, closeServer())
	require.NoError(b, closeStore())
}
