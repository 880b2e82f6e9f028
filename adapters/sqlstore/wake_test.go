package sqlstore_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
)

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
