package durable_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

// An agent is recorded in each step in which what it saves changed and in no other, and is the same in the process that resumes.
func TestAnAgentIsKeptByWhatChanged(t *testing.T) {
	do := func(_ context.Context, c *clerk) (fsm.Status, error) {
		switch n := len(c.Notes); {
		case n == 5:
			return fsm.Finish, nil
		case c.N == n:
			c.N++
			return fsm.Continue, nil
		}
		c.Notes = append(c.Notes, strings.Repeat("x", c.N))
		return fsm.Continue, nil
	}
	want := newClerk(do)
	calm := newTally(t)
	res, err := calm.beginWith(want).Run(t.Context(), "go")
	require.NoError(t, err)
	_, text := (&world{t: t, store: calm.store}).records()
	assert.Equal(t, 1, strings.Count(text, `"agent":{"state":{"N":0,"Notes":null}}`), "all of it, once")
	assert.Equal(t, 11, strings.Count(text, `"news":{"agent":`), "in the last step nothing changed")

	appends := calm.store.count
	for at := 1; at <= appends; at++ {
		y := newTally(t)
		y.dies(at, do)
		again := newClerk(do)
		got, err := y.resumeWith(again).Round().Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, res, got)
		assert.Equal(t, want.Notes, again.Notes)
		assert.Equal(t, want.N, again.N)
		_, err = y.replay(do)
		require.NoError(t, err)
	}
}
