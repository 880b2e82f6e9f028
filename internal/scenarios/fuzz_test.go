package scenarios_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// FuzzHostile lets chance be the model, the person and the world of a conversation. Whatever they do, nothing is
// executed that the policy did not allow just before, or a person approve. Each step is in the table, a return or a
// fault; nothing that failed is FINISH; what was opened is closed; the bounds hold.
func FuzzHostile(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("a desktop that means well"))
	for seed := range byte(sample.Of(32, 6)) {
		f.Add([]byte{seed, seed * 11, seed * 29, 255 - seed, seed * 3, seed})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		synctest.Test(t, func(t *testing.T) { runHostile(t, newChance(data)) })
	})
}

func runHostile(t *testing.T, c *chance) {
	policy := pick(c, "default", "ask-destructive", "default + ask-destructive", "distrust peek",
		"tools select_application_window", "ask read-only", "apps word paint + default")
	conv := &conversation{t: t, attack: true, chance: c, lines: []*line{{kind: "policy", text: policy}}, cancel: func(error) {}}
	conv.prepare()
	conv.maker = func(s *stage) fsm.Worker { return s.host() }
	conv.verdicts = map[string]policies.Verdict{} // what happens on the way says no more than the policy
	for _, event := range []string{
		`app {"Root": "paint", "Process": "image"}`, `program {"Name": "paint"}`, `server evil [{"name": "fax"}]`,
		`tool {"name": "wipe", "annotations": {"destructiveHint": true}}`, `tool {"name": "peek", "annotations": {"readOnlyHint": true}}`,
	} {
		conv.event(event)
	}
	if c.one(3) {
		conv.event("unscoped")
	}
	if c.one(3) {
		conv.s.Config.Policy = conv.judge
	}
	conv.s.Config.NoImages, conv.s.Config.MaxReasks, conv.s.Config.MaxReplans = c.one(4), 1+c.n(5), pick(c, 0, 1, -1)
	conv.s.Options = round.Options{MaxSteps: 4 + c.n(20), MaxTransitions: 6 + c.n(40), MaxTokens: 400 + c.n(2000), MaxRepeats: -1}
	conv.open(false)
	for range 2 {
		conv.s.Steps = nil
		w := &watcher{t: t, conv: conv}
		r, err := conv.session.Start("do something")
		require.NoError(t, err)
		w.follow(r)
		conv.check()
	}
	_ = conv.session.Close(t.Context())
	for _, s := range conv.session.Board().Subtasks() {
		assert.NotEmpty(t, s.Status, "%s is open", s.ID)
	}
}

// watcher looks at the steps of one round.
type watcher struct {
	t     *testing.T
	conv  *conversation
	steps []round.Step
}

// follow drives a round to its end, going on with higher bounds.
func (w *watcher) follow(r *round.Round) {
	w.t.Helper()
	for attempt := 1; ; attempt++ {
		ctx, cancel := context.WithCancelCause(w.t.Context())
		w.conv.cancel = cancel
		res, err := r.Run(ctx)
		cancel(nil)
		w.steps = w.conv.s.Steps
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
	assert.LessOrEqual(t, res.Transitions, limits.MaxTransitions)
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
			if i+1 < len(w.steps) {
				require.True(t, from.Permits("", w.steps[i+1].Kind, 0), at)
			}
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
