package llm_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/llm"
)

// What each model answers, how many are asked, and what comes of it.
func TestFallback(t *testing.T) {
	words := map[string]any{
		"good": good, "overloaded": overloaded, "rejected": rejected, "limited": llm.StatusError(429, 0, "quota"), "unknown": io.EOF,
		"empty": &llm.Response{}, "refused": &llm.Response{FinishReason: "refusal"}, "cut": &llm.Response{FinishReason: "length", Text: "{"},
	}
	golden.Cases(t, "fallback.txt", func(text string) string {
		asked := 0
		var models []llm.Model
		for word := range strings.FieldsSeq(text) {
			a, ok := words[word]
			if !ok {
				models = append(models, nil)
				continue
			}
			models = append(models, llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
				asked++
				return answers(new(int), a).Complete(ctx, req)
			}))
		}
		resp, err := llm.Fallback(models...).Complete(t.Context(), &llm.Request{})
		if err != nil {
			return fmt.Sprintf("%d asked: %v", asked, err)
		}
		return fmt.Sprintf("%d asked: %q", asked, resp.Text)
	})
	_, err := llm.Fallback(answers(new(int), overloaded), nil).Complete(t.Context(), nil)
	require.ErrorIs(t, err, llm.ErrOverloaded)
	require.ErrorIs(t, err, llm.ErrNoModel)
}

// errors.As finds what ended the call, not what led to it.
func TestFallbackErrorBeginsWithTheLast(t *testing.T) {
	_, err := llm.Fallback(answers(new(int), overloaded), answers(new(int), rejected)).Complete(t.Context(), nil)
	var call *llm.CallError
	require.ErrorAs(t, err, &call)
	assert.Equal(t, rejected, call)
}

func TestFallbackEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	first := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		cancel()
		return &llm.Response{Usage: tokens(2)}, overloaded
	})
	calls := 0
	resp, err := llm.Fallback(first, answers(&calls, good)).Complete(ctx, nil)
	require.ErrorIs(t, err, llm.ErrOverloaded)
	assert.Zero(t, calls)
	assert.Equal(t, 2, resp.Usage.Total())
}

// A model that is down is asked again after pauses that grow, and not in each call.
func TestFallbackRemembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		down := true
		first := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			asked = append(asked, "first")
			if down {
				return nil, &llm.CallError{Kind: llm.ErrUnavailable}
			}
			return &llm.Response{Text: "first"}, nil
		})
		second := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			asked = append(asked, "second")
			return &llm.Response{Text: "second"}, nil
		})
		model := llm.Fallback(first, second)
		call := func(after time.Duration) string {
			time.Sleep(after)
			asked = nil
			resp, err := model.Complete(t.Context(), &llm.Request{})
			require.NoError(t, err)
			return strings.Join(asked, " ") + ": " + resp.Text
		}
		assert.Equal(t, "first second: second", call(0))
		assert.Equal(t, "second: second", call(0))
		assert.Equal(t, "second: second", call(999*time.Millisecond))
		assert.Equal(t, "first second: second", call(time.Millisecond))
		assert.Equal(t, "second: second", call(1999*time.Millisecond))
		assert.Equal(t, "first second: second", call(time.Millisecond))
		for range 20 {
			assert.Equal(t, "first second: second", call(5*time.Minute), "no pause is longer")
		}
		assert.Equal(t, "second: second", call(5*time.Minute-1))
		down = false
		assert.Equal(t, "first: first", call(1))
		down = true
		assert.Equal(t, "first second: second", call(0))
		assert.Equal(t, "first second: second", call(time.Second), "it begins anew after an answer")
	})
}

// One outage counts once, however many calls it meets: those that began before a pause, or while it runs, do not make it longer.
func TestFallbackCountsAnOutageOnce(t *testing.T) {
	for name, c := range map[string]struct {
		calls  int
		apart  time.Duration
		others bool // the second model fails, too, so that the first one is asked while it is away
	}{
		"one call":                        {1, 0, false},
		"at the same time":                {10, 0, false},
		"one after the other":             {10, 9 * ms, false},
		"while the pause runs":            {10, 50 * ms, true},
		"before it, with an end after it": {10, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var down, late atomic.Bool
				down.Store(true)
				first := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					wait := 100 * ms
					if c.others && c.apart == 0 && late.Swap(true) && down.Load() {
						wait = 1500 * ms
					}
					time.Sleep(wait)
					if down.Load() {
						return nil, overloaded
					}
					return &llm.Response{Text: "first"}, nil
				})
				second := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					if c.others && down.Load() {
						return nil, overloaded
					}
					return &llm.Response{Text: "second"}, nil
				})
				model := llm.Fallback(first, second)
				var all sync.WaitGroup
				for range c.calls {
					all.Go(func() { _, _ = model.Complete(t.Context(), &llm.Request{}) }) // whatever comes of it
					time.Sleep(c.apart)
				}
				begun := time.Now()
				all.Wait()
				down.Store(false)
				for {
					resp, err := model.Complete(t.Context(), &llm.Request{})
					require.NoError(t, err)
					if resp.Text == "first" {
						break
					}
					time.Sleep(ms)
				}
				assert.LessOrEqual(t, time.Since(begun), 1700*ms)
			})
		})
	}
}

// If all of them are away they are asked all the same. What another model could not do better is no absence.
func TestFallbackAsksWhatIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for kind, want := range map[error]int32{llm.ErrUnavailable: 2, llm.ErrRateLimited: 2, llm.ErrSlow: 2, llm.ErrRefused: 1} {
			var first, second atomic.Int32
			failing := func(n *atomic.Int32) llm.Model {
				return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					n.Add(1)
					return nil, &llm.CallError{Kind: kind}
				})
			}
			model := llm.Fallback(failing(&first), failing(&second))
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() { _, err := model.Complete(t.Context(), &llm.Request{}); assert.ErrorIs(t, err, kind) })
			}
			all.Wait()
			assert.Equal(t, int32(8), first.Load(), kind)
			assert.Equal(t, 8*(want-1), second.Load(), kind)
		}
	})
}
