package round_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// An option that is changed while the round runs holds from the next step on,
// and from the next model call.
func TestAdjustWhileItRuns(t *testing.T) {
	t.Run("within a step", func(t *testing.T) {
		p := newPuppet("A")
		r, err := round.New(p, "go", nil)
		require.NoError(t, err)
		p.do = func(ctx context.Context) error {
			require.NoError(t, askEcho(ctx))
			r.Adjust(func(o *round.Options) { o.MaxTokens = 10 })
			return askEcho(ctx)
		}
		res, err := r.Run(t.Context())
		b := bound(t, err)
		assert.Contains(t, b.Error(), "MaxTokens of 10 reached (used 10)")
		assert.Equal(t, 1, res.Calls, "the second call was not made")
		assert.Zero(t, res.Steps)
	})
	t.Run("by another goroutine", func(t *testing.T) {
		r, err := round.New(restless(nil), "go", &round.Options{MaxTransitions: -1})
		require.NoError(t, err)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range 100 {
				r.Adjust(func(o *round.Options) { o.MaxSteps = i + 1 })
			}
			r.Adjust(func(o *round.Options) { o.MaxTransitions = 10 })
		}()
		_, err = r.Run(t.Context())
		<-done
		assert.Equal(t, "MaxTransitions", bound(t, err).Bound)
	})
}

// How many calls a round may make follows from MaxSteps: within one step, and whatever the
// agent does with the error.
func TestDefaultOfCalls(t *testing.T) {
	for steps, want := range map[int]int{0: 200, 3: 12, -1: 1000, math.MaxInt: 1000} {
		p := newPuppet("A")
		made := 0
		p.do = func(ctx context.Context) error {
			for range 1000 {
				if err := askEcho(ctx); err == nil {
					made++
				}
			}
			return nil
		}
		_, res, err := path(t, p, &round.Options{MaxSteps: steps})
		assert.Equal(t, want, made)
		assert.Equal(t, want, res.Calls)
		if want < 1000 {
			assert.Equal(t, "MaxCalls", bound(t, err).Bound)
		}
	}
}

// A call that a limiter refused was not made. What was asked before it, or instead of it, counts.
func TestRefusalsOfALimiterDoNotCount(t *testing.T) {
	full := llm.Limit(echo, closedLimiter{})
	busy := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return nil, llm.StatusError(503, 0, "busy")
	})
	once := &llm.RetryOptions{MaxAttempts: 1}
	for name, c := range map[string]struct {
		model llm.Model
		calls int
	}{
		"refused":                  {full, 0},
		"tried again by force":     {llm.Retry(full, &llm.RetryOptions{Base: -1, When: func(error) bool { return true }}), 0},
		"a Retry that nobody sees": {llm.Timeout(llm.Retry(full, nil), -1), 0},
		"all models":               {llm.Timeout(llm.Fallback(full, full), -1), 0},
		"another model":            {llm.Fallback(full, echo), 1},
		"one that nobody sees":     {llm.Timeout(llm.Fallback(full, busy), -1), 1},
		"one before it":            {llm.Timeout(llm.Fallback(busy, full), -1), 1},
		"one before it, retried":   {llm.Timeout(llm.Retry(llm.Limit(busy, new(everyOther)), &llm.RetryOptions{Base: -1}), -1), 1},
		"no limiter refused":       {llm.Retry(busy, once), 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPuppet("A")
			p.do = func(ctx context.Context) error {
				for range 3 {
					_, _ = llm.Complete(ctx, c.model, &llm.Request{})
				}
				return nil
			}
			_, res, err := path(t, p, &round.Options{MaxCalls: 3})
			require.NoError(t, err)
			assert.Equal(t, 3*c.calls, res.Calls)
			assert.Equal(t, min(1, c.calls), res.Steps)
		})
	}
}

type closedLimiter struct{}

func (closedLimiter) WaitN(context.Context, int) error { return errors.New("burst is 0") }

// everyOther lets every other call through, and begins with the first.
type everyOther struct{ calls int }

func (l *everyOther) WaitN(context.Context, int) error {
	if l.calls++; l.calls%2 == 0 {
		return errors.New("not now")
	}
	return nil
}

func TestMaxRepeats(t *testing.T) {
	look := desktop.Command{ToolName: "look", Looks: true}
	press := func(key string) desktop.Command {
		return desktop.Command{ToolName: "press", Parameters: map[string]any{"key": key}}
	}
	always := func(cmds ...desktop.Command) func(int) []desktop.Command {
		return func(int) []desktop.Command { return cmds }
	}
	for name, test := range map[string]struct {
		step    func(n int) []desktop.Command
		screen  func(n int, cmd desktop.Command) (desktop.Result, error)
		stopped bool
	}{
		"the same on the same": {always(look, press("a")), nil, true},
		"the type is not said": {always(desktop.Command{ToolName: "press"}), nil, true},
		"a list":               {always(press("a"), press("b")), nil, true},
		// Polling sees the same more or less often, as the clock has it.
		"polling, once more each time": {func(n int) []desktop.Command { return append(slices.Repeat(always(look)(n), n), press("a")) }, nil, true},
		"polling what fails": {func(n int) []desktop.Command { return append(slices.Repeat(always(look)(n), n%4+1), press("a")) },
			func(int, desktop.Command) (desktop.Result, error) { return desktop.FailureResult("no"), nil }, true},
		"other arguments": {func(n int) []desktop.Command { return always(look, press(fmt.Sprint(n)))(n) }, nil, false},
		"other arguments deep inside": {func(n int) []desktop.Command {
			return []desktop.Command{{ToolName: "press", Parameters: map[string]any{"at": []any{map[string]any{"x": float64(n), "y": true}, nil}}}}
		}, nil, false},
		"another type of argument": {func(n int) []desktop.Command {
			return []desktop.Command{{ToolName: "press", Parameters: map[string]any{"at": []any{"1", 1.0}[n%2]}}}
		}, nil, false},
		"the same, as JSON writes it": {func(n int) []desktop.Command {
			return []desktop.Command{{ToolName: "press", Parameters: map[string]any{"at": []any{json.Number("1"), 1.0}[n%2], "b": "c", "d": []any{nil}}}}
		}, nil, true},
		"another order": {func(n int) []desktop.Command {
			return []desktop.Command{press(fmt.Sprint(n % 2)), press(fmt.Sprint((n + 1) % 2))}
		}, nil, false},
		"on another observation": {always(look, press("a")),
			func(n int, _ desktop.Command) (desktop.Result, error) { return desktop.TextResult(fmt.Sprint(n)), nil }, false},
		"on another picture, seen twice": {always(look, look, press("a")), func(n int, _ desktop.Command) (desktop.Result, error) {
			picture := &desktop.Image{MediaType: "image/png", Data: []byte{byte(n), byte(n >> 8)}}
			return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: picture}}}, nil
		}, false},
		"nothing is done": {always(look), nil, false},
		"it cannot look": {always(look, press("a")), func(_ int, cmd desktop.Command) (desktop.Result, error) {
			if cmd.ToolName == "look" {
				return desktop.Result{}, errBang
			}
			return desktop.FailureResult("no"), nil
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			d := screen(func(cmd desktop.Command) (desktop.Result, error) {
				if test.screen != nil {
					return test.screen(n, cmd)
				}
				return desktop.TextResult("as ever"), nil
			})
			p := restless(func(ctx context.Context) error {
				n++
				for _, cmd := range test.step(n) {
					_, _ = desktop.Execute(ctx, d, cmd) // what fails is an observation, too
				}
				return nil
			})
			_, res, err := path(t, p, &round.Options{MaxTransitions: 50})
			if test.stopped {
				assert.Equal(t, "MaxRepeats", bound(t, err).Bound)
				assert.Equal(t, 10, res.Transitions)
				return
			}
			assert.Equal(t, "MaxTransitions", bound(t, err).Bound)
		})
	}
}

// A look that a deadline breaks off, now and then, saw nothing.
func TestMaxRepeatsOfLooksThatAreBrokenOff(t *testing.T) {
	look := desktop.Command{ToolName: "look", Looks: true}
	n := 0
	late := func() error { return nil }
	d := screen(func(desktop.Command) (desktop.Result, error) { return desktop.TextResult("as ever"), late() })
	p := restless(func(ctx context.Context) error {
		n++
		_, _ = desktop.Execute(ctx, d, desktop.Command{ToolName: "press"})
		within, cancel := context.WithCancel(ctx)
		defer cancel()
		for range n%3 + 1 { // how many there is time for
			_, _ = desktop.Execute(within, d, look)
		}
		if n%2 == 0 {
			late = func() error { cancel(); return fmt.Errorf("look %d: %w", n, within.Err()) }
			_, _ = desktop.Execute(within, d, look)
			late = func() error { return nil }
		}
		return nil
	})
	_, res, err := path(t, p, &round.Options{MaxTransitions: 50})
	assert.Equal(t, "MaxRepeats", bound(t, err).Bound)
	assert.Equal(t, 10, res.Transitions)
}

// An agent that went elsewhere in between got further.
func TestRepeatsThatLeadElsewhere(t *testing.T) {
	d := screen(func(desktop.Command) (desktop.Result, error) { return desktop.TextResult("as ever"), nil })
	act := func(ctx context.Context) error {
		_, err := desktop.Execute(ctx, d, desktop.Command{ToolName: "press"})
		return err
	}
	b := newPuppet("B")
	b.do = act
	a := newPuppet("A", pass, pass, pass, pass, pass, pass)
	a.do, a.pass = act, []fsm.Agent{b}
	_, _, err := path(t, a, &round.Options{MaxRepeats: 2})
	require.NoError(t, err)
}

// Usage counts also where the context was cancelled while the model was called.
func TestUsageOfCallsThatFail(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	res, err := start(t, func(ctx context.Context) error {
		_, err := llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			cancel()
			return &llm.Response{Usage: llm.Usage{InputTokens: 3}}, errBang
		}), &llm.Request{})
		return err
	}, nil).Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 3, res.Usage.Total())
	assert.Equal(t, 1, res.Calls)
}

// A model reports more tokens than an int can hold. Each of them is over every bound, and
// so is their sum, however it comes about.
func TestUsageDoesNotSwitchABoundOff(t *testing.T) {
	const most = math.MaxInt
	both := llm.Usage{InputTokens: most, OutputTokens: most}
	for name, c := range map[string]struct {
		resp llm.Response
		opts round.Options
		want string
	}{
		"input and output": {llm.Response{Usage: both}, round.Options{MaxTokens: 1000}, "MaxTokens"},
		"three attempts":   {llm.Response{Usage: both, Spent: []llm.ModelUsage{{Usage: both}, {Usage: both}, {Usage: both}}}, round.Options{MaxTokens: 1000}, "MaxTokens"},
		"of a session":     {llm.Response{Usage: both}, round.Options{MaxSessionTokens: 1000}, "MaxSessionTokens"},
		"cost": {llm.Response{Usage: both, Spent: []llm.ModelUsage{{Usage: both}, {Usage: both}}}, round.Options{
			MaxCost: 1, Price: func(string, llm.Usage) float64 { return math.MaxFloat64 },
		}, "MaxCost"},
	} {
		t.Run(name, func(t *testing.T) {
			model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
				resp := c.resp
				resp.Text = "hi"
				return &resp, nil
			})
			var out bytes.Buffer
			c.opts.Observe = round.JSONL(&out)
			res, err := newSession(t, restless(func(ctx context.Context) error {
				_, err := llm.Complete(ctx, model, &llm.Request{})
				return err
			}), &c.opts).Run(t.Context(), "go")
			assert.Equal(t, c.want, bound(t, err).Bound)
			assert.Equal(t, 1, res.Calls)
			assert.Positive(t, res.Usage.Total())
			assert.Positive(t, res.Cost+1)
		})
	}
}

// A context that is cancelled while an agent works ends the round before the next step.
func TestNoStepAfterACancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	steps := 0
	p := restless(func(context.Context) error { steps++; return nil })
	r, err := round.New(p, "go", &round.Options{Observe: func(round.Step) { cancel() }})
	require.NoError(t, err)
	_, err = r.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, steps)
}

// After a bound nothing more is called in the same step, of anything, and nobody is asked.
// A response that is none costs nothing.
func TestNothingIsCalledAfterABound(t *testing.T) {
	none := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return nil, nil })
	d := screen(func(desktop.Command) (desktop.Result, error) {
		assert.Fail(t, "executed")
		return desktop.TextResult(""), nil
	})
	user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		assert.Fail(t, "asked")
		return people.Answer{}, nil
	})
	res, err := start(t, func(ctx context.Context) error {
		_, err := llm.Complete(ctx, none, &llm.Request{})
		require.ErrorIs(t, err, llm.ErrNoResponse)
		require.NoError(t, askEcho(ctx))
		require.ErrorIs(t, askEcho(ctx), round.ErrBudget)
		require.ErrorIs(t, askEcho(ctx), round.ErrBudget, "and it stays reached")
		_, err = desktop.Execute(ctx, d, desktop.Command{ToolName: "x"})
		require.ErrorIs(t, err, round.ErrBudget)
		_, err = people.Ask(ctx, user, people.Question{}, 0)
		require.ErrorIs(t, err, round.ErrBudget)
		return nil
	}, &round.Options{MaxTokens: 10}).Run(t.Context())
	bound(t, err)
	assert.Equal(t, 2, res.Calls)
}

func TestSessionBounds(t *testing.T) {
	for name, opts := range map[string]*round.Options{
		"MaxSessionSteps":  {MaxSessionSteps: 2},
		"MaxSessionTokens": {MaxSessionTokens: 20},
		"MaxSessionCost":   {MaxSessionCost: 2, Price: func(string, llm.Usage) float64 { return 1 }},
	} {
		s := newSession(t, doing(askEcho), opts)
		for range 2 {
			_, err := s.Run(t.Context(), "go")
			require.NoError(t, err)
		}
		_, err := s.Run(t.Context(), "go")
		assert.Equal(t, name, bound(t, err).Bound)
		s.Round().Adjust(func(o *round.Options) { o.MaxSessionSteps, o.MaxSessionTokens, o.MaxSessionCost = 3, 30, 3 })
		_, err = s.Round().Run(t.Context())
		require.NoError(t, err, "with a higher one it goes on")
		_, err = start(t, askEcho, opts).Run(t.Context())
		require.NoError(t, err, "a round of its own is in no session")
	}
}

// Every attempt behind a call is priced by its own model, also where the call
// failed, and what the list leaves out by the model that the response names.
func TestPriceOfEachAttempt(t *testing.T) {
	in := func(n int) llm.Usage { return llm.Usage{InputTokens: n} }
	by := func(model string, n int) llm.ModelUsage { return llm.ModelUsage{Model: model, Usage: in(n)} }
	for name, c := range map[string]struct {
		resp   *llm.Response
		err    error
		priced []string
		tokens int
		cost   float64
	}{
		"plain":          {&llm.Response{Text: "hi", Model: "small", Usage: in(2)}, nil, []string{"small 2"}, 2, 2},
		"no response":    {nil, errBang, nil, 0, 0},
		"failed, paid":   {&llm.Response{Model: "big", Usage: in(3)}, errBang, []string{"big 3"}, 3, 3000},
		"two models":     {&llm.Response{Text: "hi", Model: "small", Usage: in(5), Spent: []llm.ModelUsage{by("big", 3), by("small", 2)}}, nil, []string{"big 3", "small 2"}, 5, 3002},
		"a rest":         {&llm.Response{Text: "hi", Model: "small", Usage: in(5), Spent: []llm.ModelUsage{by("big", 3)}}, nil, []string{"big 3", "small 2"}, 5, 3002},
		"an empty sum":   {&llm.Response{Text: "hi", Model: "small", Spent: []llm.ModelUsage{by("big", 3)}}, nil, []string{"big 3"}, 3, 3000},
		"minus is none":  {&llm.Response{Text: "hi", Model: "small", Usage: in(-9), Spent: []llm.ModelUsage{by("big", 3), by("small", -3)}}, nil, []string{"big 3", "small 0"}, 3, 3000},
		"without a name": {&llm.Response{Text: "hi", Model: "small", Usage: in(5), Spent: []llm.ModelUsage{by("", 3), by("small", 2)}}, nil, []string{" 3", "small 2"}, 5, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var priced []string
			p := doing(func(ctx context.Context) error {
				model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) { return c.resp, c.err })
				_, err := llm.Complete(ctx, model, &llm.Request{})
				assert.Equal(t, c.err, err)
				return nil
			})
			_, res, err := path(t, p, &round.Options{Price: func(model string, used llm.Usage) float64 {
				priced = append(priced, fmt.Sprint(model, " ", used.Total()))
				return map[string]float64{"big": 1000, "small": 1}[model] * float64(used.Total())
			}})
			require.NoError(t, err)
			assert.Equal(t, c.priced, priced)
			assert.Equal(t, c.tokens, res.Usage.Total())
			assert.InDelta(t, c.cost, res.Cost, 1e-9)
			assert.Equal(t, 1, res.Calls)
		})
	}
}

func TestAPriceThatIsNone(t *testing.T) {
	for name, price := range map[string]func() float64{
		"no number":  math.NaN,
		"below zero": func() float64 { return -1 },
		"infinite":   func() float64 { return math.Inf(1) },
		"a panic":    func() float64 { panic(errBang) },
	} {
		res, err := start(t, askEcho, &round.Options{Price: func(string, llm.Usage) float64 { return price() }}).Run(t.Context())
		require.ErrorIs(t, err, round.ErrFault, name)
		assert.Equal(t, 10, res.Usage.Total(), "it was used all the same")
	}
}

// Each attempt of a Retry is a call: bounds are checked before it, with what the attempts before it used.
func TestBoundsBetweenAttempts(t *testing.T) {
	busy := llm.StatusError(503, time.Minute, "busy")
	for name, c := range map[string]struct {
		opts  round.Options
		asked int
	}{
		"MaxCalls":         {round.Options{MaxCalls: 3}, 3},
		"MaxTokens":        {round.Options{MaxTokens: 11}, 2},
		"MaxCost":          {round.Options{MaxCost: 31}, 4},
		"MaxSessionTokens": {round.Options{MaxSessionTokens: 20}, 2},
		"MaxSessionCost":   {round.Options{MaxSessionCost: 5}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked, began := 0, time.Now()
				model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					asked++
					return &llm.Response{Model: "m", Usage: llm.Usage{InputTokens: 10}}, busy
				})
				c.opts.Price = func(_ string, used llm.Usage) float64 { return float64(used.InputTokens) }
				s := newSession(t, doing(func(ctx context.Context) error {
					// The second model is refused where the first one could still be asked.
					_, err := llm.Complete(ctx, llm.Retry(llm.Fallback(model, model), &llm.RetryOptions{MaxAttempts: -1}), &llm.Request{})
					return err
				}), &c.opts)
				res, err := s.Run(t.Context(), "do it")
				assert.Equal(t, name, bound(t, err).Bound)
				assert.Equal(t, c.asked, asked)
				assert.Equal(t, c.asked, res.Calls)
				assert.Equal(t, 10*c.asked, res.Usage.Total())
				assert.InDelta(t, 10*c.asked, res.Cost, 1e-9)
				assert.Equal(t, 0, res.Steps)
				assert.Equal(t, time.Duration(c.asked/2)*time.Minute, time.Since(began), "nobody waits for a call that is refused")
			})
		})
	}
}

// A Price sees what was cached, and so does MaxCost. More than the input cannot be cached, so
// that no price is below zero.
func TestPriceSeesTheCache(t *testing.T) {
	opts := round.Options{MaxCost: 3300, Price: func(_ string, used llm.Usage) float64 {
		usual := used.InputTokens - used.CacheReadTokens - used.CacheCreationTokens
		return float64(10*usual + used.CacheReadTokens + 12*used.CacheCreationTokens)
	}}
	for name, c := range map[string]struct {
		used  llm.Usage
		cost  float64
		calls int
	}{
		"nothing was":        {llm.Usage{InputTokens: 1000}, 10_000, 1},
		"read":               {llm.Usage{InputTokens: 1000, CacheReadTokens: 900}, 1900, 2},
		"written":            {llm.Usage{InputTokens: 1000, CacheReadTokens: 800, CacheCreationTokens: 50}, 2900, 2},
		"more than there is": {llm.Usage{InputTokens: 1000, CacheReadTokens: 5000, CacheCreationTokens: 5000}, 1000, 4},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			r := start(t, func(ctx context.Context) error {
				for {
					_, err := llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
						calls++
						return &llm.Response{Text: "hi", Usage: c.used}, nil
					}), &llm.Request{})
					if err != nil {
						return err
					}
				}
			}, &opts)
			res, err := r.Run(t.Context())
			assert.Equal(t, "MaxCost", bound(t, err).Bound)
			assert.Equal(t, c.calls, calls)
			assert.InDelta(t, float64(c.calls)*c.cost, res.Cost, 1e-9)
			assert.Equal(t, 1000*c.calls, res.Usage.Total())
			assert.LessOrEqual(t, res.Usage.CacheReadTokens+res.Usage.CacheCreationTokens, res.Usage.InputTokens)
		})
	}
}
