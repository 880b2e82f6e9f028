package durable_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// A Handle notes something in its agent and returns nil, and its context has ended. Another process does not call it again.
func TestAFinishedHandleIsNotRepeatedElsewhere(t *testing.T) {
	st := &mortal{Store: store.Memory()}
	ctx, cancel := context.WithCancel(t.Context())
	handled := 0
	open := func() *round.Session {
		s, err := durable.Open(t.Context(), newClerk(func(_ context.Context, c *clerk) (fsm.Status, error) {
			if handled++; handled == 2 {
				cancel()
			}
			if c.N++; c.N == 3 {
				return fsm.Finish, nil
			}
			return fsm.Continue, nil
		}), st, "run", nil)
		require.NoError(t, err)
		return s
	}
	res, err := open().Continue(ctx, "count to three")
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, res.Transitions, "the second step was not taken")

	res, err = open().Continue(t.Context(), "count to three")
	require.NoError(t, err)
	assert.Equal(t, 3, res.Transitions)
	assert.Equal(t, 3, handled)
}
