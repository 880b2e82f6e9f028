package temporal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/agentfsm/agentfsm/adapters/temporal"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runstest"
)

// Each check has a task queue of its own, and ids of its own: workflows are of the namespace.
func TestRealEngine(t *testing.T) {
	p := newPlace(t)
	queues := map[runs.Engine]string{}
	many := 0
	engine := func(t testing.TB, queue string) runs.Engine {
		t.Helper()
		e := apart{p.engine(t, &temporal.Options{TaskQueue: queue, Heartbeat: heartbeat}), queue + " "}
		queues[e] = queue
		return e
	}
	runstest.RunEngine(t, runstest.Backend{
		New: func(t testing.TB) runs.Engine {
			many++
			return engine(t, fmt.Sprint("queue ", many))
		},
		Another: func(t testing.TB, e runs.Engine) runs.Engine { return engine(t, queues[e]) },
		Quiet:   2 * time.Second,
	})
}

// apart is an engine whose runs have ids of their own.
type apart struct {
	*temporal.Engine
	prefix string
}

func (a apart) Wake(ctx context.Context, run string) error { return a.Engine.Wake(ctx, a.prefix+run) }
func (a apart) Cancel(ctx context.Context, run string) error {
	return a.Engine.Cancel(ctx, a.prefix+run)
}
func (a apart) Work(ctx context.Context, drive func(context.Context, string) (runs.Next, error)) error {
	return a.Engine.Work(ctx, func(ctx context.Context, run string) (runs.Next, error) {
		return drive(ctx, strings.TrimPrefix(run, a.prefix))
	})
}

// update answers a question as any program does that has a client of Temporal.
func update(t *testing.T, c client.Client, run, question, text string) (given bool, err error) {
	t.Helper()
	h, err := c.UpdateWorkflow(t.Context(), client.UpdateWorkflowOptions{
		WorkflowID: temporal.WorkflowID(run), UpdateName: temporal.Update, WaitForStage: client.WorkflowUpdateStageCompleted,
		Args: []any{question, people.Answer{Text: text}},
	})
	require.NoError(t, err)
	return given, h.Get(t.Context(), &given)
}

func TestRealService(t *testing.T) {
	p := newPlace(t)
	svc := p.service(t)
	works(t, svc)
	c := p.client(t)
	began := map[string]int64{}
	for run, request := range map[string]string{
		"answered": "ask", "updated": "ask", "late": "ask by 2s", "never": "ask", "hangs": "hang", "walks": "walk 3",
	} {
		state, err := svc.Start(t.Context(), run, request, nil)
		require.NoError(t, err)
		began[run] = state.Seq
	}
	s := awaits(t, svc, "answered", asks)
	given, err := svc.Answer(t.Context(), "answered", s.Waits[0].ID, people.Answer{Text: "7"})
	require.NoError(t, err)
	assert.True(t, given)
	assert.Equal(t, "7", awaits(t, svc, "answered", ended).Answer)

	s = awaits(t, svc, "updated", asks)
	_, err = update(t, c, "updated", "another question", "8")
	require.ErrorContains(t, err, "no such question")
	given, err = update(t, c, "updated", s.Waits[0].ID, "8")
	require.NoError(t, err)
	assert.True(t, given)
	assert.Equal(t, "8", awaits(t, svc, "updated", ended).Answer)

	assert.Equal(t, "nobody said", awaits(t, svc, "late", ended).Answer)
	assert.Equal(t, strings.Repeat("service ", 3), awaits(t, svc, "walks", ended).Answer)

	awaits(t, svc, "never", asks)
	awaits(t, svc, "hangs", func(s durable.State) bool { return s.Seq > began["hangs"] })
	for _, run := range []string{"never", "hangs"} {
		cancelled, err := svc.Cancel(t.Context(), run, "enough")
		require.NoError(t, err)
		assert.True(t, cancelled)
		assert.Equal(t, round.Cancelled, awaits(t, svc, run, ended).Outcome)
	}
	for run, want := range map[string]string{
		"answered": "Completed", "updated": "Completed", "late": "Completed", "walks": "Completed", "never": "Canceled", "hangs": "Canceled",
	} {
		require.Eventually(t, func() bool {
			d, err := c.DescribeWorkflowExecution(t.Context(), temporal.WorkflowID(run), "")
			return assert.NoError(t, err) && d.GetWorkflowExecutionInfo().GetStatus().String() == want
		}, 2*time.Minute, 10*time.Millisecond, run)
	}

	// An id that is used again.
	require.NoError(t, svc.Delete(t.Context(), "hangs"))
	_, err = svc.Start(t.Context(), "hangs", "walk 1", nil)
	require.NoError(t, err)
	assert.Equal(t, "service ", awaits(t, svc, "hangs", ended).Answer)
}

// A drive that does not end at once is not driven beside, although it was cancelled and the run is wanted again.
func TestRealCancelledAndWoken(t *testing.T) {
	p := newPlace(t)
	e := p.engine(t, &temporal.Options{Heartbeat: heartbeat})
	var under, most, drives atomic.Int32
	began, heard, let, again := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	over := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		over <- e.Work(ctx, func(ctx context.Context, _ string) (runs.Next, error) {
			most.Store(max(most.Load(), under.Add(1)))
			defer under.Add(-1)
			if drives.Add(1) > 1 {
				close(again)
				return runs.Next{Ended: true}, nil
			}
			close(began)
			<-ctx.Done()
			close(heard)
			<-let
			return runs.Next{}, context.Cause(ctx)
		})
	}()
	require.NoError(t, e.Wake(t.Context(), "a"))
	<-began
	require.NoError(t, e.Cancel(t.Context(), "a"))
	<-heard
	require.NoError(t, e.Wake(t.Context(), "a"))
	select {
	case <-again:
		t.Error("it is driven twice at a time")
	case <-time.After(2 * heartbeat): // who does not wait for the drive has begun the next one by now
	}
	close(let)
	<-again
	stop()
	require.ErrorIs(t, <-over, context.Canceled)
	assert.Equal(t, int32(1), most.Load())
	assert.Equal(t, int32(2), drives.Load())
}

// A process that is killed leaves its runs to another one.
func TestRealKilled(t *testing.T) {
	p := newPlace(t)
	text, err := json.Marshal(p)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), envPlace+"="+string(text))
	var said strings.Builder
	cmd.Stderr = &said
	realpartstest.EndWithTest(cmd)
	require.NoError(t, cmd.Start())

	svc := p.service(t)
	_, err = svc.Start(t.Context(), "a", "walk 40", nil)
	require.NoError(t, err)
	awaits(t, svc, "a", func(s durable.State) bool { return s.Seq > 8 })
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	killed := time.Now()
	works(t, svc)
	answer := awaits(t, svc, "a", ended).Answer
	t.Logf("another process has driven it to its end %v after the death of the first", time.Since(killed).Round(time.Millisecond))
	first, second := strings.Count(answer, "killed "), strings.Count(answer, "service ")
	assert.Equal(t, strings.Repeat("killed ", first)+strings.Repeat("service ", second), answer, said.String())
	assert.Equal(t, 40, first+second)
	assert.Positive(t, first)
	assert.Positive(t, second)
}

// What runs that wait for a week cost the process that drove them, with the cache of the SDK as it is and with a
// small one, and what they cost the server.
func TestRealWaiting(t *testing.T) {
	p := newPlace(t)
	const many = 1000
	for _, cache := range []int{10_000, 16} {
		worker.SetStickyWorkflowCacheSize(cache)
		e := p.engine(t, &temporal.Options{TaskQueue: fmt.Sprint("cache ", cache)})
		require.NoError(t, e.Cancel(t.Context(), "nothing")) // the client has its connection
		idle := runtime.NumGoroutine()
		ctx, stop := context.WithCancel(t.Context())
		over := make(chan error, 1)
		var b begun
		go func() {
			over <- e.Work(ctx, func(_ context.Context, run string) (runs.Next, error) {
				b.drive(run)
				return runs.Next{At: time.Now().Add(7 * 24 * time.Hour)}, nil
			})
		}()
		wait := func(from, to int) (goroutines int, bytes uint64) {
			for i := from; i < to; i++ {
				require.NoError(t, e.Wake(t.Context(), fmt.Sprintf("%d %d", cache, i)))
			}
			require.Eventually(t, func() bool { return b.many() == to }, 5*time.Minute, 10*time.Millisecond)
			last := -1
			require.Eventually(t, func() bool { // they come to rest
				before := last
				last = runtime.NumGoroutine()
				return last == before
			}, 2*time.Minute, time.Second)
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return last, m.HeapInuse + m.StackInuse
		}
		g0, b0 := wait(0, 50) // whatever is made once
		g1, b1 := wait(50, 50+many)
		d, err := e.Describe(t.Context(), fmt.Sprintf("%d %d", cache, 100))
		require.NoError(t, err)
		t.Logf("a cache of %d: %.2f goroutines and %.1f kB for each of %d runs that wait; each has %d events and %d bytes at the server",
			cache, float64(g1-g0)/many, float64(int64(b1)-int64(b0))/many/1000, many,
			d.GetWorkflowExecutionInfo().GetHistoryLength(), d.GetWorkflowExecutionInfo().GetHistorySizeBytes())
		if cache < 50 {
			assert.Less(t, g1, g0+many/10)
		}
		stop()
		require.ErrorIs(t, <-over, context.Canceled)
		require.Eventually(t, func() bool { return runtime.NumGoroutine() <= idle+5 }, 2*time.Minute, 100*time.Millisecond,
			"%d goroutines are left of Work, and there were %d before it", runtime.NumGoroutine(), idle)
	}
}
