package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
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
