package scenarios_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// unbounded are options without any bound, in which a test sets one.
func unbounded(set func(*round.Options)) *round.Options {
	o := &round.Options{
		MaxSteps: -1, MaxCalls: -1, MaxTransitions: -1, MaxRepeats: -1, MaxTokens: -1, MaxCost: -1, MaxDuration: -1,
		MaxSessionSteps: -1, MaxSessionTokens: -1, MaxSessionCost: -1,
		Price: func(_ string, u llm.Usage) float64 { return float64(u.Total()) / 10 },
	}
	if set != nil {
		set(o)
	}
	return o
}

// chatter replies the same for ever, takes a minute for it, and 10 tokens.
type chatter struct {
	reply string
	calls int
}

func (c *chatter) Complete(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
	c.calls++
	timer := time.NewTimer(time.Minute)
	defer timer.Stop()
	select {
	case <-timer.C:
		return &llm.Response{Text: c.reply, Usage: llm.Usage{InputTokens: 7, OutputTokens: 3}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reached checks a round that a bound stopped.
func reached(t *testing.T, res round.Result, err error, bound, limit, used string) {
	t.Helper()
	require.ErrorIs(t, err, round.ErrBudget)
	var b *round.BudgetError
	require.ErrorAs(t, err, &b)
	assert.Equal(t, bound, b.Bound)
	assert.Equal(t, limit, b.Limit)
	assert.Equal(t, used, b.Used)
	assert.Contains(t, err.Error(), bound+" of "+limit+" reached")
	assert.Equal(t, round.OverBudget, res.Outcome)
	assert.Equal(t, err, res.Err)
	assert.Empty(t, res.Answer)
	assert.NotEmpty(t, b.Positions)
	assert.Contains(t, err.Error(), strings.Join(b.Positions, ", "), "the message has the positions of the last steps")
	assert.Equal(t, res.Agent+":"+string(res.Status), b.Positions[len(b.Positions)-1], "the last is where it stands")
	assert.NotErrorIs(t, err, context.DeadlineExceeded)
	assert.NotErrorIs(t, err, round.ErrCancelled)
}

func TestScenario33_EachBoundAlone(t *testing.T) {
	press := `{"Status": "CONTINUE", "Function": "keyboard_input", "Args": {"keys": "x"}}`
	for _, c := range []struct {
		bound       string
		set         func(*round.Options)
		reply       string
		limit, used string
		calls       int
		moved       int
		steps       int
	}{
		{"MaxSteps", func(o *round.Options) { o.MaxSteps = 3 }, "", "3", "3", 3, 3, 3},
		{"MaxCalls", func(o *round.Options) { o.MaxCalls = 3 }, "", "3", "3", 3, 3, 3},
		{"MaxTransitions", func(o *round.Options) { o.MaxTransitions = 4 }, "", "4", "4", 4, 4, 4},
		{"MaxTokens", func(o *round.Options) { o.MaxTokens = 25 }, "", "25", "30", 3, 3, 3},
		{"MaxTokens", func(o *round.Options) { o.MaxTokens = 20 }, "", "20", "20", 2, 2, 2},
		{"MaxCost", func(o *round.Options) { o.MaxCost = 1.5 }, "", "1.5", "2", 2, 2, 2},
		{"MaxCost", func(o *round.Options) { o.MaxCost = 2 }, "", "2", "2", 2, 2, 2},
		{"MaxDuration", func(o *round.Options) { o.MaxDuration = 150 * time.Second }, "", "2m30s", "2m30s", 3, 2, 2},
		{"MaxRepeats", func(o *round.Options) { o.MaxRepeats = 5 }, press, "5", "5", 5, 5, 5},
		{"MaxSessionSteps", func(o *round.Options) { o.MaxSessionSteps = 3 }, "", "3", "3", 3, 3, 3},
		{"MaxSessionTokens", func(o *round.Options) { o.MaxSessionTokens = 25 }, "", "25", "30", 3, 3, 3},
		{"MaxSessionTokens", func(o *round.Options) { o.MaxSessionTokens = 30 }, "", "30", "30", 3, 3, 3},
		{"MaxSessionCost", func(o *round.Options) { o.MaxSessionCost = 1.5 }, "", "1.5", "2", 2, 2, 2},
		// Within one step: bad replies are asked again until the bound says no.
		{"MaxCalls", func(o *round.Options) { o.MaxCalls = 5 }, "no JSON", "5", "5", 5, 0, 0},
		{"MaxCalls", func(o *round.Options) { o.MaxCalls, o.MaxSteps = 0, 3 }, "no JSON", "12", "12", 12, 0, 0},
		{"MaxTokens", func(o *round.Options) { o.MaxTokens = 25 }, "no JSON", "25", "30", 3, 0, 0},
		{"MaxCost", func(o *round.Options) { o.MaxCost = 1.5 }, "no JSON", "1.5", "2", 2, 0, 0},
	} {
		t.Run(c.bound+" "+c.limit, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := onStage(t)
				model := &chatter{reply: c.reply}
				if c.reply == "" {
					model.reply = `{"Status": "CONTINUE"}`
				}
				s.Config.Model, s.Config.MaxReasks = model, -1
				worker, prefix := fsm.Worker(s.host()), "HostAgent"
				if c.reply == press {
					app, err := appagent.New(appagent.Config{Model: model, Desktop: s.Desktop})
					require.NoError(t, err)
					worker, prefix = app, "AppAgent"
				}
				opts := unbounded(c.set)
				opts.Observe = func(step round.Step) { s.Steps = append(s.Steps, step) }
				session, err := round.NewSession(worker, opts)
				require.NoError(t, err)
				start := time.Now()
				res, err := session.Run(t.Context(), "for ever")
				reached(t, res, err, c.bound, c.limit, c.used)
				assert.Equal(t, c.calls, model.calls, "the model is not asked once too often")
				assert.Equal(t, c.calls, res.Calls)
				assert.Equal(t, c.moved, res.Transitions)
				assert.Equal(t, c.steps, res.Steps)
				assert.Len(t, s.Steps, c.moved)
				assert.Equal(t, fsm.Continue, res.Status, "the position stays")
				assert.True(t, strings.HasPrefix(res.Agent, prefix))
				if c.bound == "MaxDuration" {
					assert.Equal(t, 150*time.Second, time.Since(start))
				} else {
					assert.Equal(t, c.calls*10, res.Usage.Total())
					assert.InDelta(t, float64(c.calls), res.Cost, 1e-9)
				}
			})
		})
	}
}

// A round that hands over stops in the middle of it, and says where it was.
func TestScenario33_PositionsOfTheLastSteps(t *testing.T) {
	const word = "AppAgent/word/report"
	for limit, want := range map[int][]string{
		1: {"HostAgent:CONTINUE", "HostAgent:ASSIGN"},
		2: {"HostAgent:CONTINUE", "HostAgent:ASSIGN", word + ":CONTINUE"},
		4: {"HostAgent:CONTINUE", "HostAgent:ASSIGN", word + ":CONTINUE", word + ":FINISH", "HostAgent:CONTINUE"},
	} {
		s := onStage(t, []any{assign("0", "go"), finish("r")}[:min(2, max(1, limit-1))]...)
		s.Options = *unbounded(func(o *round.Options) { o.MaxTransitions = limit })
		res, err := s.run("go")
		reached(t, res, err, "MaxTransitions", fmt.Sprint(limit), fmt.Sprint(limit))
		var b *round.BudgetError
		require.ErrorAs(t, err, &b)
		assert.Equal(t, want, b.Positions)
	}
	// Of a long round only the last ones.
	s := onStage(t)
	s.Config.Model = llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: `{"Status": "CONTINUE"}`}, nil
	})
	s.Options = *unbounded(func(o *round.Options) { o.MaxTransitions = 50 })
	_, err := s.run("go")
	require.ErrorIs(t, err, round.ErrBudget)
	assert.Less(t, len(err.Error()), 1000)
	assert.GreaterOrEqual(t, strings.Count(err.Error(), "HostAgent:CONTINUE"), 8)
}

// MaxDuration ends what is under way: a call, a command, a person's silence.
func TestScenario33_MaxDurationEndsWhatIsUnderWay(t *testing.T) {
	for name, c := range map[string]struct {
		replies func() []any
		broken  func(*stage)
		status  fsm.Status
	}{
		"call":    {func() []any { return []any{hangs()} }, nil, fsm.Continue},
		"command": {nil, func(s *stage) { s.Desktop.Slow(desktop.GetDesktopAppInfo, -1) }, fsm.Continue},
		"person": {func() []any {
			return []any{map[string]any{"Status": "PENDING", "Questions": "Which?"}}
		}, func(s *stage) { s.Config.User, s.Config.AskTimeout = &person{}, -1 }, fsm.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var replies []any
				if c.replies != nil {
					replies = c.replies()
				}
				s := onStage(t, replies...)
				if c.broken != nil {
					c.broken(s)
				}
				s.Options = *unbounded(func(o *round.Options) { o.MaxDuration = time.Hour })
				start := time.Now()
				s.Config.Desktop = desktop.Timeout(s.Config.Desktop, -1)
				res, err := s.round("hang").Run(t.Context())
				reached(t, res, err, "MaxDuration", "1h0m0s", "1h0m0s")
				assert.Equal(t, time.Hour, time.Since(start))
				assert.Equal(t, c.status, res.Status)
			})
		})
	}
}

// The time counts over all Runs of a round, and only what was spent in them.
func TestScenario33_MaxDurationIsOfTheWholeRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := onStage(t)
		model := &chatter{reply: `{"Status": "CONTINUE"}`}
		s.Config.Model = model
		s.Options = *unbounded(func(o *round.Options) { o.MaxDuration = 150 * time.Second })
		r := s.round("go")
		for range r.Steps(t.Context()) {
			break
		}
		assert.Equal(t, 1, model.calls)
		time.Sleep(time.Hour)
		start := time.Now()
		res, err := r.Run(t.Context())
		reached(t, res, err, "MaxDuration", "2m30s", "2m30s")
		assert.Equal(t, 90*time.Second, time.Since(start))
	})
}

// A session's bounds are over all its rounds, those of a round begin anew.
func TestScenario33_BoundsOfASession(t *testing.T) {
	for name, c := range map[string]struct {
		set         func(*round.Options)
		limit, used string
		rounds      int // that finish
	}{
		"MaxSteps":         {func(o *round.Options) { o.MaxSteps = 1 }, "", "", 5},
		"MaxTokens":        {func(o *round.Options) { o.MaxTokens = 16 }, "", "", 5},
		"MaxSessionSteps":  {func(o *round.Options) { o.MaxSessionSteps = 3 }, "3", "3", 3},
		"MaxSessionTokens": {func(o *round.Options) { o.MaxSessionTokens = 31 }, "31", "45", 3},
		"MaxSessionCost":   {func(o *round.Options) { o.MaxSessionCost = 3 }, "3", "3", 2},
	} {
		t.Run(name, func(t *testing.T) {
			var replies []any
			for i := range c.rounds {
				replies = append(replies, finish(fmt.Sprint("answer ", i)))
			}
			s := onStage(t, replies...)
			session, err := round.NewSession(s.host(), unbounded(c.set))
			require.NoError(t, err)
			for i := range c.rounds {
				res, err := session.Run(t.Context(), "go")
				require.NoError(t, err)
				assert.Equal(t, fmt.Sprint("answer ", i), res.Answer)
			}
			if c.limit == "" {
				return
			}
			res, err := session.Run(t.Context(), "once too often")
			reached(t, res, err, name, c.limit, c.used)
			assert.Zero(t, res.Calls)
		})
	}
}

// An agent cannot talk a bound away, by an error of its own or a panic.
func TestScenario33_ABoundWinsOverWhatHandleDoes(t *testing.T) {
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: "x", Usage: llm.Usage{InputTokens: 1}}, nil
	})
	for name, end := range map[string]func(error) error{
		"its own error":   func(error) error { return errBang },
		"nothing":         func(error) error { return nil },
		"suspends":        func(error) error { return fsm.ErrSuspend },
		"the bound's own": func(err error) error { return err },
		"a panic":         func(error) error { panic(errBang) },
	} {
		t.Run(name, func(t *testing.T) {
			a := newTumbler("")
			a.work = func(ctx context.Context) error {
				if _, err := llm.Complete(ctx, model, &llm.Request{}); err != nil {
					return end(err)
				}
				return nil
			}
			s := onStage(t)
			s.Options = *unbounded(func(o *round.Options) { o.MaxSteps = 1 })
			res, err := s.drive(a, "go").Run(t.Context())
			reached(t, res, err, "MaxSteps", "1", "1")
			assert.Equal(t, fsm.Continue, a.Status())
			assert.Len(t, s.Steps, 1)
			if name == "a panic" {
				var p *round.PanicError
				assert.ErrorAs(t, err, &p, "which is not lost")
			}
		})
	}
}

// A page, a server or a model writes more than a prompt can have.
func TestScenario33_PromptsAreBounded(t *testing.T) {
	long := strings.Repeat("long ", 400_000)
	many := make([]string, 20_000)
	for i := range many {
		many[i] = fmt.Sprint("question ", i)
	}
	forBoth(t, func(t *testing.T, open func(...any) *scene) {
		s := open(
			map[string]any{"Status": "PENDING", "Questions": many},
			map[string]any{"Status": "PENDING", "Questions": []string{long}},
			map[string]any{"Status": "CONTINUE", "Plan": []string{long, "then"}},
			pending("", "which one?"), finish("done"))
		s.Word.Controls = append(s.Word.Controls, desktop.Control{ID: "big", Name: long, Type: "Edit", Value: long})
		s.Desktop.AddTools(desktoptest.Tool{Name: "verbose", Description: long})
		s.Desktop.Add(&desktoptest.App{Root: "browser", Process: "tab", Title: long, Running: true})
		asked := 0
		s.answered(func(context.Context, people.Question) (people.Answer, error) {
			asked++
			return people.Answer{Text: long}, nil
		})
		_, err := s.play()
		require.NoError(t, err)
		assert.Equal(t, 1, asked)
		requests := s.Model.Requests()
		require.Len(t, requests, 5)
		for i, req := range requests {
			size := 0
			for _, m := range req.Messages {
				for _, p := range m.Parts {
					size += len(p.Text)
				}
			}
			assert.Less(t, size, 600_000, "request %d", i)
		}
	})
}
