package llm_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// What is put around a model is a model, and so has to keep to what holds for every
// one: the same suite, on whatever the suite can say of a backend.
func TestMiddlewareConforms(t *testing.T) {
	// A provider that wants to be left alone for longer than this is not waited for.
	retries := &llm.RetryOptions{MaxAttempts: 2, Base: -1, MaxRetryAfter: time.Second}
	var seen atomic.Int64
	unlimited := waitFunc(func(ctx context.Context, _ int) error { return ctx.Err() })
	show := func(*llm.Request, *llm.Response, error) { seen.Add(1) }
	for name, around := range map[string]func(llm.Model) llm.Model{
		"Timeout":          func(m llm.Model) llm.Model { return llm.Timeout(m, time.Hour) },
		"Timeout, none":    func(m llm.Model) llm.Model { return llm.Timeout(m, -1) },
		"Retry":            func(m llm.Model) llm.Model { return llm.Retry(m, retries) },
		"Fallback":         func(m llm.Model) llm.Model { return llm.Fallback(m, m) },
		"Fallback, of one": func(m llm.Model) llm.Model { return llm.Fallback(m) },
		"Record":           func(m llm.Model) llm.Model { return llm.Record(m, show) },
		"Limit":            func(m llm.Model) llm.Model { return llm.Limit(m, unlimited) },
		"all of them": func(m llm.Model) llm.Model {
			attempt := llm.Retry(llm.Limit(llm.Timeout(llm.Record(m, show), time.Hour), unlimited), retries)
			return llm.Fallback(attempt, attempt)
		},
	} {
		t.Run(name, func(t *testing.T) { llmtest.Run(t, within(around)) })
	}
	assert.Positive(t, seen.Load())
}

// within is a Backend of funcs with something around each of them.
func within(around func(llm.Model) llm.Model) llmtest.Backend {
	const key = "key-of-the-conformance-test"
	answers := func(resp *llm.Response, err error) func(testing.TB) llm.Model {
		return func(testing.TB) llm.Model {
			return around(llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				return resp.Clone(), err
			}))
		}
	}
	said := func(text, finish string) func(testing.TB) llm.Model {
		return answers(&llm.Response{
			Text: text, FinishReason: finish, Model: "fake", Usage: llm.Usage{InputTokens: 12, OutputTokens: 34},
		}, nil)
	}
	return llmtest.Backend{
		Good: said(llmtest.GoodReply, "stop"),
		Slow: func(testing.TB) llm.Model {
			return around(llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}))
		},
		RateLimited: answers(nil, llm.StatusError(429, 7*time.Second, "slow down")),
		ServerError: answers(nil, llm.StatusError(502, 0, "bad gateway")),
		Rejected:    answers(nil, llm.StatusError(401, 0, "wrong key")),
		Unavailable: answers(nil, &llm.CallError{Kind: llm.ErrUnavailable, Err: errors.New("connection refused")}),
		Refusal:     said("I cannot help with that.", "content_filter"),
		Empty:       said("", "stop"),
		Cut:         said(`{"Answer": "for`, "length"),
		Key:         key,
	}
}
