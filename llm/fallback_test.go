package llm_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

func TestFallback(t *testing.T) {
	limited := llm.StatusError(429, 0, "quota")
	for name, c := range map[string]struct {
		models []any // what each of them answers
		asked  int
		is     []error
		text   string
	}{
		"the first":  {[]any{good, good}, 1, nil, ""},
		"the second": {[]any{overloaded, good, good}, 2, nil, ""},
		"the third":  {[]any{overloaded, &llm.Response{}, good}, 3, nil, ""},
		"rejected":   {[]any{rejected, good}, 1, []error{llm.ErrRejected}, "llm: the request was rejected (status 400): no such model"},
		"unknown":    {[]any{io.EOF, good}, 1, []error{io.EOF}, "EOF"},
		"only one":   {[]any{overloaded}, 1, []error{llm.ErrOverloaded}, "llm: the provider is overloaded (status 503): busy"},
		"a nil one":  {[]any{overloaded, nil, good}, 2, []error{llm.ErrOverloaded, llm.ErrNoModel}, "llm: 2 of 3 models failed; 1: llm: the provider is overloaded (status 503): busy; 2: llm: there is no model"},
		"all": {[]any{overloaded, limited}, 2, []error{llm.ErrOverloaded, llm.ErrRateLimited},
			"llm: 2 of 2 models failed; 1: llm: the provider is overloaded (status 503): busy; 2: llm: rate limited (status 429): quota"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			models := make([]llm.Model, len(c.models))
			for i, a := range c.models {
				if a == nil {
					asked++ // it would be
					continue
				}
				calls := 0
				inner := answers(&calls, a)
				models[i] = llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
					asked++
					return inner.Complete(ctx, req)
				})
			}
			resp, err := llm.Fallback(models...).Complete(t.Context(), &llm.Request{})
			assert.Equal(t, c.asked, asked)
			if c.is == nil {
				require.NoError(t, err)
				assert.Equal(t, "hi", resp.Text)
				return
			}
			for _, kind := range c.is {
				require.ErrorIs(t, err, kind)
			}
			require.EqualError(t, err, c.text)
		})
	}
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
