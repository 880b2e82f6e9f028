package sqlstore_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

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
		require.ErrorIs(t, s.Append(t.Context(), "run", 0, []byte("of slow")), store.ErrConflict)
		require.ErrorIs(t, l.Done(t.Context()), sqlstore.ErrLeaseLost)
	})
}
