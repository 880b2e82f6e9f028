package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// always is a model that never says anything else, and counts.
type always struct {
	reply string
	calls int
	stop  int // after so many calls it says FINISH; 0: never
}

func (m *always) Complete(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	m.calls++
	reply := m.reply
	if m.calls == m.stop {
		reply = `{"Status": "FINISH", "Comment": "done"}`
	}
	return &llm.Response{Text: reply, Usage: llm.Usage{InputTokens: 1 << 20}}, nil
}

// overBudget asserts which bound stopped a round, and where.
func overBudget(t *testing.T, err error, bound, limit string) {
	t.Helper()
	budget, ok := errors.AsType[*round.BudgetError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, bound, budget.Bound)
	assert.Equal(t, limit, budget.Limit)
}

const goOn = `{"Status": "CONTINUE"}`

func TestScenario39_MaxSteps(t *testing.T) {
	for value, want := range map[int]int{0: 50, 3: 3, -1: 0} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open()
				model := &always{reply: goOn}
				s.Config.Model = model
				s.Options.MaxSteps = value
				if want == 0 {
					model.stop = 60 // more than the default
					res, err := s.play()
					require.NoError(t, err)
					assert.Equal(t, 60, res.Steps)
					return
				}
				res, err := s.play()
				overBudget(t, err, "MaxSteps", fmt.Sprint(want))
				assert.Equal(t, want, res.Steps)
				assert.Equal(t, want, model.calls)
			})
		})
	}
}

// walker goes on without a model, or ends when it has gone far enough.
type walker struct {
	fsm.Position
	steps, end int
	does       func(ctx context.Context) error
}

var walkerStates = fsm.Table("Walker", []fsm.Row[*walker]{
	{Status: fsm.Continue, Handle: (*walker).walk},
	{Status: fsm.Finish, RoundEnd: true},
	{Status: fsm.Error, RoundEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

func (a *walker) Name() string                          { return "Walker" }
func (a *walker) States() fsm.Set                       { return walkerStates }
func (a *walker) Answer() string                        { return "" }
func (a *walker) Begin(context.Context, fsm.Task) error { return nil }

func (a *walker) walk(ctx context.Context) error {
	a.steps++
	a.Decide(fsm.Continue, fsm.BySystem, "")
	if a.steps == a.end {
		a.Decide(fsm.Finish, fsm.BySystem, "")
	}
	if a.does == nil {
		return nil
	}
	return a.does(ctx)
}

func TestScenario39_NilOptionsAreTheDefaults(t *testing.T) {
	agent := &walker{}
	r, err := round.New(agent, "go", nil)
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	overBudget(t, err, "MaxTransitions", "200")
	assert.Equal(t, 200, agent.steps)

	agent = &walker{}
	session, err := round.NewSession(agent, nil)
	require.NoError(t, err)
	_, err = session.Run(t.Context(), "go")
	overBudget(t, err, "MaxTransitions", "200")
}

func TestScenario39_MaxTransitions(t *testing.T) {
	for value, want := range map[int]int{0: 200, 3: 3, -1: 0} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			agent := &walker{}
			if want == 0 {
				agent.end = 1000
			}
			r, err := round.New(agent, "go", &round.Options{MaxTransitions: value})
			require.NoError(t, err)
			res, err := r.Run(t.Context())
			if want == 0 {
				require.NoError(t, err)
				assert.Equal(t, 1000, res.Transitions)
				return
			}
			overBudget(t, err, "MaxTransitions", fmt.Sprint(want))
			assert.Equal(t, want, res.Transitions)
			assert.Equal(t, want, agent.steps)
		})
	}
}

func TestScenario39_MaxRepeats(t *testing.T) {
	for value, want := range map[int]int{0: 10, 3: 3, -1: 0} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open()
				model := &always{reply: `{"Status": "CONTINUE", "Function": "note", "Args": {"text": "again"}}`}
				s.Config.Model = model
				s.Options.MaxRepeats = value
				if want == 0 {
					model.stop = 15 // more than the default
					_, err := s.play()
					require.NoError(t, err)
					assert.Len(t, s.Desktop.Calls("note"), 14)
					return
				}
				_, err := s.play()
				overBudget(t, err, "MaxRepeats", fmt.Sprint(want))
				assert.Len(t, s.Desktop.Calls("note"), want)
			})
		})
	}
	// What is not the same is no repeat: other arguments, or something changed.
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		var replies []any
		for i := range 16 {
			replies = append(replies, call("CONTINUE", "note", map[string]any{"text": fmt.Sprint(i / 8)}))
		}
		s := open(append(replies, finish("done"))...)
		s.Options.MaxRepeats = 9
		_, err := s.play()
		require.NoError(t, err)

		replies = replies[:0]
		for range 16 {
			replies = append(replies, call("CONTINUE", "note", map[string]any{"text": "x"}))
		}
		s = open(append(replies, finish("done"))...)
		s.Desktop.After("note", func(desktoptest.Call) {
			s.Word.ChangeWindow(func(now *desktop.Window) { now.Title = fmt.Sprint(len(s.Desktop.Calls("note")) / 8) })
		})
		s.Options.MaxRepeats = 9
		_, err = s.play()
		require.NoError(t, err)
	})
}

// The default of MaxCalls ends what asks again without end, in one step or over many.
func TestScenario39_MaxCalls(t *testing.T) {
	for name, c := range map[string]struct {
		opts  round.Options
		reply string
		want  int
	}{
		"by default":              {round.Options{}, "no JSON", 200},
		"three for a useless one": {round.Options{}, `{"Status": "NEVER"}`, 200},
		"of other steps":          {round.Options{MaxSteps: 7}, "no JSON", 28},
		"a bound of its own":      {round.Options{MaxCalls: 9}, "no JSON", 9},
		"more than steps":         {round.Options{MaxSteps: 2, MaxCalls: 33}, "no JSON", 33},
		"without steps":           {round.Options{MaxSteps: -1, MaxCalls: 12}, "", 12},
	} {
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open()
				model := &always{reply: c.reply}
				s.Config.Model, s.Config.MaxReasks = model, -1
				if c.reply == "" {
					model.reply = `{"Status": "CONTINUE"}`
				}
				s.Options = c.opts
				res, err := s.play()
				overBudget(t, err, "MaxCalls", fmt.Sprint(c.want))
				assert.Equal(t, c.want, res.Calls)
			})
		})
	}
}

func TestScenario39_NothingElseIsBoundByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, options := range []*round.Options{
			nil,
			{MaxTokens: -1, MaxCost: -1, MaxDuration: -1, MaxSessionSteps: -1, MaxSessionTokens: -1, MaxSessionCost: -1},
		} {
			model := &always{reply: "fine"}
			agent := &walker{end: 45, does: func(ctx context.Context) error {
				_, err := llm.Complete(ctx, slowModel{model, 24 * time.Hour}, &llm.Request{})
				return err
			}}
			if options == nil {
				options = &round.Options{}
			}
			options.Price = func(string, llm.Usage) float64 { return 1e9 }
			session, err := round.NewSession(agent, options)
			require.NoError(t, err)
			for range 3 {
				agent.steps = 0
				res, err := session.Run(t.Context(), "go")
				require.NoError(t, err)
				assert.Equal(t, 45<<20, res.Usage.Total())
			}
		}
		// Without a price nothing costs anything.
		r, err := round.New(&walker{end: 3}, "go", &round.Options{MaxCost: 1e-9})
		require.NoError(t, err)
		res, err := r.Run(t.Context())
		require.NoError(t, err)
		assert.Zero(t, res.Cost)
	})
}

func TestScenario39_MaxReasks(t *testing.T) {
	for value, want := range map[int]int{0: 4, 1: 2, -1: 0} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open()
				model := &always{reply: "I would rather not say."}
				s.Config.Model, s.Config.MaxReasks = model, value
				if want == 0 {
					s.Options.MaxTokens = 30 << 20
					_, err := s.play()
					overBudget(t, err, "MaxTokens", fmt.Sprint(30<<20))
					assert.Equal(t, 30, model.calls)
					return
				}
				res, err := s.play()
				require.ErrorIs(t, err, round.ErrFault)
				reply, ok := errors.AsType[*deciding.ReplyError](err)
				require.True(t, ok)
				assert.Equal(t, want, reply.Attempts)
				assert.Equal(t, want, model.calls)
				assert.Equal(t, want, res.Calls)
				assert.Equal(t, 1, res.Steps)
			})
		})
	}
	// The AppAgent that a host makes has the host's.
	s := onStage(t, assign("0", "go"), "no", "no", "no", "no")
	_, err := s.run("go")
	require.ErrorIs(t, err, round.ErrFault)
	s = onStage(t, assign("0", "go"), "no", "no")
	s.Config.MaxReasks = 1
	_, err = s.run("go")
	require.ErrorIs(t, err, round.ErrFault)
}

func TestScenario39_MaxReplans(t *testing.T) {
	for value, want := range map[int]int{0: 4, 1: 2, -1: 0} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			var replies []any
			n := want
			if want == 0 {
				n = 9
			}
			for range n {
				replies = append(replies, assign("0", "go"), status(fsm.Fail))
			}
			if want == 0 {
				replies = append(replies, finish("gave up"))
			}
			s := onStage(t, replies...)
			s.Config.MaxReplans = value
			res, err := s.run("go")
			assert.Len(t, res.Subtasks, n)
			if want == 0 {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, hostagent.ErrReplans)
			require.ErrorIs(t, err, round.ErrFault)
		})
	}
}

func TestScenario39_MaxReplansCountsFailuresInARow(t *testing.T) {
	var replies []any
	for range 3 {
		for _, end := range []fsm.Status{fsm.Fail, fsm.Fail, fsm.Fail, fsm.Finish} {
			replies = append(replies, assign("0", "go"), status(end))
		}
	}
	_, err := onStage(t, append(replies, finish("done"))...).run("go")
	require.NoError(t, err)
}

func TestScenario39_DeadlineOfACommand(t *testing.T) {
	for value, want := range map[time.Duration]time.Duration{0: time.Minute, time.Second: time.Second, -1: 0} {
		t.Run(value.String(), func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				s := open(call("CONTINUE", "note", map[string]any{"text": "x"}), finish("done"))
				s.Desktop.Slow("note", 1000*time.Hour)
				start := time.Now()
				s.Config.Desktop = desktop.Timeout(s.Config.Desktop, value)
				_, err := s.play()
				require.NoError(t, err)
				if want == 0 {
					assert.Equal(t, 1000*time.Hour, time.Since(start))
					assert.False(t, s.hasSection(1, "last_error"))
					return
				}
				assert.Equal(t, want, time.Since(start))
				assert.Contains(t, prompt[string](s.stage, 1, "last_error"), "no answer in time")
			})
		})
	}
}

func TestScenario39_MaxMemory(t *testing.T) {
	for value, want := range map[int]int{0: 10, 3: 3, -1: 0} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			forBoth(t, func(t *testing.T, open func(...any) *scene) {
				var replies []any
				for range 14 {
					replies = append(replies, status(fsm.Continue))
				}
				s := open(append(replies, finish("done"))...)
				s.Config.MaxMemory = value
				_, err := s.play()
				require.NoError(t, err)
				if want == 0 {
					assert.False(t, s.hasSection(14, "history"))
					return
				}
				assert.Len(t, prompt[[]acting.Memo](s.stage, 14, "history"), want)
			})
		})
	}
}

func TestScenario39_ZeroConfigButModelAndDesktop(t *testing.T) {
	s := onStage(t,
		pending("", "Anybody there?"),
	)
	s.Config.Model = llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		return s.Model.Complete(ctx, req)
	})
	host := s.host()
	assert.Equal(t, "HostAgent", host.Name())
	assert.True(t, host.States().Bind(fsm.Continue).Permits(fsm.Fail, "", fsm.ByModel), "there is nobody to ask")
	require.NotNil(t, host.Board(), "a blackboard of its own")
	res, err := s.run("go")
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Contains(t, res.Reason, "there is nobody to ask")

	s = onStage(t,
		call("CONTINUE", desktop.LaunchApplication, map[string]any{"name": "calc"}),
		assign("0", "extract"), call("FINISH", "run_shell", map[string]any{"bash_command": "rm x"}),
		finish("done"),
	)
	calc := &desktoptest.App{Root: "calc"}
	s.Desktop.Add(calc)
	s.Config.Apps = []hostagent.Program{{Name: "calc"}}
	before := time.Now()
	_, err = s.run("go")
	require.NoError(t, err)
	assert.Empty(t, s.Desktop.Calls("run_shell"), "a shell command needs approval, and there is nobody")
	assert.Len(t, s.Desktop.Calls(desktop.LaunchApplication), 1, "launching what is listed does not")
	given := prompt[struct {
		Current boarddata.Assignment `json:"current_subtask"`
	}](s, 2, "blackboard").Current
	assert.WithinRange(t, given.Timestamp, before, time.Now())
	for i, req := range s.Model.Requests() {
		parts := req.Messages[1].Parts
		assert.NotNil(t, parts[len(parts)-1].Image, "prompt %d shows the screen", i)
		assert.NotEmpty(t, req.Messages[0].Parts[0].Text)
		assert.Zero(t, req.MaxTokens)
		assert.Nil(t, req.Temperature)
	}
	app, ok := s.host().App("word/report").(*appagent.Agent)
	require.True(t, ok, "an AppAgent")
	assert.Equal(t, "AppAgent/word/report", app.Name())
	assert.Same(t, appagent.States(), app.States())
	assert.Same(t, s.host().Board(), app.Board())
	require.NoError(t, s.host().Close(t.Context()))
	_, running := calc.Window()
	assert.True(t, running, "applications are left running")

	for window, name := range map[desktop.Window]string{
		{}: "AppAgent",
		{ID: "1", Root: "word", Process: "report"}: "AppAgent/word/report",
	} {
		alone, err := appagent.New(appagent.Config{Model: s.Model, Desktop: s.Desktop, Window: window})
		require.NoError(t, err)
		assert.Equal(t, name, alone.Name())
		assert.NotNil(t, alone.Board())
	}
}

func TestScenario39_ModelAndDesktopAreRequired(t *testing.T) {
	s := onStage(t)
	for name, c := range map[string]struct {
		model llm.Model
		desk  desktop.Desktop
	}{
		"no model":          {nil, s.Desktop},
		"typed nil model":   {(*always)(nil), s.Desktop},
		"nil func":          {llm.ModelFunc(nil), s.Desktop},
		"no desktop":        {s.Model, nil},
		"typed nil desktop": {s.Model, (*desktoptest.Desktop)(nil)},
	} {
		_, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: c.model, Desktop: c.desk}})
		require.ErrorContains(t, err, "hostagent: Config", name)
		_, err = appagent.New(appagent.Config{Model: c.model, Desktop: c.desk})
		require.ErrorContains(t, err, "appagent: Config", name)
	}
	_, err := round.New(nil, "go", nil)
	require.ErrorIs(t, err, round.ErrAgent)
	_, err = round.New((*walker)(nil), "go", nil)
	require.ErrorIs(t, err, round.ErrAgent)
}
