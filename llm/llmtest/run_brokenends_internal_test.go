package llmtest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/llm"
)

func TestBrokenEnds(t *testing.T) {
	released := make(chan struct{})
	t.Cleanup(func() { close(released) }) // when the parallel subtests are over
	deaf := func(context.Context, *llm.Request) (*llm.Response, error) {
		<-released
		return nil, errors.New("late")
	}
	blockThen := func(err func(context.Context) error) func(testing.TB) llm.Model {
		return model(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			_, _ = block(ctx, req)
			return nil, err(ctx)
		})
	}
	for _, c := range []broken{
		{name: "answers under an ended context", b: Backend{Good: model(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
			return answer(context.Background(), req) //nolint:contextcheck // this is what is broken
		})}, check: "ended before", want: "a model of Backend.Good, called after context canceled: the call returns a response, though its context has ended"},
		{name: "deaf", b: Backend{Slow: model(deaf)}, check: "ended during", want: "did not return within 300ms of the end of its context", short: true},
		{name: "an error of its own", b: Backend{Slow: blockThen(func(context.Context) error { return errors.New("request failed") })},
			check: "ended during", want: `during a call, at context canceled: the error of the call is not the context's "context canceled": request failed`, also: []string{"ended before"}},
		{name: "always canceled", b: Backend{Slow: blockThen(func(context.Context) error { return context.Canceled })},
			check: "ended during", want: `is not the context's "context deadline exceeded": context canceled`, also: []string{"ended before"}},
		{name: "to be tried again", b: Backend{Slow: blockThen(func(ctx context.Context) error { return &llm.CallError{Kind: llm.ErrSlow, Err: ctx.Err()} })},
			check: "ended during", want: "trying again may help, after the context has ended", also: []string{"ended before"}},
		{name: "neither at the end", b: Backend{Slow: blockThen(func(context.Context) error { return nil })},
			check: "ended during", want: "neither a response nor an error", also: []string{"ended before"}},
		{name: "shows the key at the end", b: Backend{Slow: blockThen(func(ctx context.Context) error { return fmt.Errorf("get /v1?key=%s: %w", testKey, ctx.Err()) })},
			check: "ended during", want: "shows the Key", also: []string{"ended before"}},
		{name: "is not slow", b: Backend{Slow: model(answer)}, check: "ended during",
			want: "a model of Backend.Slow returns before its context has ended (error: <nil>)", also: []string{"concurrent"}},
		{name: "leaves a worker behind", b: Backend{Slow: model(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
			done := make(chan struct{})
			go func() {
				<-released
				close(done)
			}()
			select {
			case <-done:
			case <-ctx.Done():
			}
			return nil, ctx.Err()
		})}, check: "goroutines", want: "12 calls that are cancelled leave 12 goroutines behind", short: true},
		{name: "starts something at every call", b: Backend{Good: model(after(func(*llm.Request) {
			go func() { <-released }()
		}))}, check: "goroutines", want: "12 calls that succeed leave 12 goroutines behind", short: true},
	} {
		t.Run(c.name, c.test)
	}
}

// both returns models that fail, and say what it cost.
func both(in int, err error) func(testing.TB) llm.Model {
	return model(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Model: "m", Usage: llm.Usage{InputTokens: in, OutputTokens: 2}}, err
	})
}

// What failed and was paid for is a response with an error, also behind a Retry,
// which keeps the words of a refusal.
func TestFailedCallsThatCost(t *testing.T) {
	retried := func(text, finish string) func(testing.TB) llm.Model {
		return func(testing.TB) llm.Model {
			once := but(func(r *llm.Response) { r.Text, r.FinishReason = text, finish })
			return llm.Retry(llm.ModelFunc(once), &llm.RetryOptions{MaxAttempts: 2, Base: -1})
		}
	}
	paid := func(err *llm.CallError) func(testing.TB) llm.Model { return both(1, err) }
	backends := map[string]Backend{
		"adapters": {
			RateLimited: paid(llm.StatusError(429, retryAfter, "")), ServerError: paid(llm.StatusError(502, 0, "")), Rejected: paid(llm.StatusError(400, 0, "")),
			Unavailable: paid(&llm.CallError{Kind: llm.ErrUnavailable}), Refusal: paid(&llm.CallError{Kind: llm.ErrRefused}),
			Empty: paid(&llm.CallError{Kind: llm.ErrEmpty}), Cut: paid(&llm.CallError{Kind: llm.ErrCut}),
		},
		"behind a Retry": {Refusal: retried("No.", "content_filter"), Empty: retried("", "stop"), Cut: retried("half", "length")},
	}
	for name, b := range backends {
		b.Good, b.Slow = model(answer), model(block)
		found, _ := inspect(t, b, "")
		assert.Empty(t, found, name)
	}
}

func TestBrokenErrors(t *testing.T) {
	limited := func(kind error, status int, wait time.Duration) error {
		return &llm.CallError{Kind: kind, Status: status, RetryAfter: wait}
	}
	page := ErrorMessage(testKey)
	assert.Greater(t, len(page), 1<<15)
	reply := func(text, finish string) func(testing.TB) llm.Model {
		return model(but(func(r *llm.Response) { r.Text, r.FinishReason = text, finish }))
	}
	for _, c := range []broken{
		{name: "plain error", b: Backend{RateLimited: model(fails(errors.New("429 Too Many Requests")))},
			check: "rate limited", want: "the error is no *llm.CallError: 429 Too Many Requests"},
		{name: "wrong kind", b: Backend{RateLimited: model(fails(limited(llm.ErrRejected, 429, retryAfter)))},
			check: "rate limited", want: `the kind of the error is not "llm: rate limited": llm: the request was rejected`},
		{name: "not to be tried again", b: Backend{RateLimited: model(fails(limited(llm.ErrRejected, 429, retryAfter)))},
			check: "rate limited", want: "llm.Retryable of the error is false, not true"},
		{name: "no status", b: Backend{RateLimited: model(fails(limited(llm.ErrRateLimited, 0, retryAfter)))},
			check: "rate limited", want: "the Status of the error is 0, not 429"},
		{name: "does not say how long", b: Backend{RateLimited: model(fails(limited(llm.ErrRateLimited, 429, 0)))},
			check: "rate limited", want: "the RetryAfter of the error is 0s, not 7s"},
		{name: "seconds as nanoseconds", b: Backend{RateLimited: model(fails(limited(llm.ErrRateLimited, 429, 7)))},
			check: "rate limited", want: "the RetryAfter of the error is 7ns, not 7s"},
		{name: "negative wait", b: Backend{ServerError: model(fails(limited(llm.ErrOverloaded, 503, -time.Second)))},
			check: "server error", want: "is negative"},
		{name: "server error as the caller's", b: Backend{ServerError: model(fails(limited(llm.ErrRejected, 500, 0)))},
			check: "server error", want: "the kind of the error is not"},
		{name: "rejected again and again", b: Backend{Rejected: model(fails(limited(llm.ErrUnavailable, 400, 0)))},
			check: "rejected", want: "llm.Retryable of the error is true, not false"},
		{name: "shows the key", b: Backend{Rejected: model(fails(llm.StatusError(401, 0, "wrong key "+testKey)))}, check: "rejected", want: "shows the Key: take it out of what the backend says\n\twhy it matters: texts of errors are written to logs"},
		{name: "a whole page", b: Backend{Rejected: model(fails(fmt.Errorf("%w: %s", llm.ErrRejected, ErrorMessage("****"))))},
			check: "rejected", want: "bytes, more than 4096: give the CallError a short Message\n\twhy it matters: a page of HTML"},
		{name: "shows the request", b: Backend{Rejected: model(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
			return nil, llm.StatusError(400, 0, "bad request: "+req.Messages[0].Parts[0].Text)
		})}, check: "rejected",
			want: "the text of the error shows the request: leave out what the backend quotes of it\n\twhy it matters: texts of errors are written to logs"},
		{name: "broken transport as it is", b: Backend{Unavailable: model(fails(errors.New("connection refused")))},
			check: "unavailable", want: "the error is no *llm.CallError: connection refused: return an *llm.CallError of llm.ErrUnavailable"},
		{name: "refusal as a reply", b: Backend{Refusal: reply("I cannot help.", "stop")},
			check: "refusal", want: `the call succeeds, with FinishReason "stop" and the text "I cannot help.": return an *llm.CallError of llm.ErrRefused, or a FinishReason such as content_filter`},
		{name: "refusal is called empty", b: Backend{Refusal: reply("", "")}, check: "refusal", want: `not "llm: the model refused to answer": llm: the reply is empty`},
		{name: "empty as a refusal", b: Backend{Empty: reply("", "safety")}, check: "empty", want: `not "llm: the reply is empty"`},
		{name: "empty as a plain error", b: Backend{Empty: model(fails(errors.New("no choices")))}, check: "empty",
			want: "no choices: return an *llm.CallError of llm.ErrEmpty, or a Response whose Text is empty"},
		{name: "empty and a plain error", b: Backend{Empty: both(1, llm.ErrEmpty)}, check: "empty", want: "the error is no *llm.CallError: llm: the reply is empty"},
		{name: "gives tokens back", b: Backend{Refusal: both(-1, &llm.CallError{Kind: llm.ErrRefused})}, check: "refusal",
			want: "the usage that comes with the error is negative: {InputTokens:-1 OutputTokens:2}"},
		{name: "cut as a reply", b: Backend{Cut: reply(`{"Answer": "for`, "")}, check: "cut", want: `the call succeeds, with FinishReason "" and the text`},
		{name: "cut in words of its own", b: Backend{Cut: reply(`{"Answer": "for`, "out_of_paper")}, check: "cut",
			want: "return an *llm.CallError of llm.ErrCut, or a FinishReason such as length"},
	} {
		t.Run(c.name, c.test)
	}
}

func TestBrokenBackends(t *testing.T) {
	for name, c := range map[string]struct {
		b    Backend
		want string
	}{
		"nothing":   {Backend{}, "Backend.Good is nil, and is required"},
		"no Slow":   {Backend{Good: model(answer)}, "Backend.Slow is nil, and is required"},
		"no model":  {Backend{Good: func(testing.TB) llm.Model { return nil }, Slow: model(block)}, "Backend.Good returns nil"},
		"nil func":  {Backend{Good: model(nil), Slow: model(block)}, "Backend.Good returns nil"},
		"short key": {Backend{Good: model(answer), Slow: model(block), Key: "k"}, "Backend.Key has fewer than 4 bytes"},
		"panics":    {Backend{Good: func(testing.TB) llm.Model { panic("no server") }, Slow: model(block)}, "a func of the Backend panics: no server"},
	} {
		found, made := inspect(t, c.b, "")
		assert.Contains(t, fmt.Sprint(found["backend"]), c.want, name)
		assert.Equal(t, []string{"backend"}, made, "%s: the rest makes no sense", name)
	}
}

func TestChecksThatCannotBeMade(t *testing.T) {
	b := Backend{Good: model(answer), Slow: model(block), NoImages: true, Cut: model(fails(&llm.CallError{Kind: llm.ErrCut}))}
	found, made := inspect(t, b, "")
	assert.Empty(t, found)
	assert.Equal(t, []string{"backend", "answer", "usage", "schema", "no messages", "unchanged", "not kept", "own response", "concurrent",
		"ended before", "ended during", "goroutines", "cut"}, made)
}
