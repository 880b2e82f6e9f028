package runs_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runstest"
)

func TestLocalEngine(t *testing.T) {
	runstest.RunEngine(t, runstest.Backend{
		New:   func(testing.TB) runs.Engine { return runs.NewLocal(16) },
		Quiet: 200 * time.Millisecond,
	})
}

// deaf is an engine that cannot be told of anything for a while.
type deaf struct {
	runs.Engine
	err error
}

func (d *deaf) Wake(ctx context.Context, run string) error {
	if d.err != nil {
		return d.err
	}
	return d.Engine.Wake(ctx, run)
}

func (d *deaf) Cancel(ctx context.Context, run string) error {
	if d.err != nil {
		return d.err
	}
	return d.Engine.Cancel(ctx, run)
}

// What is on record is not taken back when the engine cannot be told; whoever called is told, and a Work that begins
// later finds it.
func TestEngineThatIsAway(t *testing.T) {
	w := newWorld(t, asks)
	away := errors.New("the database is away")
	e := &deaf{runs.NewLocal(1), away}
	svc := w.process(runs.Config{Engine: e})

	state, err := svc.Start(t.Context(), "a", "go", nil)
	require.ErrorIs(t, err, away)
	assert.ErrorContains(t, err, `the engine cannot be told of run "a"`)
	assert.Equal(t, "a", state.Run)
	assert.Equal(t, `ready  "" ""`, w.stands("a"))

	e.err = nil
	w.works(svc)
	require.Eventually(t, func() bool { return len(w.look("a").Waits) > 0 }, 2*time.Minute, time.Millisecond)
	e.err = away
	given, err := svc.Answer(t.Context(), "a", "a-q", people.Answer{Text: "7"})
	require.ErrorIs(t, err, away)
	assert.True(t, given)

	e.err = nil
	_, err = svc.Answer(t.Context(), "a", "a-q", people.Answer{Text: "7"}) // the caller tries again
	require.NoError(t, err)
	require.Eventually(t, func() bool { return w.look("a").Outcome.Ended() }, 2*time.Minute, time.Millisecond)
	assert.Equal(t, `ended FINISH "" "7"`, w.stands("a"))

	e.err = away
	w.start(w.process(runs.Config{}), "b")
	cancelled, err := svc.Cancel(t.Context(), "b", "enough")
	require.ErrorIs(t, err, away)
	assert.True(t, cancelled)
	cancelled, err = svc.Cancel(t.Context(), "b", "enough") // the caller tries again
	require.ErrorIs(t, err, away)
	assert.False(t, cancelled)
	e.err = nil
	cancelled, err = svc.Cancel(t.Context(), "b", "enough")
	require.NoError(t, err)
	assert.False(t, cancelled)
}

// An engine that ends by itself ends Work.
func TestEngineThatEnds(t *testing.T) {
	w := newWorld(t, walks(1))
	for _, err := range []error{errors.New("no connection"), nil} {
		svc := w.process(runs.Config{Engine: ending{runs.NewLocal(1), err}})
		got := svc.Work(t.Context())
		if err == nil {
			require.ErrorContains(t, got, "the engine does not work any more")
			continue
		}
		require.ErrorIs(t, got, err)
	}
}

type ending struct {
	runs.Engine
	err error
}

func (e ending) Work(context.Context, func(context.Context, string) (runs.Next, error)) error {
	return e.err
}

// However many drives an engine begins, a process makes MaxRuns agents at a time.
func TestMaxRunsOfAnEngine(t *testing.T) {
	w := newWorld(t, nil)
	w.do = func(ctx context.Context, tl *teller, n int) (bool, error) {
		time.Sleep(5 * time.Millisecond) // others could begin meanwhile
		return walks(3)(ctx, tl, n)
	}
	svc := w.works(w.process(runs.Config{Engine: runs.NewLocal(100), MaxRuns: 2, Slice: 1}))
	for _, run := range []string{"a", "b", "c", "d", "e", "f"} {
		w.start(svc, run)
	}
	for _, run := range []string{"a", "b", "c", "d", "e", "f"} {
		require.Eventually(t, func() bool { return w.look(run).Outcome.Ended() }, 2*time.Minute, time.Millisecond)
	}
	assert.LessOrEqual(t, w.most, 2)
}

// counting is an engine that drives nothing, and counts what it is told.
type counting struct {
	mu    sync.Mutex
	wakes map[string]int
}

func (c *counting) Wake(_ context.Context, run string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wakes[run]++
	return nil
}

func (c *counting) Cancel(context.Context, string) error { return nil }

func (c *counting) Work(ctx context.Context, _ func(context.Context, string) (runs.Next, error)) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

// Work tells an engine of what it finds, and once: a run may wait in the engine for hours. Behind another record, and after ten
// looks, it is told again.
func TestWorkTellsTheEngineOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, walks(1))
		w.start(w.process(runs.Config{}), "a") // by a process that died before it told anybody
		e := &counting{wakes: map[string]int{}}
		svc := w.process(runs.Config{Engine: e})
		done := make(chan error, 1)
		go func() { done <- svc.Work(t.Context()) }()
		told := func() int {
			e.mu.Lock()
			defer e.mu.Unlock()
			return e.wakes["a"]
		}

		time.Sleep(9 * time.Minute)
		assert.Equal(t, 1, told())
		_, err := durable.Attempt(t.Context(), w.store, "a") // somebody began, and died
		require.NoError(t, err)
		time.Sleep(9 * time.Minute)
		assert.Equal(t, 2, told())
		time.Sleep(5 * time.Minute)
		assert.Equal(t, 3, told())
		require.NoError(t, svc.Close(t.Context()))
		require.ErrorIs(t, <-done, runs.ErrClosed)
	})
}
