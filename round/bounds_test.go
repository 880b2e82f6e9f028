package round_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// restless goes on for ever.
func restless() *puppet {
	p := newPuppet("A")
	p.do = func(context.Context) error {
		p.script = append(p.script, fsm.Continue)
		return nil
	}
	p.script = []fsm.Status{fsm.Continue}
	return p
}

func bound(t *testing.T, err error) *round.BudgetError {
	t.Helper()
	require.ErrorIs(t, err, round.ErrBudget)
	var b *round.BudgetError
	require.ErrorAs(t, err, &b)
	return b
}

// An option that is changed while the round runs holds from the next step on,
// and from the next model call.
func TestAdjustWhileItRuns(t *testing.T) {
	t.Run("by the agent", func(t *testing.T) {
		p := restless()
		r, err := round.New(p, "go", &round.Options{MaxTransitions: -1})
		require.NoError(t, err)
		goOn, n := p.do, 0
		p.do = func(ctx context.Context) error {
			if n++; n == 3 {
				r.Adjust(func(o *round.Options) { o.MaxTransitions = 5 })
			}
			return goOn(ctx)
		}
		res, err := r.Run(t.Context())
		assert.Equal(t, "MaxTransitions", bound(t, err).Bound)
		assert.Equal(t, 5, res.Transitions)
	})
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
		assert.Equal(t, "MaxTokens of 10 reached (used 10)", fmt.Sprintf("%s of %s reached (used %s)", b.Bound, b.Limit, b.Used))
		assert.Equal(t, 1, res.Calls, "the second call was not made")
		assert.Zero(t, res.Steps)
	})
	t.Run("by another goroutine", func(t *testing.T) {
		r, err := round.New(restless(), "go", &round.Options{MaxTransitions: -1})
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
	t.Run("two at the same time", func(t *testing.T) {
		r, err := round.New(newPuppet("A"), "go", nil)
		require.NoError(t, err)
		calls := 0
		r.Adjust(func(o *round.Options) {
			if calls++; calls == 1 {
				r.Adjust(func(o *round.Options) { o.MaxTokens = 5 })
			}
			o.MaxSteps = 7
		})
		r.Adjust(func(o *round.Options) {
			assert.Equal(t, 5, o.MaxTokens)
			assert.Equal(t, 7, o.MaxSteps)
		})
		assert.Equal(t, 2, calls)
	})
}

// What is bounded by zero, by a negative number and by nothing at all.
func TestZeroIsTheDefaultAndNegativeIsNone(t *testing.T) {
	for limit, want := range map[int]int{0: 200, 7: 7, -1: 1000} {
		p := restless()
		goOn, n := p.do, 0
		p.do = func(ctx context.Context) error {
			if n++; n == 999 {
				return nil
			}
			return goOn(ctx)
		}
		_, res, err := path(t, p, &round.Options{MaxTransitions: limit})
		if limit < 0 {
			require.NoError(t, err)
		} else {
			bound(t, err)
		}
		assert.Equal(t, want, res.Transitions)
	}
}

func TestDefaultOfSteps(t *testing.T) {
	p := restless()
	goOn := p.do
	p.do = func(ctx context.Context) error { return errors.Join(askEcho(ctx), goOn(ctx)) }
	_, res, err := path(t, p, nil)
	assert.Equal(t, "MaxSteps", bound(t, err).Bound)
	assert.Equal(t, 50, res.Steps, "as it is documented")
}

// Within one step, and whatever the agent does with the error.
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

func TestMaxRepeats(t *testing.T) {
	look := desktop.Command{ToolName: "look", Looks: true}
	press := func(key string) desktop.Command {
		return desktop.Command{ToolName: "press", Parameters: map[string]any{"key": key}}
	}
	tests := []struct {
		name    string
		step    func(n int) []desktop.Command
		screen  func(n int, cmd desktop.Command) (desktop.Result, error)
		stopped bool
	}{
		{"the same on the same", func(int) []desktop.Command { return []desktop.Command{look, press("a")} }, nil, true},
		{"without looking", func(int) []desktop.Command { return []desktop.Command{press("a")} }, nil, true},
		{"the type is not said", func(int) []desktop.Command { return []desktop.Command{{ToolName: "press"}} }, nil, true},
		{"a list", func(int) []desktop.Command { return []desktop.Command{press("a"), press("b")} }, nil, true},
		{"looking twice", func(int) []desktop.Command { return []desktop.Command{look, press("a"), look} }, nil, true},
		// Polling sees the same more or less often, as the clock has it.
		{"polling, once more each time", func(n int) []desktop.Command { return append(slices.Repeat([]desktop.Command{look}, n), press("a")) }, nil, true},
		{"polling after the act, now and then", func(n int) []desktop.Command {
			return append([]desktop.Command{look, press("a")}, slices.Repeat([]desktop.Command{look}, n%3)...)
		}, nil, true},
		{"polling what fails", func(n int) []desktop.Command {
			return append(slices.Repeat([]desktop.Command{look}, n%4+1), press("a"))
		},
			func(_ int, cmd desktop.Command) (desktop.Result, error) { return desktop.FailureResult("no"), nil }, true},
		{"other arguments", func(n int) []desktop.Command { return []desktop.Command{look, press(fmt.Sprint(n))} }, nil, false},
		{"another order", func(n int) []desktop.Command {
			if n%2 == 0 {
				return []desktop.Command{press("a"), press("b")}
			}
			return []desktop.Command{press("b"), press("a")}
		}, nil, false},
		{"on another observation", func(int) []desktop.Command { return []desktop.Command{look, press("a")} },
			func(n int, _ desktop.Command) (desktop.Result, error) { return desktop.TextResult(fmt.Sprint(n)), nil }, false},
		{"on another picture, seen twice", func(int) []desktop.Command { return []desktop.Command{look, look, press("a")} },
			func(n int, _ desktop.Command) (desktop.Result, error) {
				return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: []byte{byte(n), byte(n >> 8)}}}}}, nil
			}, false},
		{"nothing is done", func(int) []desktop.Command { return []desktop.Command{look} }, nil, false},
		{"it cannot look", func(int) []desktop.Command { return []desktop.Command{look, press("a")} },
			func(_ int, cmd desktop.Command) (desktop.Result, error) {
				if cmd.ToolName == "look" {
					return desktop.Result{}, errBang
				}
				return desktop.FailureResult("no"), nil
			}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, n := restless(), 0
			d := screen(func(cmd desktop.Command) (desktop.Result, error) {
				if test.screen != nil {
					return test.screen(n, cmd)
				}
				return desktop.TextResult("as ever"), nil
			})
			goOn := p.do
			p.do = func(ctx context.Context) error {
				n++
				for _, cmd := range test.step(n) {
					_, _ = desktop.Execute(ctx, d, cmd) // what fails is an observation, too
				}
				return goOn(ctx)
			}
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
	p, n := restless(), 0
	late := func() error { return nil }
	d := screen(func(desktop.Command) (desktop.Result, error) { return desktop.TextResult("as ever"), late() })
	goOn := p.do
	p.do = func(ctx context.Context) error {
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
		return goOn(ctx)
	}
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

func TestPrice(t *testing.T) {
	var asked []string
	opts := &round.Options{
		Price: func(model string, used llm.Usage) float64 {
			asked = append(asked, fmt.Sprint(model, " ", used.InputTokens, " ", used.OutputTokens))
			return 0.25
		},
		MaxCost: 0.75,
	}
	p := restless()
	goOn := p.do
	p.do = func(ctx context.Context) error { return errors.Join(askEcho(ctx), goOn(ctx)) }
	var steps []round.Step
	opts.Observe = func(s round.Step) { steps = append(steps, s) }
	_, res, err := path(t, p, opts)
	assert.Equal(t, "MaxCost", bound(t, err).Bound)
	assert.Equal(t, []string{"echo 8 2", "echo 8 2", "echo 8 2"}, asked)
	assert.InDelta(t, 0.75, res.Cost, 1e-9)
	require.Len(t, steps, 3)
	assert.InDelta(t, 0.25, steps[2].Cost, 1e-9)
	assert.Equal(t, 10, steps[2].Usage.Total())
	assert.Equal(t, 1, steps[2].Calls)
}

// Usage counts whatever becomes of the call, and of the step.
func TestUsageOfCallsThatFail(t *testing.T) {
	both := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Usage: llm.Usage{InputTokens: 3}}, errBang
	})
	p := newPuppet("A")
	p.do = func(ctx context.Context) error {
		_, err := llm.Complete(ctx, both, &llm.Request{})
		return err
	}
	_, res, err := path(t, p, &round.Options{Price: func(string, llm.Usage) float64 { panic(errBang) }})
	require.ErrorIs(t, err, errBang)
	assert.Equal(t, 3, res.Usage.Total())
	assert.Equal(t, 1, res.Calls)
	assert.Equal(t, 1, res.Steps, "a fault is a step")

	ctx, cancel := context.WithCancel(t.Context())
	p = newPuppet("A")
	p.do = func(ctx context.Context) error {
		_, err := llm.Complete(ctx, llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			cancel()
			return &llm.Response{Usage: llm.Usage{InputTokens: 3}}, errBang
		}), &llm.Request{})
		return err
	}
	r, err := round.New(p, "go", nil)
	require.NoError(t, err)
	res, err = r.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 3, res.Usage.Total(), "cancelled while it was called")
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
		"one and a few":    {llm.Response{Usage: llm.Usage{InputTokens: most, OutputTokens: 7}}, round.Options{MaxTokens: 1000}, "MaxTokens"},
		"two attempts":     {llm.Response{Spent: []llm.ModelUsage{{Usage: llm.Usage{InputTokens: most}}, {Usage: llm.Usage{InputTokens: most}}}}, round.Options{MaxTokens: 1000}, "MaxTokens"},
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
			p := restless()
			goOn := p.do
			p.do = func(ctx context.Context) error {
				_, err := llm.Complete(ctx, model, &llm.Request{})
				return errors.Join(err, goOn(ctx))
			}
			var out bytes.Buffer
			c.opts.Observe = round.JSONL(&out)
			session, err := round.NewSession(p, &c.opts)
			require.NoError(t, err)
			res, err := session.Run(t.Context(), "go")
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
	p := restless()
	goOn, steps := p.do, 0
	p.do = func(ctx context.Context) error {
		steps++
		return goOn(ctx)
	}
	r, err := round.New(p, "go", &round.Options{Observe: func(round.Step) { cancel() }})
	require.NoError(t, err)
	_, err = r.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, steps)
}

// After a bound nothing more is called in the same step, of anything.
func TestNothingIsCalledAfterABound(t *testing.T) {
	executed := 0
	d := screen(func(desktop.Command) (desktop.Result, error) {
		executed++
		return desktop.TextResult(""), nil
	})
	p := newPuppet("A")
	p.do = func(ctx context.Context) error {
		require.NoError(t, askEcho(ctx))
		require.ErrorIs(t, askEcho(ctx), round.ErrBudget)
		_, err := desktop.Execute(ctx, d, desktop.Command{ToolName: "x"})
		require.ErrorIs(t, err, round.ErrBudget)
		return nil
	}
	_, _, err := path(t, p, &round.Options{MaxTokens: 10})
	bound(t, err)
	assert.Zero(t, executed)
}

// MaxDuration that trips at once, and a message that has the positions.
func TestMaxDuration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := restless()
		goOn := p.do
		p.do = func(ctx context.Context) error {
			timer := time.NewTimer(time.Second)
			defer timer.Stop()
			select {
			case <-timer.C:
				return goOn(ctx)
			case <-ctx.Done():
				return goOn(ctx) // swallowed
			}
		}
		r, err := round.New(p, "go", &round.Options{MaxDuration: 2500 * time.Millisecond})
		require.NoError(t, err)
		res, err := r.Run(t.Context())
		assert.Equal(t, "MaxDuration", bound(t, err).Bound)
		assert.Equal(t, 2, res.Transitions)
		assert.Equal(t, 3, strings.Count(err.Error(), "A:CONTINUE")-1, "once as the position, then the last ones")
		_, err = r.Run(t.Context())
		assert.Equal(t, "MaxDuration", bound(t, err).Bound, "no time is left")
		r.Adjust(func(o *round.Options) { o.MaxDuration = -1; o.MaxTransitions = 4 })
		_, err = r.Run(t.Context())
		assert.Equal(t, "MaxTransitions", bound(t, err).Bound)
	})
}
