package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/round/journal"
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

// A lease that somebody else has by now changes nothing.
func TestLostLease(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s, other := p.open(t, nil), p.open(t, nil)
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		lost := claim(t, s, "dead")
		runOut(t, p)
		require.NoError(t, lost.Extend(t.Context(), time.Hour), "nobody has claimed it meanwhile")
		nothing(t, other)
		runOut(t, p)
		l := claim(t, other, "next")
		assert.Greater(t, l.Token, lost.Token)
		assert.Equal(t, 2, l.Tries)
		calls := map[string]func() error{
			"Extend":  func() error { return lost.Extend(t.Context(), time.Minute) },
			"Done":    func() error { return lost.Done(t.Context()) },
			"Wait":    func() error { return lost.Wait(t.Context()) },
			"Release": func() error { return lost.Release(t.Context()) },
			"Fail":    func() error { return lost.Fail(t.Context(), nil, 0) },
		}
		until := lost.Until
		for name, call := range calls {
			err := call()
			require.ErrorIs(t, err, sqlstore.ErrLeaseLost, name)
			var detail *sqlstore.QueueError
			require.ErrorAs(t, err, &detail)
			assert.Equal(t, "run", detail.Run)
			assert.False(t, detail.Uncertain)
			assert.Equal(t, []string{"run leased next 2"}, queue(t, s), name)
		}
		assert.Equal(t, until, lost.Until)

		require.NoError(t, l.Release(t.Context()))
		lost = l
		for name, call := range calls { // given back, and nobody has it
			require.ErrorIs(t, call(), sqlstore.ErrLeaseLost, name)
			assert.Equal(t, []string{"run ready  0"}, queue(t, s), name)
		}
		l = claim(t, s, "last")
		require.NoError(t, l.Wait(t.Context()))
		require.NoError(t, s.Wake(t.Context(), "run"))
		require.ErrorIs(t, l.Done(t.Context()), sqlstore.ErrLeaseLost, "the run is awake, and not ours")
		assert.Equal(t, []string{"run ready  0"}, queue(t, s))
	})
}

func TestWake(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.ErrorIs(t, s.Wake(t.Context(), "run"), sqlstore.ErrNoRun)
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		require.NoError(t, s.Wake(t.Context(), "run"), "nobody has looked at it yet")

		l := claim(t, s, "w")
		require.NoError(t, l.Wait(t.Context()))
		runOut(t, p)
		nothing(t, s)
		assert.Equal(t, []string{"run waiting  0"}, queue(t, s))
		require.NoError(t, s.Wake(t.Context(), "run"))
		require.NoError(t, s.Wake(t.Context(), "run"))

		l = claim(t, s, "w")
		require.NoError(t, s.Wake(t.Context(), "run"), "between Claim and Wait")
		nothing(t, s)
		require.NoError(t, l.Wait(t.Context()))
		l = claim(t, s, "w")
		assert.Equal(t, 1, l.Tries, "it came to Wait before")
		require.NoError(t, l.Wait(t.Context()))
		nothing(t, s)
	})
}

// However Wake and Wait meet, a run that was woken after the look of its worker is looked at
// again.
func TestWakeRacesWait(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s, other := p.open(t, nil), p.open(t, nil)
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		for range 50 {
			l := claim(t, s, "w")
			var group sync.WaitGroup
			group.Go(func() { assert.NoError(t, other.Wake(t.Context(), "run")) })
			group.Go(func() { assert.NoError(t, l.Wait(t.Context())) })
			group.Wait()
			require.Equal(t, []string{"run ready  0"}, queue(t, s))
		}
	})
}

// Of workers that claim at once each gets another run.
func TestClaimsAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		stores := []*sqlstore.Store{p.open(t, nil), p.open(t, nil)}
		const runs = 60
		for i := range runs {
			require.NoError(t, stores[0].Enqueue(t.Context(), fmt.Sprint("run ", i), nil))
		}
		var mu sync.Mutex
		claimed := map[string]int{}
		var group sync.WaitGroup
		for w := range 6 {
			group.Go(func() {
				for {
					l, err := stores[w%2].Claim(t.Context(), fmt.Sprint("w", w), time.Hour)
					if errors.Is(err, sqlstore.ErrNothing) {
						return
					}
					if !assert.NoError(t, err) {
						return
					}
					mu.Lock()
					claimed[l.Run]++
					mu.Unlock()
				}
			})
		}
		group.Wait()
		assert.Len(t, claimed, runs)
		for run, n := range claimed {
			assert.Equal(t, 1, n, run)
		}
	})
}

func TestFailedRunIsPutOff(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		require.NoError(t, claim(t, s, "w").Fail(t.Context(), errors.New("no \x00desktop\xff"+strings.Repeat("ü", 1000)), time.Hour))
		nothing(t, s)
		line := queue(t, s)[0]
		assert.True(t, strings.HasPrefix(line, "run ready  1 no desktop\ufffdü"), line)
		assert.Less(t, len(line), 1020)
		runOut(t, p)
		l := claim(t, s, "w")
		assert.Equal(t, 2, l.Tries)
		require.NoError(t, l.Fail(t.Context(), nil, -time.Hour))
		l = claim(t, s, "w")
		require.NoError(t, l.Release(t.Context()))
		assert.Equal(t, []string{"run ready  0"}, queue(t, s), "it has come on")
	})
}

func TestQueueRefuses(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		for _, bad := range []string{"", "a\x00b", "a\nb", "\xff", strings.Repeat("x", journal.MaxRun+1)} {
			require.ErrorIs(t, s.Enqueue(t.Context(), bad, nil), journal.ErrRun)
			require.ErrorIs(t, s.Wake(t.Context(), bad), journal.ErrRun)
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

// The clock of a worker's machine decides nothing where the database has one, and where it
// does, the journal still takes records of one worker only.
func TestClockSkew(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s, fast := p.open(t, nil), p.open(t, nil)
		fast.SetNow(func() time.Time { return time.Now().Add(10 * 365 * 24 * time.Hour) })
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		l := claim(t, s, "slow")
		if p.dialect == sqlstore.PostgreSQL {
			nothing(t, fast)
			require.NoError(t, l.Extend(t.Context(), time.Minute))
			return
		}
		require.NoError(t, claim(t, fast, "fast").Extend(t.Context(), time.Hour))
		require.NoError(t, fast.Append(t.Context(), "run", 0, []byte("of fast")))
		require.ErrorIs(t, s.Append(t.Context(), "run", 0, []byte("of slow")), journal.ErrConflict)
		require.ErrorIs(t, l.Done(t.Context()), sqlstore.ErrLeaseLost)
	})
}
