package durable_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/round"
)

// owed is what an agent is told before it may execute anything.
const owed = "these commands were executed before, with a result that is lost: pay"

// payer pays, until it succeeds, and keeps what it is told.
func (y *tally) payer(told *[]string) errand {
	return func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		res, err := y.act(ctx, "pay")
		switch {
		case err != nil:
			return "", err
		case res.Status == desktop.Failure:
			*told = append(*told, res.Error)
			return fsm.Continue, nil
		}
		return fsm.Finish, nil
	}
}

// The step that had paid, or may have, is given up with its round. The agent of the next
// round is told before it does anything, and only then may it pay.
func TestAGivenUpStepIsOwed(t *testing.T) {
	for name, result := range map[string]bool{"nobody knows": false, "executed": true} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			var told []string
			y.dies(3, result, y.payer(&told)) // round, intent, result
			require.Equal(t, 1, y.done["pay"])
			var doubts int
			s := y.resume(func(ctx context.Context, c *clerk) (fsm.Status, error) {
				doubts += len(trace.Uncertain(ctx)) // as policies.AskUncertain looks at it
				return y.payer(&told)(ctx, c)
			}, nil)
			toldFirst := false
			_, err := s.Start("pay now")
			require.NoError(t, err)
			for _, err := range s.Round().Steps(t.Context()) {
				require.NoError(t, err)
				if len(told) == 1 && y.done["pay"] == 1 {
					toldFirst = true
				}
			}
			require.Len(t, told, 1)
			assert.Contains(t, told[0], owed)
			assert.True(t, toldFirst, "it was told before it paid")
			assert.Equal(t, !result, doubts > 0, doubts)
			_, err = y.replay(y.payer(&told))
			require.NoError(t, err)
		})
	}
}

// A step that diverges and ends its round has told nobody: the next round does.
func TestAFinishedRoundOwesWhatItDropped(t *testing.T) {
	y := newTally(t)
	var told []string
	y.dies(3, true, y.payer(&told))
	done := true
	do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
		if done {
			return fsm.Finish, nil
		}
		return y.payer(&told)(ctx, c)
	}
	s := y.resume(do, nil)
	_, err := s.Round().Run(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, diverged(t, y.store))
	assert.Contains(t, diverged(t, y.store), "executed before: pay")
	require.Empty(t, told)
	done = false
	_, err = s.Run(t.Context(), "pay what is not paid")
	require.NoError(t, err)
	require.Len(t, told, 1)
	assert.Contains(t, told[0], owed)
}

// The debt outlives every process that dies before its step is taken, and ends with the
// step that told.
func TestWhatIsOwedOutlivesProcesses(t *testing.T) {
	for name, crashes := range map[string][]crash{
		"none":                           nil,
		"behind the drop":                {{1, true}},            // resume and drop
		"twice behind it":                {{1, true}, {1, true}}, // resume and call
		"with the refusal":               {{3, true}},            // drop, call, and the call behind the refusal
		"behind the step":                {{4, true}},            // … and the step
		"with the refusal, and the step": {{3, true}, {1, true}}, // resume and step
	} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			var told []string
			plain := y.payer(&told)
			y.dies(3, true, plain)
			told = nil
			// The code is another one by now: it asks the model first.
			do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
				if c.N++; c.N > 1 {
					return plain(ctx, c)
				}
				if err := y.ask(ctx); err != nil {
					return "", err
				}
				if _, err := plain(ctx, c); err != nil {
					return "", err
				}
				return fsm.Continue, y.ask(ctx)
			}
			for _, at := range crashes {
				s := y.resume(do, nil)
				y.store.start(at.at, at.after)
				_, err := s.Round().Run(t.Context())
				require.ErrorIs(t, err, round.ErrLost)
				require.Equal(t, 1, y.done["pay"], "nobody was told")
			}
			res, err := y.resume(do, nil).Round().Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, 2, res.Transitions, "it was told in the first step, and acts in the second")
			assert.Equal(t, 2, y.done["pay"], "it was told, and wants it once more")
			for _, text := range told {
				assert.Contains(t, text, owed)
			}
			_, err = y.replay(do)
			require.NoError(t, err)
		})
	}
}
