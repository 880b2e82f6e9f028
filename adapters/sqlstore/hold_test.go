package sqlstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

// A database in memory, and one with a single connection, can be driven: nothing waits for a connection
// that the holder has.
func TestDriveWithOneConnection(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		db := p.pool(t)
		db.SetMaxOpenConns(1)
		s, err := sqlstore.New(t.Context(), db, p.dialect, nil)
		require.NoError(t, err)
		other, err := sqlstore.New(t.Context(), db, p.dialect, nil)
		require.NoError(t, err)
		hold, err := s.Drive(t.Context(), "run", false)
		require.NoError(t, err)
		_, err = other.Drive(t.Context(), "run", false)
		require.ErrorIs(t, err, store.ErrDriven)
		require.NoError(t, other.Append(t.Context(), "run", 0, []byte("one")))
		require.ErrorIs(t, other.Delete(t.Context(), "run"), store.ErrDriven)
		require.NoError(t, hold.Release(t.Context()))
		require.NoError(t, other.Delete(t.Context(), "run"))
	})
	place := &place{dialect: sqlstore.SQLite, driver: "sqlite", name: ":memory:"}
	db := place.pool(t)
	db.SetMaxOpenConns(1)
	var stores []*sqlstore.Store
	for range 2 {
		s, err := sqlstore.New(t.Context(), db, sqlstore.SQLite, nil)
		require.NoError(t, err)
		stores = append(stores, s)
	}
	hold, err := stores[0].Drive(t.Context(), "run", false)
	require.NoError(t, err)
	_, err = stores[1].Drive(t.Context(), "run", false)
	require.ErrorIs(t, err, store.ErrDriven)
	require.NoError(t, hold.Release(t.Context()))
}

// A holder that nothing is heard of loses the run, and whoever has it then knows that.
func TestALeaseOfADriverRunsOut(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		if p.dialect == sqlstore.SQLite {
			return // its locks go with their process, and not before
		}
		s, other := p.open(t, nil), p.open(t, nil)
		hold, err := s.Drive(t.Context(), "run", false)
		require.NoError(t, err)
		assert.False(t, hold.Took())
		p.exec(t, `UPDATE agentfsm_drives SET free = 0, token = token + 1`) // it cannot extend it any more
		began := time.Now()
		taken, err := other.Drive(t.Context(), "run", false)
		require.NoError(t, err)
		assert.True(t, taken.Took())
		require.NoError(t, hold.Release(t.Context()))
		_, err = s.Drive(t.Context(), "run", false)
		require.ErrorIs(t, err, store.ErrDriven, "after %v", time.Since(began))
		require.ErrorContains(t, err, "process ")
		require.NoError(t, taken.Release(t.Context()))
	})
}
