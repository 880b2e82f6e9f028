package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/llm"
)

func TestStatusError(t *testing.T) {
	for status, kind := range map[int]error{
		0: llm.ErrUnavailable, 200: llm.ErrRejected, 302: llm.ErrRejected,
		400: llm.ErrRejected, 401: llm.ErrRejected, 402: llm.ErrRejected, 403: llm.ErrRejected, 404: llm.ErrRejected, 413: llm.ErrRejected, 422: llm.ErrRejected,
		408: llm.ErrUnavailable, 425: llm.ErrUnavailable, 429: llm.ErrRateLimited,
		500: llm.ErrUnavailable, 502: llm.ErrUnavailable, 503: llm.ErrOverloaded, 504: llm.ErrUnavailable, 524: llm.ErrUnavailable, 529: llm.ErrOverloaded,
	} {
		err := llm.StatusError(status, time.Second, "words")
		require.ErrorIs(t, err, kind, status)
		assert.Equal(t, &llm.CallError{Kind: kind, Status: status, RetryAfter: time.Second, Message: "words"}, err)
	}
	assert.Zero(t, llm.StatusError(429, -1, "").RetryAfter, "nobody waits backwards")
}

func TestCallErrorText(t *testing.T) {
	for want, err := range map[string]*llm.CallError{
		"llm: the reply is empty": {Kind: llm.ErrEmpty},
		"llm: the call failed":    {},
		"llm: rate limited (status 429, model m, again in 2s): too fast": {
			Kind: llm.ErrRateLimited, Status: 429, Model: "m", RetryAfter: 2 * time.Second, Message: "too\n  fast", Err: io.EOF,
		},
		"llm: the provider gave no answer: unexpected EOF": {Kind: llm.ErrUnavailable, Err: io.ErrUnexpectedEOF},
		"llm: the request was rejected":                    {Kind: llm.ErrRejected, Message: " \n"},
		"my: kind (model a b)":                             {Kind: errors.New("my: kind"), Model: "a\nb"},
	} {
		require.EqualError(t, err, want)
	}
	page := "<html>\n" + strings.Repeat("<p>sorry</p>\n", 10_000) + "</html>"
	for _, err := range []*llm.CallError{{Kind: llm.ErrOverloaded, Message: page}, {Kind: llm.ErrOverloaded, Err: errors.New(page)}} {
		text := err.Error()
		assert.Less(t, len(text), 600)
		assert.Contains(t, text, "… [cut: ")
		assert.NotContains(t, text, "\n")
	}
}

func TestRetryable(t *testing.T) {
	call := func(kind, cause error) error { return &llm.CallError{Kind: kind, Err: cause} }
	var none *llm.CallError
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"nil":                           {nil, false},
		"a nil CallError":               {none, false},
		"rate limited":                  {call(llm.ErrRateLimited, nil), true},
		"unavailable":                   {call(llm.ErrUnavailable, io.EOF), true},
		"slow":                          {call(llm.ErrSlow, context.DeadlineExceeded), true},
		"empty":                         {call(llm.ErrEmpty, nil), true},
		"cut":                           {call(llm.ErrCut, nil), false},
		"refused":                       {call(llm.ErrRefused, nil), false},
		"rejected":                      {call(llm.ErrRejected, nil), false},
		"no kind":                       {call(nil, llm.ErrEmpty), false},
		"the kind as it is":             {llm.ErrOverloaded, true},
		"wrapped":                       {fmt.Errorf("adapter: %w", call(llm.ErrOverloaded, nil)), true},
		"unknown":                       {io.EOF, false},
		"no model":                      {llm.ErrNoModel, false},
		"cancelled":                     {context.Canceled, false},
		"cancelled, said unavailable":   {call(llm.ErrUnavailable, fmt.Errorf("get: %w", context.Canceled)), false},
		"deadline, said unavailable":    {call(llm.ErrUnavailable, context.DeadlineExceeded), false},
		"a rejection of something else": {call(llm.ErrRejected, call(llm.ErrOverloaded, nil)), false},
		"joined, one is":                {errors.Join(call(llm.ErrRefused, nil), call(llm.ErrEmpty, nil)), true},
		"joined, none is":               {errors.Join(call(llm.ErrRefused, nil), io.EOF), false},
		"joined with a cancellation":    {errors.Join(call(llm.ErrSlow, context.DeadlineExceeded), context.Canceled), false},
	} {
		assert.Equal(t, c.want, llm.Retryable(c.err), name)
	}
}

// A reason in the words of any provider is known, and no other is guessed.
func TestCompleteChecksTheReply(t *testing.T) {
	golden.Cases(t, "finish.txt", func(reply string) string {
		text, reasons, _ := strings.Cut(reply, ": ")
		kinds := map[string]bool{}
		for reason := range strings.SplitSeq(reasons, " ") {
			var metered llm.Usage
			ctx := llm.WithInterceptor(t.Context(), func(next llm.Model) llm.Model {
				return llm.Record(next, func(_ *llm.Request, resp *llm.Response, _ error) { metered = resp.Usage })
			})
			said := &llm.Response{Text: text, FinishReason: reason + "\n", Model: "m", Usage: tokens(7)}
			resp, err := llm.Complete(ctx, answers(new(int), said), &llm.Request{})
			assert.Equal(t, said, resp)
			assert.Equal(t, said.Usage, metered, "it was paid for, whatever it was")
			if err == nil {
				kinds["fine"] = true
				continue
			}
			var call *llm.CallError
			require.ErrorAs(t, err, &call)
			assert.Equal(t, "m", call.Model)
			assert.NotContains(t, err.Error(), "cannot help", "a reply is in no error text")
			kinds[call.Kind.Error()] = true
		}
		return strings.Join(slices.Sorted(maps.Keys(kinds)), ", ")
	})
}
