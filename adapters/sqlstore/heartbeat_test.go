package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
)

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
