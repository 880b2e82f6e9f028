package sqlstore_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

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

// Records are gone, those of others are not, and the id can be used again.
func TestDelete(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s, other := p.open(t, nil), p.open(t, nil)
		for _, run := range []string{"run", "other"} {
			require.NoError(t, s.Append(t.Context(), run, 0, bytesOf("one", "two", "three")...))
		}
		require.NoError(t, other.Delete(t.Context(), "run"))
		require.NoError(t, s.Delete(t.Context(), "run"), "once more, since the first answer was lost")
		require.NoError(t, s.Delete(t.Context(), "nobody has heard of it"))
		assert.Equal(t, 3, p.count(t, `SELECT COUNT(*) FROM agentfsm_records`))
		assert.Equal(t, 1, p.count(t, `SELECT COUNT(*) FROM agentfsm_runs`))
		records, err := read(t, s, "run")
		require.NoError(t, err)
		assert.Empty(t, records)

		require.NoError(t, s.Append(t.Context(), "run", 0, []byte("four")))
		require.NoError(t, s.Delete(t.Context(), "run"))
		assert.Zero(t, orphans(t, p))
		records, err = read(t, s, "other")
		require.NoError(t, err)
		assert.Equal(t, []string{"one", "two", "three"}, records)
	})
}

// A run that somebody drives is left alone. Who drives a run that was deleted gets nowhere.
func TestDeleteOfADrivenRun(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s, other := p.open(t, nil), p.open(t, nil)
		hold, err := s.Drive(t.Context(), "run", false)
		require.NoError(t, err)
		require.NoError(t, s.Append(t.Context(), "run", 0, bytesOf("one", "two")...))
		err = other.Delete(t.Context(), "run")
		require.ErrorIs(t, err, store.ErrDriven)
		require.ErrorContains(t, err, `sqlstore: delete run "run": store: somebody else drives the run`)
		records, err := read(t, s, "run")
		require.NoError(t, err)
		assert.Len(t, records, 2)

		require.NoError(t, hold.Release(t.Context()))
		require.NoError(t, other.Delete(t.Context(), "run"))
		var conflict *store.ConflictError
		require.ErrorAs(t, s.Append(t.Context(), "run", 2, []byte("three")), &conflict)
		assert.Zero(t, conflict.Last)
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
		assert.Equal(t, 1, p.count(t, `SELECT COUNT(*) FROM agentfsm_records`))
	})
}
