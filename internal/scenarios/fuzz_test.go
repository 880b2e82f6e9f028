package scenarios_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// FuzzRound lets chance be the model, the desktop, the person and the clock of a
// session, and looks at every step: it is in the table, a return or a fault;
// nothing that failed is FINISH; what was opened is closed; the bounds hold.
func FuzzRound(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("a host that is in no hurry"))
	for seed := range byte(sample.Of(16, 3)) {
		f.Add([]byte{seed, seed * 7, seed * 31, 255 - seed, seed})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := newChance(data)
		word := &desktoptest.App{Root: "word", Process: "report", Title: "report.docx", Running: true}
		excel := &desktoptest.App{Root: "excel", Process: "book", Title: "Book1", Running: true, Controls: []desktop.Control{
			{ID: "1", Name: "Cell", Type: "Edit"}, {ID: "2", Name: "Save", Type: "Button"},
		}}
		paint := &desktoptest.App{Root: "paint", Process: "image", LaunchDelay: -1}
		if c.one(2) {
			paint.LaunchDelay = 0
		}
		whole := desktoptest.New(t, word, excel, paint)
		d := &shaky{Desktop: whole, whole: whole, chance: c, apps: []*desktoptest.App{word, excel}}
		g := newGuard()
		programs := []hostagent.Program{{Name: "paint"}}
		host, err := hostagent.New(hostagent.Config{
			Config: appagent.Config{
				Model: g.model(llm.ModelFunc(c.complete)), Desktop: g.desktop(d), User: g.user(people.UserFunc(c.answer)),
				Policy:    g.policy(hostagent.DefaultPolicy(programs)),
				NoImages:  c.one(2),
				MaxReasks: 1 + c.n(5),
			},
			Apps: programs, LaunchTimeout: time.Millisecond,
		})
		require.NoError(t, err)
		var w watcher
		opts := &round.Options{
			MaxSteps: 4 + c.n(20), MaxTransitions: 6 + c.n(40), MaxTokens: 200 + c.n(1000),
			Observe: func(s round.Step) {
				w.steps = append(w.steps, s)
				if c.bad() && c.one(8) {
					panic(errBang)
				}
			},
		}
		session, err := round.NewSession(host, opts)
		require.NoError(t, err)
		for range 2 {
			w = watcher{t: t, host: host}
			r, err := session.Start("do something")
			require.NoError(t, err)
			w.follow(r, c)
		}
		require.NotPanics(t, func() { err = session.Close(t.Context()) })
		for _, s := range session.Board().Subtasks() {
			assert.NotEmpty(t, s.Status, "%s is open", s.ID)
		}
		assert.Empty(t, g.Broken, "nothing is executed that policy and person did not allow")
	})
}

// watcher looks at the steps of one round.
type watcher struct {
	t     *testing.T
	host  *hostagent.Agent
	steps []round.Step
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
		if res.Outcome == round.Finished || res.Outcome == round.Failed || res.Outcome == round.Faulted {
			return
		}
		if attempt == 4 {
			return // the session gives it up
		}
		r.Adjust(func(o *round.Options) {
			o.MaxSteps, o.MaxTransitions, o.MaxTokens = o.MaxSteps+10, o.MaxTransitions+10, o.MaxTokens+500
			o.MaxRepeats += 20
		})
	}
}

var outcomes = map[round.Outcome]error{
	round.Failed: round.ErrFailed, round.Faulted: round.ErrFault, round.OverBudget: round.ErrBudget,
	round.Suspended: round.ErrSuspended, round.Cancelled: round.ErrCancelled,
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
		require.ErrorIs(t, err, outcomes[res.Outcome], "outcome %q", res.Outcome)
		assert.Empty(t, res.Answer)
	}

	// The ends of sub-tasks, in order: what the steps say, then what the Round closed.
	ended := w.path()
	all := res.Subtasks
	for i, end := range ended {
		require.Less(t, i, len(all))
		if i < len(ended)-1 {
			assert.Equal(t, string(end), all[i].Status, "%s is what its agent came to", all[i].ID)
		}
		// The last may have been closed by the Round, where the host had no more step.
		if end != fsm.Finish {
			assert.NotEqual(t, "FINISH", all[i].Status)
			assert.Empty(t, all[i].Result)
		}
	}
	over := res.Outcome == round.Finished || res.Outcome == round.Failed || res.Outcome == round.Faulted
	for i, s := range all {
		if over {
			assert.NotEmpty(t, s.Status, "%s is open after the round", s.ID)
		}
		if i >= len(ended) && over {
			assert.Contains(t, []string{"FAIL", "ERROR"}, s.Status, "%s: nobody said that it was done", s.ID)
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
		require.True(t, from.Known(), at)
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

// shaky is a desktop that fails by chance.
type shaky struct {
	desktop.Desktop

	whole  *desktoptest.Desktop
	chance *chance
	apps   []*desktoptest.App
}

func (s *shaky) Scope(ctx context.Context, id string) (desktop.Desktop, error) {
	scoper, ok := s.Desktop.(desktop.Scoper)
	if !ok || s.chance.bad() {
		return nil, errBang
	}
	inner, err := scoper.Scope(ctx, id)
	if err != nil {
		return nil, err
	}
	return &shaky{Desktop: inner, chance: s.chance, apps: s.apps, whole: s.whole}, nil
}

func (s *shaky) Tools(ctx context.Context) ([]desktop.Tool, error) {
	if s.chance.bad() && s.chance.one(4) {
		return nil, errBang
	}
	return s.Desktop.Tools(ctx)
}

func (s *shaky) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	looks := cmd.Looks
	if !s.chance.bad() || looks && !s.chance.one(4) {
		return s.Desktop.Execute(ctx, cmd)
	}
	switch s.chance.n(9) {
	case 0:
		return desktop.Result{}, errBang
	case 1:
		return desktop.Result{Status: "maybe"}, nil
	case 2:
		return desktop.Result{Status: desktop.Success, CallID: "another"}, nil
	case 3:
		panic("the desktop falls over")
	case 4:
		s.chance.cancel()
		return s.Desktop.Execute(ctx, cmd)
	case 5:
		return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: json.RawMessage("{")}}}, nil
	case 6:
		s.whole.Gone(pick(s.chance, s.apps...))
		return s.Desktop.Execute(ctx, cmd)
	}
	return desktop.FailureResult("it is stuck"), nil
}

var _ desktop.Scoper = (*shaky)(nil)
