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
	"github.com/agentfsm/agentfsm/policies"
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
			Board: blackboard.New(nil), NoImages: true,
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
	after, _ := w.records()
	assert.Equal(t, before, after)
}

func allowAll(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
	return policies.Verdict{Action: policies.Allow}
}

// A replay says where it goes another way, and touches nothing all the same.
func TestReplayFindsADifference(t *testing.T) {
	w := newWorld(t)
	_, err := w.life(true)
	require.NoError(t, err)
	deny := func(tool string) func(*hostagent.Config) {
		return func(c *hostagent.Config) {
			c.Policy = func(ctx context.Context, known desktop.Tool, cmd desktop.Command) policies.Verdict {
				if cmd.ToolName == tool {
					return policies.Verdict{Action: policies.Deny, Reason: "no"}
				}
				return policies.Default(ctx, known, cmd)
			}
		}
	}
	for name, c := range map[string]struct {
		change func(*hostagent.Config)
		step   int
		want   string
	}{
		"a command is not executed": {deny("add_row"), 5, "intent: it was add_row, and is nothing"},
		"nobody is asked":           {func(c *hostagent.Config) { c.Policy = allowAll }, 36, "intent: it was nothing, and is publish"},
		"another way": {
			deny("publish"), 36, "position: it was AppAgent/word/report:CONTINUE -> HostAgent:ASSIGN, AppAgent/word/report:CONFIRM, " +
				"and is AppAgent/word/report:CONTINUE -> HostAgent:ASSIGN, AppAgent/word/report:CONTINUE",
		},
		"a reply is refused": {func(c *hostagent.Config) { c.MaxActions = 1 }, 9, "call: it was add_row, and is call"},
		"something is seen":  {func(c *hostagent.Config) { c.NoImages = false }, 1, "look: it was call, and is capture_desktop_screenshot"},
	} {
		t.Run(name, func(t *testing.T) {
			before, _ := w.records()
			_, err := w.replay(c.change)
			var differs *durable.ReplayError
			require.ErrorAs(t, err, &differs)
			assert.Equal(t, 1, differs.Round)
			assert.Equal(t, c.step, differs.Step)
			assert.Contains(t, differs.Error(), c.want)
			assert.Positive(t, differs.Seq)
			after, _ := w.records()
			assert.Equal(t, before, after)
		})
	}
}

// Another prompt gets the same replies.
func TestReplayWithAnotherPrompt(t *testing.T) {
	w := newWorld(t)
	want, err := w.life(true)
	require.NoError(t, err)
	res, err := w.replay(func(c *hostagent.Config) { c.Prompt, c.Config.Prompt = "You are {{.Name}}.", "You are {{.Name}}." })
	require.NoError(t, err)
	assert.Equal(t, want, res)
}

// A record that goes no further than some place is done up to there.
func TestReplayOfAPart(t *testing.T) {
	for i, at := range appends() {
		w := half(t, at, i%2 == 0)
		if kinds, _ := w.records(); len(kinds) == 0 {
			continue
		}
		res, err := w.replay(nil)
		require.NoError(t, err, at)
		require.NotEqual(t, round.Faulted, res.Outcome)
		recorded := w.resume(nil).Round().Result().Transitions
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
