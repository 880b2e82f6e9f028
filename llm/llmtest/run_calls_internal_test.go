package llmtest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/llm"
)

// calling is a backend that calls as it should, changed by change.
func calling(change func(*llm.Request, *llm.Response) error) Backend {
	return Backend{Calls: model(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		resp, err := answer(ctx, req)
		if err == nil {
			resp.Text, resp.Calls = "", []llm.Call{{ID: "1", Name: goodTool, Args: json.RawMessage(GoodReply)}}
			err = change(req, resp)
		}
		return resp, err
	})}
}

func TestBrokenToolCalls(t *testing.T) {
	shared := []llm.Call{{Name: goodTool, Args: json.RawMessage(GoodReply)}}
	for _, c := range []broken{
		{name: "text alone", want: "the response has 0 calls, and the backend made one", b: calling(func(_ *llm.Request, r *llm.Response) error {
			r.Text, r.Calls = "hello", nil
			return nil
		})},
		{name: "another name", want: `the call is of "functions.answer"`, b: calling(func(_ *llm.Request, r *llm.Response) error {
			r.Calls[0].Name = "functions.answer"
			return nil
		})},
		{name: "no arguments", want: "its arguments: the reply cannot be decoded", b: calling(func(_ *llm.Request, r *llm.Response) error {
			r.Calls[0].Args = nil
			return nil
		})},
		{name: "cut", want: "is taken for a bad one", b: calling(func(_ *llm.Request, r *llm.Response) error {
			r.FinishReason = "length"
			return nil
		})},
		{name: "changes the tools", want: "the call changes the request", b: calling(func(req *llm.Request, _ *llm.Response) error {
			req.Tools[0].Description = "another"
			return nil
		})},
		{name: "one list for all", want: `the call is of "changed by its caller"`, b: calling(func(_ *llm.Request, r *llm.Response) error {
			r.Calls = shared
			return nil
		})},
		{name: "refuses results", want: "a result of its call: the call fails", b: calling(func(req *llm.Request, _ *llm.Response) error {
			if len(req.Messages) > 4 {
				return &llm.CallError{Kind: llm.ErrRejected}
			}
			return nil
		})},
		{name: "tries a missing result again", want: "the error says that trying again may help", b: calling(func(req *llm.Request, _ *llm.Response) error {
			if req.Messages[len(req.Messages)-1].Role == llm.Assistant {
				return &llm.CallError{Kind: llm.ErrUnavailable}
			}
			return nil
		})},
	} {
		c.check = "calls"
		t.Run(c.name, c.test)
	}
	found, made := inspect(t, Backend{Good: model(answer), Slow: model(block), Calls: calling(func(*llm.Request, *llm.Response) error { return nil }).Calls}, "calls", patience)
	assert.Empty(t, found)
	assert.Equal(t, []string{"calls"}, made)
}
