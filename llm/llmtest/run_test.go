package llmtest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// fakes is a whole Backend of funcs.
func fakes() llmtest.Backend {
	return llmtest.Backend{
		Good:        always(said(llmtest.GoodReply, "stop"), nil),
		Slow:        blocked,
		RateLimited: always(nil, llm.StatusError(429, 7*time.Second, "slow down")),
		ServerError: always(nil, llm.StatusError(503, 0, "busy")),
		Rejected:    always(nil, llm.StatusError(401, 0, "wrong key")),
		Unavailable: always(nil, &llm.CallError{Kind: llm.ErrUnavailable, Err: errors.New("connection refused")}),
		Refusal:     always(said("I cannot help with that.", "content_filter"), nil),
		Empty:       always(said("", "stop"), nil),
		Cut:         always(said(`{"Answer": "as to`, "max_tokens"), nil),
		Key:         key,
	}
}

func TestFuncsConform(t *testing.T) { llmtest.Run(t, fakes()) }

// A script has an end, so it is made long enough. Its test is nil: what is left
// over is no mistake here.
func TestScriptConforms(t *testing.T) {
	script := func(reply any) func(testing.TB) llm.Model {
		return func(testing.TB) llm.Model {
			replies := make([]any, 64)
			for i := range replies {
				replies[i] = reply
			}
			return llmtest.Script(nil, replies...)
		}
	}
	b := fakes()
	b.Good = script(said(llmtest.GoodReply, "stop"))
	b.RateLimited = script(llm.StatusError(429, 7*time.Second, "slow down"))
	b.ServerError = script(llm.StatusError(500, 0, "broken"))
	b.Rejected = script(llm.StatusError(400, 0, "no such field"))
	b.Refusal = script(said("No.", "refusal"))
	b.Empty = script("")
	b.Cut = script(said("{", "length"))
	llmtest.Run(t, b)
}
