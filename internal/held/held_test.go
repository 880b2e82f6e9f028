package held_test

import (
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/held"
)

type text struct{ s *string }

func made(s string) func() (*text, error) {
	return func() (*text, error) { return &text{&s}, nil }
}

func TestGet(t *testing.T) {
	var m held.Map[string, text]
	a, err := m.Get("a", made("a"))
	require.NoError(t, err)
	again, err := m.Get("a", made("another"))
	require.NoError(t, err)
	assert.Same(t, a, again)
	b, err := m.Get("b", made("b"))
	require.NoError(t, err)
	assert.Equal(t, "b", *b.s)

	broken := errors.New("broken")
	_, err = m.Get("c", func() (*text, error) { return nil, broken })
	require.ErrorIs(t, err, broken)
	c, err := m.Get("c", made("c"))
	require.NoError(t, err, "what could not be made is made again")
	assert.Equal(t, "c", *c.s)
	runtime.KeepAlive(a)
}

// What nobody has is made anew, and leaves nothing behind.
func TestGetHoldsNothing(t *testing.T) {
	var m held.Map[string, text]
	_, err := m.Get("a", made("old"))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		runtime.GC()
		v, err := m.Get("a", made("new"))
		require.NoError(t, err)
		return *v.s == "new"
	}, 2*time.Minute, time.Millisecond)
	require.Eventually(t, func() bool { runtime.GC(); return m.Len() == 0 }, 2*time.Minute, time.Millisecond)
}

func TestGetAtOnce(t *testing.T) {
	var m held.Map[string, text]
	got := make([]*text, 8)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i], _ = m.Get("a", made("a")) })
	}
	all.Wait()
	for _, v := range got {
		assert.Same(t, got[0], v)
	}
}
