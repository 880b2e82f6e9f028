package llm_test

import (
	"context"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

const ms = time.Millisecond

var (
	overloaded = llm.StatusError(503, 0, "busy")
	rejected   = llm.StatusError(400, 0, "no such model")
	good       = &llm.Response{Text: "hi", Model: "m", Usage: llm.Usage{InputTokens: 10, OutputTokens: 5}, FinishReason: "stop"}

	atOnce = &llm.RetryOptions{Base: -1}
)

// answers is a model that gives one after another, an error or a *llm.Response
// or both, and the last one for ever.
func answers(calls *int, list ...any) llm.Model {
	return llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		a := list[min(*calls, len(list)-1)]
		*calls++
		switch a := a.(type) {
		case error:
			return nil, a
		case *llm.Response:
			return a, nil
		}
		p := a.(paid)
		return &llm.Response{Text: p.text, Model: p.model, Usage: p.usage}, p.err
	})
}

// paid is an error that cost something.
type paid struct {
	text, model string
	usage       llm.Usage
	err         error
}

func tokens(in int) llm.Usage { return llm.Usage{InputTokens: in} }

func whole() float64 { return 1 }

func request(texts ...string) *llm.Request {
	req := &llm.Request{}
	for _, text := range texts {
		req.Messages = append(req.Messages, llm.Text(llm.User, text))
	}
	return req
}
