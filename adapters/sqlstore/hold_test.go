package sqlstore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

// Stores with a single connection can be driven: nothing waits for a connection that the holder has.
func TestDriveWithOneConnection(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		one := &sqlstore.Options{MaxConns: 1}
		s, other := p.open(t, one), p.open(t, one)
		hold, err := s.Drive(t.Context(), "run", false)
		require.NoError(t, err)
		_, err = other.Drive(t.Context(), "run", false)
		require.ErrorIs(t, err, store.ErrDriven)
		require.NoError(t, other.Append(t.Context(), "run", 0, []byte("one")))
		require.ErrorIs(t, other.Delete(t.Context(), "run"), store.ErrDriven)
		require.NoError(t, hold.Release(t.Context()))
		require.NoError(t, other.Delete(t.Context(), "run"))
	})
}

// A holder that nothing is heard of loses the run, and whoever has it then knows that.
func TestALeaseOfADriverRunsOut(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		if p.driver == "sqlite" {
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
