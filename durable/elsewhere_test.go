package durable_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// once is a store that has no room for one Append.
type once struct {
	store.Store
	at, count int
}

var errNoRoom = errors.New("no room")

func (o *once) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if len(records) > 0 {
		if o.count++; o.count == o.at {
			return errNoRoom
		}
	}
	return o.Store.Append(ctx, run, after, records...)
}

// An error of another run's journal stops a run, which goes on later; it writes no end into its
// journal. The table stands for the places from which such an error comes: what drives that other
// run is a Handle, a model, a command or a person's User.
func TestAnotherRunCannotBeRecorded(t *testing.T) {
	for name, c := range map[string]struct {
		do      func(y *tally, other func(context.Context) error) errand
		outcome round.Outcome
		act     int // how often the command is executed in the end
	}{
		"a Handle": {outcome: round.Suspended, do: func(_ *tally, other func(context.Context) error) errand {
			return func(ctx context.Context, _ *clerk) (fsm.Status, error) { return fsm.Finish, other(ctx) }
		}},
		"a Handle that has acted": {outcome: round.Lost, act: 1, do: func(y *tally, other func(context.Context) error) errand {
			return func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				if _, err := y.act(ctx, "pay"); err != nil {
					return "", err
				}
				return fsm.Finish, other(ctx)
			}
		}},
		"a model": {outcome: round.Suspended, do: func(_ *tally, other func(context.Context) error) errand {
			model := llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
				return &llm.Response{Text: "x"}, other(ctx)
			})
			return func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				_, err := llm.Complete(ctx, model, &llm.Request{})
				return fsm.Finish, err
			}
		}},
		"a command": {outcome: round.Lost, do: func(_ *tally, other func(context.Context) error) errand {
			return func(ctx context.Context, c *clerk) (fsm.Status, error) {
				result, err := desktop.Execute(ctx, tool(other), desktop.Command{ToolName: "delegate"})
				c.Notes = append(c.Notes, result.Error)
				return fsm.Finish, err
			}
		}},
		"a person": {outcome: round.Suspended, do: func(_ *tally, other func(context.Context) error) errand {
			user := people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
				return people.Answer{Text: "x"}, other(ctx)
			})
			return func(ctx context.Context, _ *clerk) (fsm.Status, error) {
				_, err := people.Ask(ctx, user, people.Question{ID: "q", Text: "Who?"}, 0)
				return fsm.Finish, err
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			y := newTally(t)
			inner := &once{Store: store.Memory(), at: 2}
			other := func(ctx context.Context) error {
				s, err := durable.Open(ctx, newClerk(func(context.Context, *clerk) (fsm.Status, error) { return fsm.Finish, nil }), inner, "inner", nil)
				if err == nil {
					_, err = s.Continue(ctx, "go")
				}
				return err
			}
			do := c.do(y, other)
			first := y.begin(do)
			res, err := first.Run(t.Context(), "go")
			assert.Equal(t, c.outcome, res.Outcome)
			require.ErrorIs(t, err, errNoRoom)
			if res.Outcome == round.Lost {
				kinds := y.kinds()
				_, err := first.Run(t.Context(), "go on")
				require.ErrorIs(t, err, round.ErrLost)
				assert.Equal(t, kinds, y.kinds(), "a lost session records nothing more")
			}
			assert.NotContains(t, y.kinds(), "end")
			state, err := durable.Look(t.Context(), y.store, "run")
			require.NoError(t, err)
			assert.False(t, state.Outcome.Ended())

			host := newClerk(do)
			res, err = y.resumeWith(host).Round().Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, round.Finished, res.Outcome)
			assert.Equal(t, c.act, y.done["pay"])
			if name == "a command" {
				assert.Contains(t, host.Notes[len(host.Notes)-1], "it may or may not have happened")
			} else {
				state, err = durable.Look(t.Context(), inner, "inner")
				require.NoError(t, err)
				assert.Equal(t, round.Finished, state.Outcome)
			}
			_, err = y.replay(do)
			require.NoError(t, err)
		})
	}
}

// tool is a desktop with one command.
type tool func(context.Context) error

func (tool) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (f tool) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return desktop.Result{Status: desktop.Success, CallID: cmd.CallID}, f(ctx)
}

// The other way round: the outer run cannot be recorded, and a round inside of its step learns that
// from its desktop. The inner run stops, and goes on with the outer one.
func TestTheOuterRunCannotBeRecorded(t *testing.T) {
	y := newTally(t)
	inner := store.Memory()
	outer := &once{Store: store.Memory(), at: 2} // the intent
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		s, err := durable.Open(ctx, newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
			_, err := y.act(ctx, "pay")
			return fsm.Finish, err
		}), inner, "inner", nil)
		if err == nil {
			_, err = s.Continue(ctx, "go")
		}
		return fsm.Finish, err
	}
	for life := range 2 {
		s, err := durable.Open(t.Context(), newClerk(do), outer, "outer", nil)
		require.NoError(t, err)
		res, err := s.Continue(t.Context(), "go")
		if life == 1 {
			require.NoError(t, err)
			break
		}
		assert.Equal(t, round.Lost, res.Outcome)
		require.ErrorIs(t, err, errNoRoom)
		state, err := durable.Look(t.Context(), inner, "inner")
		require.NoError(t, err)
		assert.True(t, state.Ready())
	}
	state, err := durable.Look(t.Context(), inner, "inner")
	require.NoError(t, err)
	assert.Equal(t, round.Finished, state.Outcome)
	assert.Equal(t, 1, y.done["pay"], "it had not been sent the first time")
}

// Without a journal of its own a round that has acted does not handle its state again: it is at fault.
func TestAnotherRunCannotBeRecordedWithoutAJournal(t *testing.T) {
	for _, acts := range []bool{false, true} {
		y := newTally(t)
		times := 0
		r, err := round.New(newClerk(func(ctx context.Context, _ *clerk) (fsm.Status, error) {
			if acts {
				if _, err := y.act(ctx, "pay"); err != nil {
					return "", err
				}
			}
			if times++; times == 1 {
				return "", fmt.Errorf("%w: %w", round.ErrLost, errNoRoom)
			}
			return fsm.Finish, nil
		}), "go", nil)
		require.NoError(t, err)
		res, err := r.Run(t.Context())
		require.ErrorIs(t, err, errNoRoom)
		if acts {
			assert.Equal(t, round.Faulted, res.Outcome)
			continue
		}
		assert.Equal(t, round.Suspended, res.Outcome)
		_, err = r.Run(t.Context())
		require.NoError(t, err)
	}
}
