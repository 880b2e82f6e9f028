package scenarios_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

// watcher looks at the steps of one round.
type watcher struct {
	t      *testing.T
	chance *chance
	steps  []round.Step
}

// step is an observer, which may panic.
func (w *watcher) step(s round.Step) {
	w.steps = append(w.steps, s)
	if w.chance.bad() && w.chance.one(8) {
		panic(errBang)
	}
}

// follow drives a round to its end, going on with higher bounds.
func (w *watcher) follow(r *round.Round, c *chance) {
	w.t.Helper()
	for attempt := 1; ; attempt++ {
		ctx, cancel := context.WithCancelCause(w.t.Context())
		c.cancel = func() { cancel(errGoHome) }
		res, err := r.Run(ctx)
		cancel(nil)
		w.check(res, err, r)
		if res.Outcome.Ended() || attempt == 4 { // then the session gives it up
			return
		}
		r.Adjust(func(o *round.Options) {
			o.MaxSteps, o.MaxTransitions, o.MaxTokens = o.MaxSteps+10, o.MaxTransitions+10, o.MaxTokens+500
			o.MaxRepeats += 20
		})
	}
}

func (w *watcher) check(res round.Result, err error, r *round.Round) {
	t := w.t
	t.Helper()
	var limits round.Options
	r.Adjust(func(o *round.Options) { limits = *o })
	assert.LessOrEqual(t, res.Transitions, limits.MaxTransitions+1, "but for the fault of an observer")
	assert.LessOrEqual(t, res.Steps, limits.MaxSteps)
	assert.GreaterOrEqual(t, res.Calls, res.Steps)

	if res.Outcome == round.Finished {
		require.NoError(t, err)
		assert.Equal(t, fsm.Finish, res.Status)
		last := w.steps[len(w.steps)-1]
		assert.Equal(t, "HostAgent:CONTINUE -> HostAgent:FINISH (model)", last.String())
	} else {
		require.ErrorIs(t, err, sentinels[res.Outcome], "outcome %q", res.Outcome)
		assert.Empty(t, res.Answer)
	}

	// The ends of sub-tasks, in order, are what the steps say. The last may have been closed by the Round.
	ended := w.path()
	for i, s := range res.Subtasks {
		assert.True(t, s.Status != "" || !res.Outcome.Ended(), "%s is open after the round", s.ID)
		if i >= len(ended) || ended[i] != fsm.Finish {
			assert.NotEqual(t, "FINISH", s.Status, "%s: nobody said that it was done", s.ID)
		}
	}
}

// path checks that the steps follow from each other, each one permitted, and
// returns how the agents ended that gave control back.
func (w *watcher) path() []fsm.Status {
	t := w.t
	t.Helper()
	var stack []string
	var ended []fsm.Status
	agent, status := "HostAgent", fsm.Continue
	for i, s := range w.steps {
		at := fmt.Sprintf("step %d: %s", i+1, s)
		require.Equal(t, i+1, s.Seq, at)
		require.Equal(t, agent, s.Agent, at)
		require.Equal(t, status, s.From, at)
		set := kinds[s.Kind]
		require.NotNil(t, set, at)
		from := set.Bind(s.From)
		require.NoError(t, from.Err(), at)
		require.NotZero(t, s.By, at)
		returns := len(stack) > 0 && from.Terminal() && s.NextAgent == stack[len(stack)-1]
		switch {
		case s.By == fsm.ByFault:
			require.Equal(t, fsm.Error, s.To, at)
			require.Equal(t, s.Agent, s.NextAgent, at)
			require.Error(t, s.Err, at)
		case returns:
			require.Equal(t, fsm.Continue, s.To, at)
			stack = stack[:len(stack)-1]
			ended = append(ended, s.From)
		case s.NextAgent == s.Agent:
			require.True(t, from.Permits(s.To, "", 0), at)
		default:
			require.True(t, from.Permits("", s.NextKind, 0), at)
			require.Equal(t, fsm.Continue, s.To, "%s: it starts there", at)
			stack = append(stack, s.Agent)
		}
		// After an interruption the step also has what the broken-off attempt did,
		// of which the model was told.
		if s.To == fsm.Finish && s.Attempts == 1 {
			acts := slices.DeleteFunc(slices.Clone(s.Commands), func(c round.Command) bool {
				return c.Command.Looks
			})
			if i > 0 && w.steps[i-1].From == fsm.Confirm && len(acts) > 0 {
				acts = acts[1:] // what was approved comes before the model is asked, which is told that it failed
			}
			for _, c := range acts {
				require.Equal(t, desktop.Success, c.Result.Status, "%s, though %s failed", at, c.Command.ToolName)
				require.Empty(t, c.Err, at)
			}
		}
		agent, status = s.NextAgent, s.To
	}
	return ended
}

var kinds = map[string]fsm.Set{"HostAgent": hostagent.States(), "AppAgent": appagent.States()}
