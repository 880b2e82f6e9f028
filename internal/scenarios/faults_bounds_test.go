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
				model := &always{reply: c.reply, takes: time.Minute, tokens: 10}
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
