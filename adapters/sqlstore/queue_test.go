package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

// queue lists the queue, a line for each run.
func queue(t testing.TB, s *sqlstore.Store) (lines []string) {
	t.Helper()
	for q, err := range s.Queue(t.Context()) {
		require.NoError(t, err)
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %v %s %d %s", q.Run, q.State, q.Worker, q.Tries, q.Failure)))
	}
	return lines
}

// runOut ends all leases and pauses, as time does.
func runOut(t testing.TB, p *place) {
	t.Helper()
	p.exec(t, `UPDATE agentfsm_queue SET free = 0`)
}

func claim(t testing.TB, s *sqlstore.Store, worker string) *sqlstore.Lease {
	t.Helper()
	l, err := s.Claim(t.Context(), worker, time.Hour)
	require.NoError(t, err)
	return l
}

func nothing(t testing.TB, s *sqlstore.Store) {
	t.Helper()
	l, err := s.Claim(t.Context(), "nobody", time.Hour)
	require.ErrorIs(t, err, sqlstore.ErrNothing)
	require.Nil(t, l)
}

func TestOldestFirst(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		nothing(t, s)
		for _, run := range []string{"b", "a", "c"} {
			require.NoError(t, s.Enqueue(t.Context(), run, []byte("for\x00 "+run)))
		}
		err := s.Enqueue(t.Context(), "a", nil)
		require.ErrorIs(t, err, sqlstore.ErrExists)
		assert.EqualError(t, err, `sqlstore: enqueue run "a": sqlstore: the run is in the queue already`)

		b := claim(t, s, "one")
		assert.Equal(t, "b", b.Run)
		assert.Equal(t, "for\x00 b", string(b.Payload))
		assert.Equal(t, 1, b.Tries)
		assert.WithinDuration(t, time.Now().Add(time.Hour), b.Until, time.Minute)
		a := claim(t, s, "two")
		assert.Equal(t, "a", a.Run)
		assert.Equal(t, []string{"b leased one 1", "a leased two 1", "c ready  0"}, queue(t, s))

		require.NoError(t, b.Release(t.Context()))
		assert.Equal(t, "c", claim(t, s, "one").Run, "it has been ready for longer than b")
		assert.Equal(t, "b", claim(t, s, "one").Run)
		nothing(t, s)
		require.NoError(t, a.Done(t.Context()))
		require.NoError(t, a.Done(t.Context()), "once more, since the first answer was lost")
		require.ErrorIs(t, s.Enqueue(t.Context(), "a", nil), sqlstore.ErrExists)
		require.NoError(t, s.Wake(t.Context(), "a"), "it has ended: nothing to do")
		runOut(t, p)
		assert.ElementsMatch(t, []string{"b", "c"}, []string{claim(t, s, "one").Run, claim(t, s, "one").Run})
		nothing(t, s)
	})
}

func TestQueueRefuses(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		for _, bad := range []string{"", "a\x00b", "a\nb", "\xff", strings.Repeat("x", 81)} {
			require.ErrorIs(t, s.Enqueue(t.Context(), bad, nil), store.ErrRun)
			require.ErrorIs(t, s.Wake(t.Context(), bad), store.ErrRun)
			_, err := s.Claim(t.Context(), bad, 0)
			require.ErrorIs(t, err, sqlstore.ErrWorker)
		}
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		ctx, cancel := context.WithCancelCause(t.Context())
		errStop := errors.New("stop")
		cancel(errStop)
		require.ErrorIs(t, s.Enqueue(ctx, "other", nil), errStop)
		require.ErrorIs(t, s.Wake(ctx, "run"), errStop)
		_, err := s.Claim(ctx, "w", 0)
		require.ErrorIs(t, err, errStop)
		n := 0
		for _, err := range s.Queue(ctx) {
			require.ErrorIs(t, err, errStop)
			n++
		}
		assert.Equal(t, 1, n)
		assert.Equal(t, []string{"run ready  0"}, queue(t, s))
	})
}

// The list is in pages, and can be left and begun again.
func TestLongQueue(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		fill(t, p, 600, 2)
		assert.Len(t, queue(t, s), 600)
		list := s.Queue(t.Context())
		for range 3 {
			for q, err := range list {
				require.NoError(t, err)
				assert.Equal(t, "run 1", q.Run)
				break
			}
		}
	})
}

// fill puts runs into the queue, all in a state.
func fill(t testing.TB, p *place, n, state int) {
	t.Helper()
	p.exec(t, `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
		INSERT INTO agentfsm_queue (run, payload, state, free, added) SELECT 'run ' || n, '', $2, n, n FROM numbers`, n, state)
}

// Ten thousand runs that wait are not looked at to find the one that is ready: Claim goes by
// an index that does not have them.
func TestManyWaiting(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		fill(t, p, 10_000, 2)
		require.NoError(t, s.Enqueue(t.Context(), "the one", nil))
		p.exec(t, "ANALYZE")
		explain := "EXPLAIN QUERY PLAN "
		want := "USING INDEX agentfsm_queue_ready (free<?)"
		if p.dialect == sqlstore.PostgreSQL {
			explain, want = "EXPLAIN ", "Index Cond: (free <= "
		}
		rows, err := p.pool(t).QueryContext(t.Context(), explain+s.ClaimQuery())
		require.NoError(t, err)
		defer rows.Close()
		columns, err := rows.Columns()
		require.NoError(t, err)
		var plan strings.Builder
		for rows.Next() {
			row := make([]any, len(columns))
			for i := range row {
				row[i] = new(any)
			}
			require.NoError(t, rows.Scan(row...))
			fmt.Fprintln(&plan, *row[len(row)-1].(*any))
		}
		require.NoError(t, rows.Err())
		assert.Contains(t, plan.String(), want)
		assert.Contains(t, plan.String(), "agentfsm_queue_ready")
		assert.NotContains(t, plan.String(), "Sort")
		assert.NotContains(t, plan.String(), "TEMP B-TREE")
		assert.Equal(t, "the one", claim(t, s, "w").Run)
		nothing(t, s)
	})
}
