package runtask_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

func echo(_ context.Context, w *worker) error { return w.finish("did " + w.task) }

func fail(reason string) func(context.Context, *worker) error {
	return func(_ context.Context, w *worker) error {
		w.answer = "never"
		w.Decide(fsm.Fail, fsm.BySystem, reason)
		return nil
	}
}

func newTool(t *testing.T, open func(context.Context) (*round.Session, error)) *runtask.Tool {
	t.Helper()
	task, err := runtask.New(open, nil)
	require.NoError(t, err)
	return task
}

// with opens a session with this worker, and no other.
func with(w *worker) func(context.Context) (*round.Session, error) {
	return func(context.Context) (*round.Session, error) { return round.NewSession(w, nil) }
}

func shared(t *testing.T, w *worker) (*runtask.Tool, *round.Session) {
	t.Helper()
	session, err := round.NewSession(w, nil)
	require.NoError(t, err)
	task, err := runtask.Shared(session, nil)
	require.NoError(t, err)
	return task, session
}

func TestNames(t *testing.T) {
	task := newTool(t, sessions(echo))
	assert.Equal(t, "run_task", task.Name())
	assert.Contains(t, task.Description(), "a task in the applications of a desktop")

	opts := &runtask.Options{Name: "office", Description: "works in an office"}
	task, err := runtask.New(sessions(echo), opts)
	require.NoError(t, err)
	opts.Name = "other"
	assert.Equal(t, "office", task.Name(), "options are copied")
	assert.Equal(t, "works in an office", task.Description())
}

func TestNoSession(t *testing.T) {
	_, err := runtask.New(nil, nil)
	require.ErrorContains(t, err, "runtask: there is no session")
	_, err = runtask.Shared(nil, nil)
	require.ErrorContains(t, err, "runtask: there is no session")
	_, err = (&runtask.Tool{}).Run(t.Context(), "x")
	require.ErrorContains(t, err, "runtask: there is no session", "the zero Tool")

	_, err = newTool(t, func(context.Context) (*round.Session, error) { return nil, nil }).Run(t.Context(), "x")
	require.ErrorContains(t, err, "runtask: there is no session")

	closed := errors.New("the office is closed")
	_, err = newTool(t, func(context.Context) (*round.Session, error) { return nil, closed }).Run(t.Context(), "x")
	require.ErrorIs(t, err, closed)
	assert.ErrorContains(t, err, "runtask: ")
}

func TestFinish(t *testing.T) {
	w := &worker{step: echo, closed: make(chan error, 1)}
	w.closed <- nil
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "the caller's")
	task := newTool(t, func(ctx context.Context) (*round.Session, error) {
		assert.Equal(t, "the caller's", ctx.Value(key{}))
		return round.NewSession(w, nil)
	})
	res, err := task.Run(ctx, "the dishes")
	require.NoError(t, err)
	assert.Equal(t, round.Finished, res.Outcome)
	assert.Equal(t, "did the dishes", res.Answer)
	require.NoError(t, res.Warning)
	assert.Empty(t, w.closed, "the session is closed")
}

// A task that is done stays done when cleaning up fails, and that is told.
func TestCloseFails(t *testing.T) {
	w := &worker{step: echo, closed: make(chan error, 2)}
	broken := errors.New("the window is stuck")
	w.closed <- broken
	w.closed <- broken
	task := newTool(t, with(w))
	res, err := task.Run(t.Context(), "x")
	require.NoError(t, err)
	assert.Equal(t, round.Finished, res.Outcome)
	require.ErrorIs(t, res.Warning, broken)
	assert.Contains(t, decode(t, res)["warning"], broken.Error())

	w.step = fail("no time")
	_, err = task.Run(t.Context(), "x")
	require.ErrorIs(t, err, round.ErrFailed)
	require.ErrorIs(t, err, broken)
}

// Closing a session is bounded, and not by the context of the call.
func TestClosingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &worker{closed: make(chan error, 1)}
		cancelled := func() error {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			w.step = func(ctx context.Context, _ *worker) error {
				cancel()
				return ctx.Err()
			}
			_, err := newTool(t, with(w)).Run(ctx, "x")
			require.ErrorIs(t, err, round.ErrCancelled)
			return err
		}
		start := time.Now()
		require.ErrorIs(t, cancelled(), context.DeadlineExceeded, "nobody sends")
		assert.Equal(t, 30*time.Second, time.Since(start))
		w.closed <- nil
		require.NotErrorIs(t, cancelled(), context.DeadlineExceeded)
		assert.Empty(t, w.closed, "the session is closed all the same")
	})
}

func TestNotFinished(t *testing.T) {
	odd := errors.New("odd")
	for name, c := range map[string]struct {
		step    func(ctx context.Context, w *worker) error
		outcome round.Outcome
		is      error
		text    string
	}{
		"fail":    {fail("there is no table"), round.Failed, round.ErrFailed, "there is no table"},
		"error":   {func(context.Context, *worker) error { return odd }, round.Faulted, odd, "odd"},
		"panic":   {func(context.Context, *worker) error { panic("oh") }, round.Faulted, round.ErrFault, "oh"},
		"suspend": {func(context.Context, *worker) error { return fsm.ErrSuspend }, round.Suspended, round.ErrSuspended, ""},
		"budget": {func(_ context.Context, w *worker) error {
			w.Decide(fsm.Continue, fsm.BySystem, "")
			return nil
		}, round.OverBudget, round.ErrBudget, "MaxTransitions"},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := newTool(t, sessions(c.step)).Run(t.Context(), "x")
			assert.Zero(t, res)
			require.ErrorIs(t, err, c.is)
			failed, ok := errors.AsType[*runtask.Error](err)
			require.True(t, ok)
			assert.Equal(t, c.outcome, failed.Result.Outcome)
			require.ErrorContains(t, err, "runtask: ")
			require.ErrorContains(t, err, c.text)
			assert.NotContains(t, err.Error(), "never")
		})
	}
}

// A request without a text, or under a context that is done, opens no session, and takes none.
func TestCancelledBefore(t *testing.T) {
	impatient := errors.New("impatient")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(impatient)
	opens := newTool(t, func(context.Context) (*round.Session, error) {
		assert.Fail(t, "a session is opened")
		return nil, nil
	})
	_, err := opens.Run(t.Context(), " \n")
	require.ErrorIs(t, err, round.ErrNoRequest)
	_, err = opens.Run(ctx, "x")
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, impatient)

	task, session := shared(t, &worker{step: func(context.Context, *worker) error { return fsm.ErrSuspend }})
	_, err = task.Run(t.Context(), "x")
	require.ErrorIs(t, err, round.ErrSuspended)
	before := session.Round()
	_, err = task.Run(ctx, "y")
	require.ErrorIs(t, err, impatient)
	assert.Same(t, before, session.Round(), "the round that waits is not given up")
}

// Calls of New run at the same time: each waits for the other one here.
func TestConcurrentCalls(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	task := newTool(t, sessions(func(_ context.Context, w *worker) error {
		both.Done()
		both.Wait()
		return w.finish("did " + w.task)
	}))
	var calls sync.WaitGroup
	for _, request := range []string{"a", "b"} {
		calls.Go(func() {
			res, err := task.Run(t.Context(), request)
			assert.NoError(t, err)
			assert.Equal(t, "did "+request, res.Answer)
		})
	}
	calls.Wait()
}

// Calls of Shared run one after another, in one session.
func TestShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running, done := 0, []string{}
		w := &worker{closed: make(chan error, 1)}
		w.closed <- nil
		w.step = func(_ context.Context, w *worker) error {
			running++
			assert.Equal(t, 1, running)
			time.Sleep(time.Minute)
			running--
			done = append(done, w.task)
			return w.finish(strings.Join(done, ""))
		}
		task, session := shared(t, w)
		var calls sync.WaitGroup
		for range 3 {
			calls.Go(func() {
				_, err := task.Run(t.Context(), "x")
				assert.NoError(t, err)
			})
		}
		synctest.Wait()
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := task.Run(impatient, "y")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		calls.Wait()
		assert.Equal(t, "xxx", session.Round().Result().Answer)
		assert.NotEmpty(t, w.closed, "the session is the caller's")
	})
}

// A round that waits for an answer can be driven on by whoever has the session.
func TestSharedSuspended(t *testing.T) {
	asked := false
	var fails error
	task, session := shared(t, &worker{step: func(_ context.Context, w *worker) error {
		if !asked {
			asked = true
			return fsm.ErrSuspend
		}
		return errors.Join(fails, w.finish("done"))
	}})
	_, err := task.Run(t.Context(), "x")
	require.ErrorIs(t, err, round.ErrSuspended)
	res, err := session.Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "done", res.Answer)
	fails = errors.New("gone")
	_, err = task.Run(t.Context(), "x")
	require.ErrorIs(t, err, fails)
	fails = nil
	_, err = task.Run(t.Context(), "x")
	require.NoError(t, err, "a fault is the end of a call, not of the session")

	require.NoError(t, session.Close(t.Context()))
	_, err = task.Run(t.Context(), "x")
	require.ErrorIs(t, err, round.ErrClosed)
}
