package scenarios_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	reply  string
	takes  time.Duration
	tokens int
	calls  int
	stop   int // after so many calls it says FINISH; 0: never
}

func (m *always) Complete(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
	m.calls++
	select {
	case <-time.After(m.takes):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	reply := m.reply
	if m.calls == m.stop {
		reply = `{"Status": "FINISH", "Comment": "done"}`
	}
	return &llm.Response{Text: reply, Usage: llm.Usage{InputTokens: m.tokens}}, nil
}

// overBudget asserts which bound stopped a round, and where.
func overBudget(t *testing.T, err error, bound, limit string) {
	t.Helper()
	budget, ok := errors.AsType[*round.BudgetError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, bound, budget.Bound)
	assert.Equal(t, limit, budget.Limit)
}

// Zero is the documented default, a number is the bound, and a negative one is none. Package round tests what
// counts.
func TestScenario39_Bounds(t *testing.T) {
	const goOn, note = `{"Status": "CONTINUE"}`, `{"Status": "CONTINUE", "Function": "note", "Args": {"text": "again"}}`
	for bound, c := range map[string]struct {
		byDefault int
		reply     string
		set       func(s *scene, value int)
	}{
		"MaxSteps":       {50, goOn, func(s *scene, value int) { s.Options.MaxSteps = value }},
		"MaxTransitions": {200, goOn, func(s *scene, value int) { s.Options.MaxTransitions, s.Options.MaxSteps = value, -1 }},
		"MaxRepeats":     {10, note, func(s *scene, value int) { s.Options.MaxRepeats = value }},
		"MaxCalls":       {200, "no JSON", func(s *scene, value int) { s.Options.MaxCalls, s.Config.MaxReasks = value, -1 }},
	} {
		for value, want := range map[int]int{0: c.byDefault, 3: 3, -1: c.byDefault + 5} {
			t.Run(fmt.Sprint(bound, " ", value), func(t *testing.T) {
				forBoth(t, func(t *testing.T, open func(...any) *scene) {
					s := open()
					model := &always{reply: c.reply}
					s.Config.Model = model
					c.set(s, value)
					if value < 0 {
						model.stop = want
						_, err := s.play()
						require.NoError(t, err)
					} else {
						_, err := s.play()
						overBudget(t, err, bound, fmt.Sprint(want))
					}
					assert.Equal(t, want, model.calls)
				})
			})
		}
	}
}

// How often is asked again is bound in each agent, the one that a host makes included.
func TestScenario39_MaxReasks(t *testing.T) {
	for value, want := range map[int]int{0: 4, 1: 2} {
		for name, replies := range map[string][]any{"host": nil, "app": {assign("0", "go")}} {
			t.Run(fmt.Sprint(name, " ", value), func(t *testing.T) {
				s := onStage(t, append(replies, slices.Repeat([]any{"I would rather not say."}, want)...)...)
				s.Config.MaxReasks = value
				_, err := s.run("go")
				require.ErrorIs(t, err, round.ErrFault)
				require.ErrorIs(t, err, deciding.ErrReply)
				require.ErrorContains(t, err, fmt.Sprintf("no usable reply in %d attempts", want))
			})
		}
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

func TestScenario39_NothingElseIsBoundByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, options := range []*round.Options{
			nil,
			{MaxTokens: -1, MaxCost: -1, MaxDuration: -1, MaxSessionSteps: -1, MaxSessionTokens: -1, MaxSessionCost: -1},
		} {
			model := &always{reply: "fine", takes: 24 * time.Hour, tokens: 1 << 20}
			agent := &walker{end: 45, does: func(ctx context.Context) error {
				_, err := llm.Complete(ctx, model, &llm.Request{})
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
	assert.Empty(t, host.Answer())
	assert.Empty(t, host.Data())
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
}
