package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
)

// reports collects what Work reports.
type reports struct {
	mu   sync.Mutex
	list []string
	errs []error
}

func (r *reports) add(run string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, fmt.Sprintf("%s: %v", run, err))
	r.errs = append(r.errs, err)
}

// All runs are worked on once, by several workers, and Work ends with its context.
func TestWork(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		const runs = 30
		for i := range runs {
			require.NoError(t, s.Enqueue(t.Context(), fmt.Sprintf("run %02d", i), fmt.Append(nil, i)))
		}
		ctx, stop := context.WithCancelCause(t.Context())
		errEnough := errors.New("enough")
		defer stop(nil)
		var done atomic.Int64
		var group sync.WaitGroup
		for w := range 2 {
			own := p.open(t, nil)
			group.Go(func() {
				err := own.Work(ctx, sqlstore.WorkOptions{Worker: fmt.Sprint("w", w), Parallel: 2, Poll: time.Millisecond},
					func(ctx context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
						assert.Equal(t, l.Run, fmt.Sprintf("run %02s", l.Payload))
						if err := own.Append(ctx, l.Run, 0, []byte(l.Worker)); err != nil {
							return 0, err
						}
						if done.Add(1) == runs {
							stop(errEnough)
						}
						return sqlstore.Done, nil
					})
				assert.ErrorIs(t, err, errEnough)
			})
		}
		group.Wait()
		for q, err := range s.Queue(t.Context()) {
			require.NoError(t, err)
			assert.Equal(t, sqlstore.Ended, q.State, q.Run)
		}
		assert.Equal(t, runs, p.count(t, `SELECT COUNT(*) FROM agentfsm_records`))
	})
}

// A lease that is lost while its run is worked on ends that, and what comes of it changes
// nothing.
func TestLeaseLostMeanwhile(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var r reports
		err := s.Work(ctx, sqlstore.WorkOptions{Worker: "slow", TTL: 50 * time.Millisecond, Report: r.add}, func(inner context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
			defer stop()
			stealLease(t, p, s) //nolint:contextcheck // the test's own look, not the worker's
			<-inner.Done()
			assert.ErrorIs(t, context.Cause(inner), sqlstore.ErrLeaseLost)
			assert.NoError(t, ctx.Err())
			return sqlstore.Done, nil
		})
		require.ErrorIs(t, err, context.Canceled)
		require.Len(t, r.errs, 1)
		require.ErrorIs(t, r.errs[0], sqlstore.ErrLeaseLost)
		assert.Equal(t, []string{"run leased next 2"}, queue(t, s))
	})
}

// stealLease claims the only run although somebody has it.
func stealLease(t testing.TB, p *place, s *sqlstore.Store) {
	t.Helper()
	for {
		runOut(t, p)
		_, err := s.Claim(t.Context(), "next", time.Hour)
		if err == nil {
			return
		}
		require.ErrorIs(t, err, sqlstore.ErrNothing) // the lease was extended meanwhile
	}
}

// inBubble runs a test whose time passes at once, with SQLite, which has no other clock.
func inBubble(t *testing.T, test func(t *testing.T, p *place, s *sqlstore.Store)) {
	t.Helper()
	p := sqlitePlace(t)
	synctest.Test(t, func(t *testing.T) {
		s, err := p.try(t, nil)
		require.NoError(t, err)
		test(t, p, s)
		require.NoError(t, s.Close())
	})
}

// The lease lasts as long as the work, and another worker gets nothing meanwhile.
func TestHeartbeat(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *place, s *sqlstore.Store) {
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		ctx, stop := context.WithCancel(t.Context())
		err := s.Work(ctx, sqlstore.WorkOptions{}, func(ctx context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
			for range 60 {
				time.Sleep(time.Minute)
				nothing(t, s) //nolint:contextcheck // the test's own look, not the worker's
			}
			defer stop()
			return sqlstore.Wait, ctx.Err()
		})
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, []string{"run waiting  0"}, queue(t, s))
	})
}

// A run that fails is put off for longer each time, and is not marked done, whatever the failure is.
func TestFailures(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *place, s *sqlstore.Store) {
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var r reports
		var after []time.Duration
		last := time.Now()
		errBad := errors.New("bad")
		opts := sqlstore.WorkOptions{Worker: "w", Poll: 50 * time.Millisecond, MaxPause: 6 * time.Second, Report: r.add}
		err := s.Work(ctx, opts, func(_ context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
			after = append(after, time.Since(last).Round(200*time.Millisecond))
			last = time.Now()
			switch len(after) {
			case 1:
				return sqlstore.Done, errBad
			case 2:
				panic("boo")
			case 3:
				runtime.Goexit()
			case 4:
				return 0, nil
			case 5:
				return 7, nil
			case 6:
				return sqlstore.Release, nil
			case 7:
				assert.Equal(t, 1, l.Tries, "it has come on")
				return sqlstore.Done, errBad
			}
			stop()
			return sqlstore.Done, errBad // not its fault any more
		})
		require.ErrorIs(t, err, context.Canceled)
		sec := time.Second
		assert.Equal(t, []time.Duration{0, sec, 2 * sec, 4 * sec, 6 * sec, 6 * sec, 0, sec}, after)
		assert.Equal(t, []string{
			"run: bad",
			"run: sqlstore: panic: boo",
			"run: sqlstore: the func ended its goroutine",
			"run: sqlstore: neither Done nor Wait nor Release: 0",
			"run: sqlstore: neither Done nor Wait nor Release: 7",
			"run: bad",
		}, r.list)
		var panicked *sqlstore.PanicError
		require.ErrorAs(t, r.errs[1], &panicked)
		assert.Contains(t, string(panicked.Stack), "work_test.go")
		require.ErrorIs(t, r.errs[3], sqlstore.ErrAfter)
		assert.Equal(t, []string{"run ready  0"}, queue(t, s), "released, since Work ended")
	})
}

// A worker that is idle sees runs that are enqueued and woken by others.
func TestIdleWorker(t *testing.T) {
	inBubble(t, func(t *testing.T, p *place, s *sqlstore.Store) {
		ctx, stop := context.WithCancel(t.Context())
		var got []string
		ends := make(chan error)
		go func() {
			ends <- s.Work(ctx, sqlstore.WorkOptions{}, func(_ context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
				got = append(got, l.Run)
				if len(got) == 3 {
					return sqlstore.Done, nil
				}
				return sqlstore.Wait, nil
			})
		}()
		for range 2 {
			time.Sleep(time.Minute)
			require.NoError(t, s.Enqueue(t.Context(), fmt.Sprint(len(got)), nil))
			time.Sleep(time.Minute)
		}
		require.NoError(t, s.Wake(t.Context(), "0"))
		time.Sleep(time.Minute)
		stop()
		require.ErrorIs(t, <-ends, context.Canceled)
		assert.Equal(t, []string{"0", "1", "0"}, got)
		assert.Equal(t, []string{"0 ended  1", "1 waiting  0"}, queue(t, s))
	})
}

// A database that fails ends Work, or is reported and tried again, as the caller wants it.
func TestWorkWithoutDatabase(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *place, s *sqlstore.Store) {
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		require.NoError(t, s.Close())
		do := func(context.Context, *sqlstore.Lease) (sqlstore.After, error) { return sqlstore.Done, nil }
		var failed *sqlstore.QueueError
		require.ErrorAs(t, s.Work(t.Context(), sqlstore.WorkOptions{Parallel: 3}, do), &failed)
		assert.Equal(t, "claim", failed.Op)

		ctx, stop := context.WithTimeout(t.Context(), time.Hour)
		defer stop()
		var r reports
		require.ErrorIs(t, s.Work(ctx, sqlstore.WorkOptions{Report: r.add}, do), context.DeadlineExceeded)
		assert.Greater(t, len(r.list), 60)
		assert.Less(t, len(r.list), 400)

		require.Error(t, s.Work(t.Context(), sqlstore.WorkOptions{}, nil))
		require.ErrorIs(t, s.Work(t.Context(), sqlstore.WorkOptions{Worker: "a\nb", Report: r.add}, do), sqlstore.ErrWorker)
	})
}

// When the lease could not be extended for as long as it lasts, nobody knows whose the
// run is.
func TestDatabaseGoneMeanwhile(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *place, s *sqlstore.Store) {
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var r reports
		begun := time.Now()
		err := s.Work(ctx, sqlstore.WorkOptions{TTL: time.Minute, Report: r.add}, func(ctx context.Context, _ *sqlstore.Lease) (sqlstore.After, error) {
			defer stop()
			time.Sleep(10 * time.Minute)
			assert.NoError(t, ctx.Err())
			assert.NoError(t, s.Close())
			<-ctx.Done()
			assert.ErrorIs(t, context.Cause(ctx), sqlstore.ErrLeaseLost)
			return sqlstore.Done, nil
		})
		require.ErrorIs(t, err, context.Canceled)
		assert.WithinDuration(t, begun.Add(11*time.Minute), time.Now(), 30*time.Second)
		require.NotEmpty(t, r.errs)
		require.ErrorIs(t, r.errs[0], sqlstore.ErrLeaseLost)
	})
}
