package durable_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

var errTouched = errors.New("a replay touches nothing")

// untouchable is a desktop of which nothing may be asked.
type untouchable struct{ t *testing.T }

func (u untouchable) Tools(context.Context) ([]desktop.Tool, error) {
	u.t.Error("the tools are listed")
	return nil, errTouched
}

func (u untouchable) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	u.t.Error(cmd.ToolName, "is executed")
	return desktop.Result{}, errTouched
}

// untouched is a host of a replay.
func untouched(t *testing.T, change func(*hostagent.Config)) *hostagent.Agent {
	t.Helper()
	cfg := hostagent.Config{
		Config: appagent.Config{
			Model: llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
				t.Error("the model is called")
				return nil, errTouched
			}),
			Desktop: untouchable{t},
			User: people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
				t.Error("the person is asked")
				return people.Answer{}, errTouched
			}),
			Board: blackboard.New(0), NoImages: true,
		},
	}
	if change != nil {
		change(&cfg)
	}
	host, err := hostagent.New(cfg)
	require.NoError(t, err)
	return host
}

func (w *world) replay(change func(*hostagent.Config)) (round.Result, error) {
	w.t.Helper()
	return durable.Replay(w.t.Context(), untouched(w.t, change), w.store, "run", nil)
}

func TestReplay(t *testing.T) {
	w := newWorld(t)
	want, err := w.life(true)
	require.NoError(t, err)
	before, _ := w.records()
	var steps []string
	res, err := durable.Replay(t.Context(), untouched(t, nil), w.store, "run", &round.Options{
		MaxSteps: 1, Observe: func(s round.Step) { steps = append(steps, s.String()) },
	})
	require.NoError(t, err)
	assert.Equal(t, want.Steps, res.Steps)
	assert.Equal(t, want, res)
	assert.Len(t, steps, want.Transitions)
	_, err = w.replay(func(c *hostagent.Config) { c.MaxActions = 1 })
	var differs *durable.ReplayError
	require.ErrorAs(t, err, &differs, "a reply is refused")
	assert.Equal(t, 9, differs.Step)
	assert.ErrorContains(t, err, "call: it was add_row, and is call")
	after, _ := w.records()
	assert.Equal(t, before, after)
}

// A record that goes no further than some place is done up to there.
func TestReplayOfAPart(t *testing.T) {
	for i, at := range appends(t) {
		w := half(t, at, i%2 == 0)
		if kinds, _ := w.records(); len(kinds) == 0 {
			continue
		}
		res, err := w.replay(nil)
		require.NoError(t, err, at)
		require.NotEqual(t, round.Faulted, res.Outcome)
		recorded := w.resume().Round().Result().Transitions
		// A step of which all but its own record is there is taken.
		require.Contains(t, []int{recorded, recorded + 1}, res.Transitions, at)
	}
}

func TestReplayRefuses(t *testing.T) {
	w := newWorld(t)
	_, err := w.replay(nil)
	require.ErrorIs(t, err, durable.ErrNoRun)

	_, err = durable.Replay(t.Context(), untouched(t, nil), nil, "run", nil)
	require.ErrorContains(t, err, "there is no store")
	_, err = durable.Replay(t.Context(), nil, w.store, "run", nil)
	require.ErrorIs(t, err, round.ErrAgent)

	torn := half(t, 40, true)
	kinds, _ := torn.records()
	require.NoError(t, torn.store.Append(t.Context(), "run", int64(len(kinds)), []byte(`{"v":1,"kind":"step","step":{}}`)))
	_, err = torn.replay(nil)
	require.ErrorIs(t, err, store.ErrDamaged)

	_, err = w.life(true)
	require.NoError(t, err)
	_, err = w.replay(func(c *hostagent.Config) { c.Name = "Boss" })
	require.ErrorIs(t, err, round.ErrNotResumable)

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errAway)
	_, err = durable.Replay(ctx, untouched(t, nil), w.store, "run", nil)
	require.ErrorIs(t, err, errAway)
}
