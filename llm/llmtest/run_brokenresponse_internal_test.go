package llmtest

import (
	"context"
	"sync"
	"testing"

	"github.com/agentfsm/agentfsm/llm"
)

func TestBrokenResponses(t *testing.T) {
	for _, c := range []broken{
		{name: "one response for all", b: Backend{Good: cached(func(r *llm.Response) *llm.Response { return r })},
			check: "own response", want: "two calls return the same *llm.Response: return a new one from each call, or a Clone"},
		{name: "one response, filled again", b: Backend{Good: cached(func(r *llm.Response) *llm.Response {
			*r = llm.Response{Text: GoodReply, Usage: llm.Usage{InputTokens: 1, OutputTokens: 1}}
			return r
		})}, check: "own response", want: "two calls return the same *llm.Response"},
		{name: "half a copy", b: Backend{Good: cached(func(r *llm.Response) *llm.Response {
			c := *r
			return &c
		})}, check: "own response", want: "a call returns what the caller wrote into the response of the call before"},
		{name: "writes to the last one", b: Backend{Good: forgetful()}, check: "own response", want: "a call changes the response of the call before"},
		{name: "copies what was changed", b: Backend{Good: learner()}, check: "own response", want: "a call returns what the caller wrote"},
	} {
		t.Run(c.name, c.test)
	}
}

// cached returns models that make something of one response for all calls.
func cached(next func(*llm.Response) *llm.Response) func(testing.TB) llm.Model {
	return func(testing.TB) llm.Model {
		var mu sync.Mutex
		usage := llm.Usage{InputTokens: 1, OutputTokens: 1}
		kept := &llm.Response{Text: GoodReply, FinishReason: "stop", Usage: usage, Spent: []llm.ModelUsage{{Model: "m", Usage: usage}}}
		return llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return next(kept), nil
		})
	}
}

// forgetful returns models that wipe the response of the call before.
func forgetful() func(testing.TB) llm.Model {
	return func(testing.TB) llm.Model {
		var mu sync.Mutex
		var last *llm.Response
		return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			resp, err := answer(ctx, req)
			if resp != nil && last != nil {
				last.Text = ""
			}
			last = resp
			return resp, err
		})
	}
}

// learner returns models that answer with a copy of the response of the call before.
func learner() func(testing.TB) llm.Model {
	return func(testing.TB) llm.Model {
		var mu sync.Mutex
		var last *llm.Response
		return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			resp, err := answer(ctx, req)
			if err == nil && last != nil {
				resp = last.Clone()
			}
			last = resp
			return resp, err
		})
	}
}
