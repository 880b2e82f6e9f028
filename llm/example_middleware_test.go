package llm_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// A primary model that has half a minute for each attempt, four of them, and
// another one when that did not help.
func ExampleFallback() {
	primary := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return nil, llm.StatusError(529, 0, "overloaded")
	})
	secondary := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: "hello", Model: "secondary"}, nil
	})
	log := &llm.RetryOptions{
		Base:    time.Millisecond, // for an example; nil options wait longer
		OnRetry: func(attempt int, _ time.Duration, err error) { fmt.Println(attempt, err) },
	}
	model := llm.Fallback(llm.Retry(llm.Timeout(primary, 30*time.Second), log), llm.Retry(secondary, nil))

	resp, err := llm.Complete(context.Background(), model, &llm.Request{})
	fmt.Println(resp.Text, resp.Model, err)
	// Output:
	// 1 llm: the provider is overloaded (status 529): overloaded
	// 2 llm: the provider is overloaded (status 529): overloaded
	// 3 llm: the provider is overloaded (status 529): overloaded
	// hello secondary <nil>
}

// An adapter says what kind of failure it met, and whoever calls can tell.
func ExampleStatusError() {
	header := map[string]string{"Retry-After": "20"} // of a http.Response: resp.Header.Get
	failed := llm.StatusError(429, llm.RetryAfter(func(name string) string { return header[name] }), "slow down")
	failed.Model = "gpt-x"
	var err error = failed

	fmt.Println(err)
	fmt.Println(errors.Is(err, llm.ErrRateLimited), llm.Retryable(err))
	// Output:
	// llm: rate limited (status 429, model gpt-x, again in 20s): slow down
	// true true
}

// A recorder inside of a Retry sees every attempt.
func ExampleRecord() {
	calls := 0
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		if calls++; calls == 1 {
			return &llm.Response{FinishReason: "stop"}, nil // says nothing
		}
		return &llm.Response{Text: "hello", FinishReason: "stop"}, nil
	})
	recorded := llm.Record(model, func(_ *llm.Request, resp *llm.Response, _ error) { fmt.Printf("%q\n", resp.Text) })

	resp, err := llm.Complete(context.Background(), llm.Retry(recorded, &llm.RetryOptions{Base: -1}), &llm.Request{})
	fmt.Println(resp.Text, err)
	// Output:
	// ""
	// "hello"
	// hello <nil>
}
