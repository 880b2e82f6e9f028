package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

// orphans counts records that are nobody's.
func orphans(t testing.TB, p *place) int {
	t.Helper()
	return p.count(t, `SELECT COUNT(*) FROM agentfsm_records WHERE run NOT IN (SELECT id FROM agentfsm_runs)`)
}

// Records and entry are gone, those of others are not, and the id can be used again.
func TestDelete(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s, other := p.open(t, nil), p.open(t, nil)
		for _, run := range []string{"run", "other"} {
			require.NoError(t, s.Enqueue(t.Context(), run, []byte("old")))
			require.NoError(t, s.Append(t.Context(), run, 0, bytesOf("one", "two", "three")...))
			require.NoError(t, claim(t, s, "w").Done(t.Context()))
		}
		require.NoError(t, other.Delete(t.Context(), "run"))
		require.NoError(t, s.Delete(t.Context(), "run"), "once more, since the first answer was lost")
		require.NoError(t, s.Delete(t.Context(), "nobody has heard of it"))
		assert.Equal(t, []string{"other ended  1"}, queue(t, s))
		assert.Equal(t, 3, p.count(t, `SELECT COUNT(*) FROM agentfsm_records`))
		assert.Equal(t, 1, p.count(t, `SELECT COUNT(*) FROM agentfsm_runs`))
		records, err := read(t, s, "run")
		require.NoError(t, err)
		assert.Empty(t, records)
		require.ErrorIs(t, s.Wake(t.Context(), "run"), sqlstore.ErrNoRun)

		require.NoError(t, s.Enqueue(t.Context(), "run", []byte("new")))
		l := claim(t, s, "w")
		assert.Equal(t, "new", string(l.Payload))
		require.NoError(t, s.Append(t.Context(), "run", 0, []byte("four")))
		require.NoError(t, l.Wait(t.Context()))
		require.NoError(t, s.Delete(t.Context(), "run"), "it waits")

		require.NoError(t, s.Append(t.Context(), "run", 0, []byte("five")))
		require.NoError(t, s.Delete(t.Context(), "run"), "it is in no queue")
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		require.NoError(t, s.Delete(t.Context(), "run"), "it has no journal")
		assert.Equal(t, []string{"other ended  1"}, queue(t, s))
		assert.Zero(t, orphans(t, p))
		records, err = read(t, s, "other")
		require.NoError(t, err)
		assert.Equal(t, []string{"one", "two", "three"}, records)
	})
}

// A run that a worker has is left alone, unless its lease has run out. That worker then gets nowhere.
func TestDeleteOfALeasedRun(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		l := claim(t, s, "busy")
		require.NoError(t, s.Append(t.Context(), "run", 0, bytesOf("one", "two")...))
		err := s.Delete(t.Context(), "run")
		require.ErrorIs(t, err, sqlstore.ErrLeased)
		var detail *sqlstore.QueueError
		require.ErrorAs(t, err, &detail)
		assert.Equal(t, "run", detail.Run)
		assert.False(t, detail.Uncertain)
		require.EqualError(t, err, `sqlstore: delete run "run": sqlstore: a worker has the run: "busy"`)
		records, err := read(t, s, "run")
		require.NoError(t, err)
		assert.Len(t, records, 2)
		require.NoError(t, l.Extend(t.Context(), time.Hour), "nothing has changed")

		runOut(t, p)
		require.NoError(t, s.Delete(t.Context(), "run"))
		require.ErrorIs(t, l.Extend(t.Context(), time.Hour), sqlstore.ErrLeaseLost)
		require.ErrorIs(t, l.Done(t.Context()), sqlstore.ErrLeaseLost)
		var conflict *store.ConflictError
		require.ErrorAs(t, s.Append(t.Context(), "run", 2, []byte("three")), &conflict)
		assert.Zero(t, conflict.Last)
		assert.Empty(t, queue(t, s))

		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		assert.Equal(t, l.Token, claim(t, s, "next").Token)
		require.ErrorIs(t, l.Done(t.Context()), sqlstore.ErrLeaseLost, "it is another run with that id")
		assert.Equal(t, []string{"run leased next 1"}, queue(t, s))
	})
}

// Who reads a run while it is deleted learns that, and not that it is damaged.
func TestDeletedWhileRead(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		long := slices.Repeat(bytesOf("x"), 1000) // several pages
		for _, again := range []bool{false, true} {
			require.NoError(t, s.Append(t.Context(), "run", 0, long...))
			n, end := 0, error(nil)
			for e, err := range s.Read(t.Context(), "run", 1) {
				if err != nil {
					end = err
					break
				}
				n++
				if e.Seq == 1 {
					require.NoError(t, s.Delete(t.Context(), "run"))
					if again {
						require.NoError(t, s.Append(t.Context(), "run", 0, []byte("new")))
					}
				}
			}
			require.ErrorIs(t, end, sqlstore.ErrDeleted)
			require.NotErrorIs(t, end, store.ErrDamaged)
			assert.Less(t, n, 1000)
		}
	})
}

// However Delete and Append meet, no record is left behind, and an Append that was acknowledged
// is whole or deleted.
func TestDeleteRacesAppend(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s, other := p.open(t, nil), p.open(t, nil)
		for range 40 {
			require.NoError(t, s.Append(t.Context(), "run", 0, []byte("one")))
			var group sync.WaitGroup
			group.Go(func() {
				err := s.Append(t.Context(), "run", 1, []byte("two"), []byte("three"))
				if err != nil {
					assert.ErrorIs(t, err, store.ErrConflict)
				}
			})
			group.Go(func() { assert.NoError(t, other.Delete(t.Context(), "run")) })
			group.Wait()
			records, err := read(t, s, "run")
			require.NoError(t, err)
			require.Empty(t, records)
			require.Zero(t, orphans(t, p))
		}
	})
}

// However Delete and Claim meet, one of them has the run.
func TestDeleteRacesClaim(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s, other := p.open(t, nil), p.open(t, nil)
		for i := range 40 {
			run := fmt.Sprint("run ", i)
			require.NoError(t, s.Enqueue(t.Context(), run, nil))
			var claimed, deleted error
			var group sync.WaitGroup
			group.Go(func() { _, claimed = s.Claim(t.Context(), "w", time.Hour) })
			group.Go(func() { deleted = other.Delete(t.Context(), run) })
			group.Wait()
			if claimed == nil {
				require.ErrorIs(t, deleted, sqlstore.ErrLeased)
			} else {
				require.ErrorIs(t, claimed, sqlstore.ErrNothing)
				require.NoError(t, deleted)
			}
		}
	})
}

func TestDeleteRefuses(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.Append(t.Context(), "run", 0, []byte("one")))
		require.ErrorIs(t, s.Delete(t.Context(), "a\nb"), store.ErrRun)
		ctx, cancel := context.WithCancelCause(t.Context())
		errStop := errors.New("stop")
		cancel(errStop)
		err := s.Delete(ctx, "run")
		require.ErrorIs(t, err, errStop)
		var detail *sqlstore.QueueError
		require.ErrorAs(t, err, &detail)
		assert.Equal(t, "delete", detail.Op)
		assert.Equal(t, 1, p.count(t, `SELECT COUNT(*) FROM agentfsm_records`))
	})
}

// What is old enough is found by when it ended.
func TestEndedSince(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *place, s *sqlstore.Store) {
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		l := claim(t, s, "w")
		time.Sleep(time.Minute)
		ended := time.Now()
		require.NoError(t, l.Done(t.Context()))
		time.Sleep(time.Minute)
		require.NoError(t, l.Done(t.Context()), "once more")
		for q, err := range s.Queue(t.Context()) {
			require.NoError(t, err)
			assert.WithinDuration(t, ended, q.Free, time.Millisecond)
			require.NoError(t, s.Delete(t.Context(), q.Run), "from within the list")
		}
		assert.Empty(t, queue(t, s))
	})
}
