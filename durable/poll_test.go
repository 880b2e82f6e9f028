package durable_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// To look whether a suspended run can go on leaves nothing in its journal, in whatever process, and
// nothing is lost by that. The table stands for what suspends a run.
func TestPollingLeavesNothing(t *testing.T) {
	for name, suspend := range map[string]func(ctx context.Context, y *tally) error{
		"a question": func(ctx context.Context, _ *tally) error {
			_, err := people.Ask(ctx, people.Later(), people.Question{ID: "q", Text: "Who?"}, 0)
			return err
		},
		"an outage": func(context.Context, *tally) error { return errAway },
		"after a look": func(ctx context.Context, y *tally) error {
			if _, err := desktop.Execute(ctx, y, desktop.Command{ToolName: "get_ui_tree", Looks: true}); err != nil {
				return err
			}
			return errAway
		},
		"after a call in the step before": func(context.Context, *tally) error { return errAway },
	} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			away := true
			do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
				if name == "after a call in the step before" && c.N == 0 {
					c.N++
					return fsm.Continue, y.ask(ctx)
				}
				if away {
					return "", suspend(ctx, y)
				}
				c.Notes = append(c.Notes, "here")
				return fsm.Finish, nil
			}
			_, err := y.begin(do, nil).Run(t.Context(), "go")
			require.ErrorIs(t, err, round.ErrSuspended)
			kinds, appends := y.kinds(), len(y.store.bytes)
			for range 3 { // processes, each of which looks twice
				s := y.resume(do, nil)
				for range 2 {
					res, err := s.Round().Run(t.Context())
					require.ErrorIs(t, err, round.ErrSuspended)
					assert.Equal(t, name == "a question", len(res.Waits) == 1)
				}
			}
			assert.Equal(t, kinds, y.kinds())
			assert.Len(t, y.store.bytes, appends)
			if name == "a question" {
				given, err := durable.Answer(t.Context(), y.store, "run", "q", people.Answer{Text: "me"})
				require.NoError(t, err)
				require.True(t, given)
			}
			away = false
			c := newClerk(do)
			_, err = y.resumeWith(c, nil).Round().Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, []string{"here"}, c.Notes)
			assert.Contains(t, y.kinds(), "resume")
			_, err = y.replay(do)
			require.NoError(t, err)
		})
	}
}
