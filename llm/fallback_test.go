package llm_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

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
