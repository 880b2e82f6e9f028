package runs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
	"github.com/agentfsm/agentfsm/runs"
)

// asks is a first step that asks a person, and ends with the answer.
func asks(ctx context.Context, t *teller, n int) (bool, error) {
	text, err := t.ask(ctx)
	t.Said = text
	return true, err
}

// walks takes some steps.
func walks(steps int) handle {
	return func(_ context.Context, t *teller, n int) (bool, error) {
		t.Said = fmt.Sprintf("%d steps", n)
		return n == steps, nil
	}
}

func TestStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, walks(2))
		svc := w.works(w.process(runs.Config{}))
		state, err := svc.Start(t.Context(), "order 12", "pay Ann", &durable.StartOptions{Meta: []byte(`{"of":"Ann"}`)})
		require.NoError(t, err)
		assert.Equal(t, durable.Ready, state.Stage)
		assert.True(t, state.New)
		synctest.Wait()
		assert.Equal(t, `ended FINISH "" "2 steps"`, w.stands("order 12"))

		state, err = svc.Start(t.Context(), "order 12", "pay Ann", &durable.StartOptions{Meta: []byte(`{ "of": "Ann" }`)})
		require.NoError(t, err, "the same request is the same run")
		assert.Equal(t, "2 steps", state.Answer)
		assert.JSONEq(t, `{"of":"Ann"}`, string(state.Meta))
		assert.False(t, state.New)
		_, err = svc.Start(t.Context(), "order 12", "pay Bob", &durable.StartOptions{Meta: []byte(`{"of":"Ann"}`)})
		require.ErrorIs(t, err, round.ErrOtherRequest)
		for _, meta := range []string{"", `{"of":"Bob"}`, `{"of":"Ann","for":1}`} { // it says whose run it is
			_, err = svc.Start(t.Context(), "order 12", "pay Ann", &durable.StartOptions{Meta: []byte(meta)})
			require.ErrorIs(t, err, round.ErrOtherRequest, meta)
		}
		_, err = svc.Start(t.Context(), "order 14", "pay Ann", &durable.StartOptions{Meta: []byte("\"\xff\"")})
		require.ErrorContains(t, err, "UTF-8")
		_, err = svc.Start(t.Context(), "order 12", "pay Bob", nil)
		require.ErrorIs(t, err, round.ErrOtherRequest)
		_, err = svc.Start(t.Context(), "order 13", " ", nil)
		require.ErrorIs(t, err, round.ErrNoRequest)

		state, err = svc.Start(t.Context(), "", "pay Bob", nil)
		require.NoError(t, err)
		assert.NotEmpty(t, state.Run, "a new id")
		synctest.Wait()
		assert.Equal(t, []string{"order 12 1", "order 12 2", state.Run + " 1", state.Run + " 2"}, w.steps())
	})
}

// A run that was started by a process without agents is driven by another one, once that looks.
func TestStartElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, walks(1))
		w.works(w.process(runs.Config{Poll: time.Minute}))
		page := w.process(runs.Config{})
		synctest.Wait()
		w.start(page, "a")
		assert.Empty(t, w.steps())
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, `ended FINISH "" "1 steps"`, w.stands("a"))
	})
}

func TestAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asks)
		svc := w.works(w.process(runs.Config{}))
		w.start(svc, "a")
		synctest.Wait()
		assert.Equal(t, durable.Waiting, w.look("a").Stage)
		for i := range 2 { // a double click
			given, err := svc.Answer(t.Context(), "a", "a-q", people.Answer{Text: "12"})
			require.NoError(t, err)
			assert.Equal(t, i == 0, given)
		}
		synctest.Wait()
		assert.Equal(t, `ended FINISH "" "12"`, w.stands("a"))
		assert.Equal(t, []string{"a 1", "a 1"}, w.steps(), "driven twice")
		_, err := svc.Answer(t.Context(), "a", "q", people.Answer{})
		require.ErrorIs(t, err, durable.ErrUnknownQuestion)
	})
}

// An answer that another process gives is one record. Whoever works finds it.
func TestAnswerElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asks)
		w.works(w.process(runs.Config{}))
		page := w.process(runs.Config{})
		w.start(page, "a")
		time.Sleep(1100 * time.Millisecond)
		_, err := page.Answer(t.Context(), "a", "a-q", people.Answer{Text: "12"})
		require.NoError(t, err)
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, `ended FINISH "" "12"`, w.stands("a"))
	})
}

// fickle is a store that once, when a run has just stopped, gives nobody a mark before the answer is there.
type fickle struct {
	store.Index
	answer  func()
	stopped atomic.Bool
}

func (f *fickle) AppendMarked(ctx context.Context, run string, after int64, mark store.Mark, records ...[]byte) error {
	err := f.Index.AppendMarked(ctx, run, after, mark, records...)
	if err == nil && mark.Stage == string(durable.Waiting) && f.answer != nil {
		f.stopped.Store(true)
	}
	return err
}

func (f *fickle) Marked(ctx context.Context, run string) (store.Mark, error) {
	if f.stopped.CompareAndSwap(true, false) {
		answer := f.answer
		f.answer = nil
		answer()
		return store.Mark{}, errors.New("the store is away")
	}
	return f.Index.Marked(ctx, run)
}

// The service cannot look where a run stands that waits, and has its answer by then: that is no failure of the run.
func TestAnswerWhileTheStoreIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, asks)
		f := &fickle{Index: store.Memory()}
		w.store = f
		svc := w.process(runs.Config{})
		f.answer = func() {
			_, err := durable.Answer(t.Context(), f.Index, "a", "a-q", people.Answer{Text: "12"})
			assert.NoError(t, err)
		}
		w.works(svc)
		w.start(svc, "a")
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Nil(t, f.answer, "it was given")
		assert.Equal(t, `ended FINISH "" "12"`, w.stands("a"))
		for r, err := range durable.Records(t.Context(), f.Index, "a") {
			require.NoError(t, err)
			assert.NotEqual(t, "postpone", r.Kind)
		}
	})
}

func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(ctx context.Context, tl *teller, _ int) (bool, error) {
			_, err := tl.ask(ctx)
			if errors.Is(err, people.ErrTimeout) {
				tl.Said = "nobody answered"
				err = nil
			}
			return true, err
		})
		w.timeout = time.Hour
		svc := w.works(w.process(runs.Config{}))
		w.start(svc, "a")
		time.Sleep(time.Hour - time.Second)
		assert.Equal(t, durable.Waiting, w.look("a").Stage)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, `ended FINISH "" "nobody answered"`, w.stands("a"))
	})
}

func TestCancel(t *testing.T) {
	for name, tc := range map[string]struct {
		do        handle
		elsewhere bool // by a process that does not drive it
		waits     time.Duration
		steps     []string
	}{
		"waits for an answer":             {do: asks, steps: []string{"a 1"}},
		"waits for an answer, elsewhere":  {do: asks, elsewhere: true, steps: []string{"a 1"}},
		"is in the midst of a step":       {do: hangs, steps: []string{"a 1", "a stopped"}},
		"is in a step of another process": {do: hangs, elsewhere: true, waits: time.Second, steps: []string{"a 1", "a stopped"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, tc.do)
				svc := w.works(w.process(runs.Config{}))
				w.start(svc, "a")
				synctest.Wait()
				if tc.elsewhere {
					svc = w.process(runs.Config{})
				}
				cancelled, err := svc.Cancel(t.Context(), "a", "the customer is gone")
				require.NoError(t, err)
				assert.True(t, cancelled)
				time.Sleep(tc.waits)
				synctest.Wait()
				assert.Equal(t, `ended CANCELLED "the customer is gone" ""`, w.stands("a"))
				assert.Equal(t, tc.steps, w.steps())
				_, err = svc.Answer(t.Context(), "a", "a-q", people.Answer{})
				require.ErrorIs(t, err, durable.ErrCancelled)
				cancelled, err = svc.Cancel(t.Context(), "a", "")
				require.NoError(t, err)
				assert.False(t, cancelled)
			})
		})
	}
}

// hangs does nothing until it is cancelled.
func hangs(ctx context.Context, t *teller, _ int) (bool, error) {
	<-ctx.Done()
	t.w.note("%s stopped", t.run)
	return false, context.Cause(ctx)
}

// A run that cannot go on is tried again after pauses that grow, and put aside in the end. Retry begins anew.
func TestPostponed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, walks(1))
		var mu sync.Mutex
		var broken error
		breaks := func(err error) {
			mu.Lock()
			defer mu.Unlock()
			broken = err
		}
		began := time.Now()
		var at []time.Duration
		svc := w.works(w.process(runs.Config{MaxTries: 4, Poll: time.Second / 10, Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Since(began).Round(time.Second))
			if broken != nil {
				return nil, nil, broken
			}
			if len(at) == 2 {
				panic("no licence")
			}
			return w.teller("a").Agent, nil, nil
		}}))
		breaks(errors.New("no network"))
		w.start(svc, "a")
		synctest.Wait()
		assert.Equal(t, `waiting  "no network" ""`, w.stands("a"))
		breaks(nil)
		time.Sleep(1100 * time.Millisecond)
		assert.Contains(t, w.stands("a"), "no licence")
		breaks(errors.New("no network"))
		time.Sleep(time.Hour)
		assert.Equal(t, `aside  "no network" ""`, w.stands("a"))
		assert.Equal(t, 4, w.look("a").Tries)
		mu.Lock()
		assert.Equal(t, []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second}, at)
		mu.Unlock()

		breaks(nil)
		_, err := svc.Retry(t.Context(), "a", nil)
		require.NoError(t, err)
		synctest.Wait()
		assert.Equal(t, `ended FINISH "" "1 steps"`, w.stands("a"))
	})
}

// Where trying again is no use, the run waits for a person at once.
func TestAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, walks(1))
		svc := w.works(w.process(runs.Config{Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
			return nil, nil, fmt.Errorf("%w: there is no document", runs.ErrAside)
		}}))
		w.start(svc, "a")
		synctest.Wait()
		assert.Equal(t, `aside  "runs: the run is put aside: there is no document" ""`, w.stands("a"))
	})
}

// A store that answers nothing does not keep Close waiting.
func TestCloseOfAStoreThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, walks(1))
		w.store = hung{w.store}
		svc := w.process(runs.Config{})
		worked := make(chan error, 1)
		go func() { worked <- svc.Work(t.Context()) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, svc.Close(ctx), context.DeadlineExceeded)
		require.ErrorIs(t, <-worked, runs.ErrClosed)
	})
}

// hung is a store that lists nothing.
type hung struct{ store.Store }

func (hung) Runs(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		<-ctx.Done()
		yield("", context.Cause(ctx))
	}
}

// While a provider is away, its runs wait.
func TestOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back atomic.Bool
		w := newWorld(t, func(context.Context, *teller, int) (bool, error) {
			if !back.Load() {
				return false, llm.ErrUnavailable
			}
			return true, nil
		})
		svc := w.works(w.process(runs.Config{}))
		w.start(svc, "a")
		time.Sleep(10 * time.Minute)
		assert.Equal(t, durable.Waiting, w.look("a").Stage)
		assert.Contains(t, w.look("a").Reason, "gave no answer")
		assert.Greater(t, w.look("a").Tries, 5)
		back.Store(true)
		time.Sleep(5 * time.Minute)
		assert.Equal(t, durable.Ended, w.look("a").Stage)
		assert.Zero(t, w.look("a").Tries)
	})
}

// The bounds stand in the run: another process with others does not change them.
func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, walks(5))
		page := w.process(runs.Config{Round: &round.Options{MaxTransitions: 3}})
		w.start(page, "a")
		svc := w.works(w.process(runs.Config{Round: &round.Options{MaxTransitions: 100}}))
		synctest.Wait()
		state := w.look("a")
		assert.Equal(t, durable.Aside, state.Stage)
		assert.Contains(t, state.Reason, "MaxTransitions of 3 reached")
		_, err := svc.Retry(t.Context(), "a", func(o *round.Options) { o.MaxTransitions *= 2 })
		require.NoError(t, err)
		synctest.Wait()
		assert.Equal(t, `ended FINISH "" "5 steps"`, w.stands("a"))
	})
}

// A run whose processes die before they get anywhere is put aside, wherever it stands. After a Retry it goes on, with one try, too.
func TestDied(t *testing.T) {
	for name, answered := range map[string]bool{"at its beginning": false, "behind an answer": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, walks(3))
				if answered {
					w.do = asks
				}
				page := w.process(runs.Config{})
				w.start(page, "a")
				if answered {
					first := w.process(runs.Config{})
					go func() { _ = first.Work(t.Context()) }()
					synctest.Wait()
					require.NoError(t, first.Close(t.Context()))
					_, err := page.Answer(t.Context(), "a", "a-q", people.Answer{Text: "12"})
					require.NoError(t, err)
				}
				for range 3 { // processes that begin to drive it, and are gone
					_, err := durable.Attempt(t.Context(), w.store, "a")
					require.NoError(t, err)
				}
				assert.Equal(t, 2, w.look("a").Tries)
				stops := w.process(runs.Config{MaxTries: 3})
				go func() { _ = stops.Work(t.Context()) }()
				synctest.Wait()
				require.NoError(t, stops.Close(t.Context()))
				assert.Equal(t, durable.Aside, w.look("a").Stage)
				assert.Equal(t, "the process that drove the run died", w.look("a").Reason)
				_, err := page.Retry(t.Context(), "a", nil)
				require.NoError(t, err)
				w.works(w.process(runs.Config{MaxTries: 1}))
				synctest.Wait()
				assert.Equal(t, durable.Ended, w.look("a").Stage)
			})
		})
	}
}

// A fork is driven, and counts as nothing that failed.
func TestForkIsDriven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, walks(3))
		svc := w.works(w.process(runs.Config{MaxTries: 1}))
		w.start(svc, "a")
		synctest.Wait()
		require.NoError(t, svc.Fork(t.Context(), "a", "b", durable.Change{}))
		synctest.Wait()
		assert.Equal(t, durable.Ended, w.look("b").Stage)
		assert.Equal(t, "a", w.look("b").ForkedFrom)
	})
}

// Two processes work on one store: each run is driven once.
func TestTwoProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(_ context.Context, tl *teller, n int) (bool, error) {
			time.Sleep(time.Duration(n) * 700 * time.Millisecond)
			return n == 3, nil
		})
		svc := w.works(w.process(runs.Config{MaxRuns: 3}))
		w.works(w.process(runs.Config{MaxRuns: 3}))
		for i := range 10 {
			w.start(svc, fmt.Sprint("run ", i))
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		for i := range 10 {
			assert.Equal(t, durable.Ended, w.look(fmt.Sprint("run ", i)).Stage)
		}
		assert.Len(t, w.steps(), 30, "no step is taken twice")
		assert.Zero(t, w.open, "each agent was closed")
		assert.LessOrEqual(t, w.most, 7, "one of them at a time has a run; for a moment two may")
	})
}

// With one place, a long run makes room for a short one.
func TestFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(_ context.Context, tl *teller, n int) (bool, error) {
			time.Sleep(time.Second)
			return n == map[string]int{"long": 7, "short": 1}[tl.run], nil
		})
		svc := w.works(w.process(runs.Config{MaxRuns: 1, Slice: 2}))
		w.start(svc, "long")
		synctest.Wait()
		w.start(svc, "short")
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, "long 1, long 2, short 1, long 3, long 4, long 5, long 6, long 7", strings.Join(w.steps(), ", "))
		assert.Equal(t, durable.Ended, w.look("long").Stage)
	})
}

// Close lets the step under way end, and takes no other one. Whoever works next goes on.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(ctx context.Context, tl *teller, n int) (bool, error) {
			select {
			case <-time.After(time.Minute):
			case <-ctx.Done():
			}
			return n == 3, context.Cause(ctx)
		})
		svc := w.process(runs.Config{})
		worked := make(chan error, 1)
		go func() { worked <- svc.Work(t.Context()) }()
		w.start(svc, "a")
		time.Sleep(90 * time.Second)
		require.EqualError(t, svc.Work(t.Context()), "runs: Work is being called already")
		closed := time.Now()
		require.NoError(t, svc.Close(t.Context()))
		assert.Equal(t, 30*time.Second, time.Since(closed))
		require.ErrorIs(t, <-worked, runs.ErrClosed)
		require.ErrorIs(t, svc.Work(t.Context()), runs.ErrClosed)
		assert.Equal(t, []string{"a 1", "a 2"}, w.steps())
		assert.Equal(t, durable.Ready, w.look("a").Stage)

		next := w.process(runs.Config{})
		go func() { worked <- next.Work(t.Context()) }()
		time.Sleep(30 * time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, next.Close(ctx), context.DeadlineExceeded)
		<-worked
		assert.Equal(t, []string{"a 1", "a 2", "a 3"}, w.steps())
		assert.True(t, w.look("a").Ready(), "the step is taken again")
		w.works(w.process(runs.Config{}))
		time.Sleep(time.Minute + time.Second)
		synctest.Wait()
		assert.Equal(t, durable.Ended, w.look("a").Stage)
	})
}

func TestWorkEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, hangs)
		svc := w.process(runs.Config{})
		ctx, cancel := context.WithCancel(t.Context())
		w.start(svc, "a")
		time.AfterFunc(time.Minute, cancel)
		require.ErrorIs(t, svc.Work(ctx), context.Canceled)
		assert.True(t, w.look("a").Ready())
	})
	svc, err := runs.New(newWorld(t, nil).store, runs.Config{})
	require.NoError(t, err)
	require.Error(t, svc.Work(t.Context()), "it has no agents")
	_, err = runs.New(nil, runs.Config{})
	require.Error(t, err)
}

// What has ended is deleted, by a person or by its age. What has not is kept.
func TestDelete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(ctx context.Context, tl *teller, n int) (bool, error) {
			if tl.run == "waits" {
				return asks(ctx, tl, n)
			}
			return true, nil
		})
		svc := w.works(w.process(runs.Config{Keep: 24 * time.Hour}))
		w.start(svc, "waits")
		w.start(svc, "old")
		synctest.Wait()
		time.Sleep(20 * time.Hour)
		w.start(svc, "new")
		synctest.Wait()
		require.ErrorIs(t, svc.Delete(t.Context(), "waits"), runs.ErrNotEnded)
		require.NoError(t, svc.Delete(t.Context(), "none"))
		time.Sleep(5 * time.Hour)
		var left []string
		for state, err := range svc.List(t.Context(), durable.Query{}) {
			require.NoError(t, err)
			left = append(left, state.Run)
		}
		assert.Equal(t, []string{"new", "waits"}, left)
		require.NoError(t, svc.Delete(t.Context(), "new"))
		_, err := svc.Get(t.Context(), "new")
		require.ErrorIs(t, err, durable.ErrNoRun)
		w.start(svc, "new")
		synctest.Wait()
		assert.Equal(t, `ended FINISH "" ""`, w.stands("new"), "another run")
	})
}

// A log of many runs says of each record which run it is about.
func TestLogsSayWhichRun(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var mu sync.Mutex
	handled := map[string]int{}
	w := newWorld(t, func(ctx context.Context, t *teller, n int) (bool, error) {
		run, round := round.RunID(ctx)
		mu.Lock()
		defer mu.Unlock()
		if run == t.run && round == 1 {
			handled[run]++
		}
		return n == 2, nil
	})
	svc := w.process(runs.Config{Round: &round.Options{Observe: observe.Slog(logger, nil)}, Logger: logger})
	for _, run := range []string{"a", "b", "c"} {
		w.start(svc, run)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- svc.Work(ctx) }()
	for _, run := range []string{"a", "b", "c"} {
		require.Eventually(t, func() bool { return w.look(run).Stage == durable.Ended }, 2*time.Minute, time.Millisecond)
	}
	cancel()
	require.Error(t, <-done)
	require.NoError(t, svc.Close(context.Background()))

	assert.Equal(t, map[string]int{"a": 2, "b": 2, "c": 2}, handled)
	transitions := map[string]int{}
	for line := range bytes.Lines(log.Bytes()) {
		var record struct {
			Message string `json:"msg"`
			Run     string `json:"agentfsm.run.id"`
			Round   int    `json:"agentfsm.round"`
		}
		require.NoError(t, json.Unmarshal(line, &record))
		assert.NotEmpty(t, record.Run, "%s", line)
		if record.Message == "transition" {
			assert.Equal(t, 1, record.Round)
			transitions[record.Run]++
		}
	}
	assert.Equal(t, map[string]int{"a": 2, "b": 2, "c": 2}, transitions)
}

// slow is a store that takes a second to give a run back.
type slow struct{ store.Store }

type slowHold struct{ store.Hold }

func (s slow) Drive(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
	h, err := s.Store.Drive(ctx, run, takeOver)
	if err != nil {
		return nil, err
	}
	return slowHold{h}, nil
}

func (h slowHold) Release(ctx context.Context) error {
	time.Sleep(time.Second)
	return h.Hold.Release(ctx)
}

// Delete waits for the driver of its own process, which has the run for a moment after the end is on record.
func TestDeleteWaitsForItsOwnDriver(t *testing.T) {
	for name, c := range map[string]struct {
		do     handle
		cancel bool
	}{
		"it has just ended": {do: func(context.Context, *teller, int) (bool, error) { return true, nil }},
		"it was cancelled, and its Handle takes a while": {do: func(ctx context.Context, _ *teller, _ int) (bool, error) {
			<-ctx.Done()
			time.Sleep(10 * time.Second)
			return false, context.Cause(ctx)
		}, cancel: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, c.do)
				w.store = slow{w.store}
				svc := w.works(w.process(runs.Config{}))
				w.start(svc, "a")
				for state := w.look("a"); state.Stage != durable.Ended; state = w.look("a") {
					time.Sleep(100 * time.Millisecond)
					if c.cancel && state.Rounds > 0 {
						_, err := svc.Cancel(t.Context(), "a", "")
						require.NoError(t, err)
					}
				}
				short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				defer cancel()
				require.ErrorIs(t, svc.Delete(short, "a"), context.DeadlineExceeded)
				require.NoError(t, svc.Delete(t.Context(), "a"))
				_, err := svc.Get(t.Context(), "a")
				require.ErrorIs(t, err, durable.ErrNoRun)
			})
		})
	}
}

// What an agent works with may delete its run when it is closed.
func TestDeleteWithinDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(context.Context, *teller, int) (bool, error) { return true, nil })
		var svc *runs.Service
		svc = w.process(runs.Config{Agent: func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
			return w.teller(run.Run).Agent, func() { assert.NoError(t, svc.Delete(t.Context(), run.Run)) }, nil
		}})
		w.works(svc)
		w.start(svc, "a")
		time.Sleep(time.Minute)
		_, err := svc.Get(t.Context(), "a")
		require.ErrorIs(t, err, durable.ErrNoRun)
	})
}
