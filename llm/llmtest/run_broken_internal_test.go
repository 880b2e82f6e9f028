package llmtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

const testKey = "sk-0123456789abcdefghij"

type call = func(ctx context.Context, req *llm.Request) (*llm.Response, error)

func model(f call) func(testing.TB) llm.Model {
	return func(testing.TB) llm.Model { return llm.ModelFunc(f) }
}

// answer is a call that does what it should.
func answer(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &llm.Response{Text: GoodReply, FinishReason: "stop", Usage: llm.Usage{InputTokens: 1, OutputTokens: 1}}, nil
}

func block(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// but is answer with its response changed.
func but(change func(*llm.Response)) call {
	return func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		resp, err := answer(ctx, req)
		if resp != nil {
			change(resp)
		}
		return resp, err
	}
}

// after is answer after something else.
func after(first func(*llm.Request)) call {
	return func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		if ctx.Err() == nil {
			first(req)
		}
		return answer(ctx, req)
	}
}

func fails(err error) call {
	return func(context.Context, *llm.Request) (*llm.Response, error) { return nil, err }
}

// blockThen fails in its own way when its context ends.
func blockThen(err func(context.Context) error) Backend {
	return slow(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		_, _ = block(ctx, req)
		return nil, err(ctx)
	})
}

func good(f call) Backend { return Backend{Good: model(f)} }
func slow(f call) Backend { return Backend{Slow: model(f)} }

// inspect runs the suite, or one check of it that waits for what does not come, and
// returns what it finds, by check.
func inspect(t *testing.T, b Backend, only string, waiting time.Duration) (found map[string][]string, made []string) {
	t.Helper()
	found = map[string][]string{}
	runChecks(checks(b), subject{Backend: b, patience: waiting}, func(c check, find func(testing.TB) []string) bool {
		if c.skip || only != "" && c.name != only {
			return true
		}
		made = append(made, c.name)
		for _, p := range find(t) {
			found[c.name] = append(found[c.name], c.message(p))
		}
		return len(found[c.name]) == 0
	})
	return found, made
}

// waits returns how long a check waits that finds what does not return: briefly, and
// longer each time, as a busy machine may need all of that for the calls before.
func waits(short bool) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		for waiting := 300 * time.Millisecond; short && waiting < patience && yield(waiting); waiting *= 6 {
		}
	}
}

// broken is a backend with one thing wrong, and what the suite says about it.
type broken struct {
	name  string
	b     Backend
	check string
	want  string
	also  []string // other checks that cannot pass then
	short bool     // something does not return: only this check is made, and does not wait long
}

func (c broken) test(t *testing.T) {
	t.Parallel() // they mostly wait
	if c.b.Good == nil {
		c.b.Good = model(answer)
	}
	if c.b.Slow == nil {
		c.b.Slow = model(block)
	}
	c.b.Key = testKey
	var found map[string][]string
	if !c.short {
		found, _ = inspect(t, c.b, "", patience)
	}
	for waiting := range waits(c.short) {
		if found, _ = inspect(t, c.b, c.check, waiting); strings.Contains(strings.Join(found[c.check], "\n"), c.want) {
			break
		}
	}
	require.NotEmpty(t, found[c.check], "found is %v", found)
	assert.Contains(t, strings.Join(found[c.check], "\n"), c.want)
	for name, problems := range found {
		assert.Contains(t, append(c.also, c.check), name, "%v", problems)
		for _, p := range problems {
			assert.Equal(t, 1, strings.Count(p, "\n\twhy it matters: "), p)
			assert.NotContains(t, p, testKey)
		}
	}
}

func TestBrokenCalls(t *testing.T) {
	var lock sync.Mutex
	for _, c := range []broken{
		{name: "neither", b: good(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) { return nil, ctx.Err() }),
			check: "answer", want: "neither a response nor an error"},
		{name: "panics", b: good(func(context.Context, *llm.Request) (*llm.Response, error) { panic("boom") }), check: "answer", want: "the call panics: boom"},
		{name: "fails", b: good(fails(errors.New("no route"))), check: "answer", want: "a question: the call fails: no route"},
		{name: "hangs", b: good(block), check: "answer", want: "did not return within 300ms", short: true},
		{name: "changes the text", b: good(but(func(r *llm.Response) { r.Text = strings.ReplaceAll(r.Text, "<", `\u003c`) })),
			check: "answer", want: "the text is not the one that the backend answered"},
		{name: "finish reason of another reply", b: good(but(func(r *llm.Response) { r.FinishReason = "max_tokens" })),
			check: "answer", want: `a good reply, with FinishReason "max_tokens", is taken for a bad one`},
		{name: "negative usage", b: good(but(func(r *llm.Response) { r.Usage.OutputTokens = -1 })), check: "usage", want: "the usage is negative"},
		{name: "negative cache", b: good(but(func(r *llm.Response) { r.Usage.CacheReadTokens = -1 })), check: "usage", want: "the usage is negative"},
		{name: "more thoughts than output", b: good(but(func(r *llm.Response) { r.Usage.ReasoningTokens = r.Usage.OutputTokens + 1 })), check: "usage", want: "more reasoning tokens than output"},
		{name: "more cached than asked", b: good(but(func(r *llm.Response) { r.Usage.CacheCreationTokens = r.Usage.InputTokens + 1 })), check: "usage", want: "more cached tokens than input"},
		{name: "no usage", b: good(but(func(r *llm.Response) { r.Usage = llm.Usage{} })), check: "usage", want: "the usage is not there"},
		{name: "does not ask for the schema", b: good(but(func(r *llm.Response) { r.Text = "It is 42." })),
			check: "answer", want: `cannot be decoded: llm: the reply (9 bytes) cannot be read: there is no JSON object; it is "It is 42."`},
		{name: "another schema", b: good(but(func(r *llm.Response) { r.Text = `{"Count": 42}` })), check: "answer", want: "lacks fields that the schema"},
		{name: "no images", b: good(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			for _, m := range req.Messages {
				for _, p := range m.Parts {
					if p.Image != nil {
						return nil, errors.New("images are not supported")
					}
				}
			}
			return answer(ctx, req)
		}), check: "answer", want: "a request with an image: the call fails: images are not supported"},
		{name: "panics without messages", b: good(after(func(r *llm.Request) { _ = r.Messages[0] })),
			check: "no messages", want: "a request without messages: the call panics: runtime error: index out of range"},
		{name: "tries a mistake again", b: good(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			if len(req.Messages) == 0 {
				return nil, &llm.CallError{Kind: llm.ErrUnavailable}
			}
			return answer(ctx, req)
		}), check: "no messages", want: "the error says that trying again may help"},
		{name: "adds to the request", b: good(after(func(r *llm.Request) { r.Messages = append(r.Messages, llm.Text(llm.System, "Be brief.")) })),
			check: "answer", want: "the call changes the request"},
		{name: "writes into a part", b: good(after(func(r *llm.Request) {
			for _, m := range r.Messages {
				for i := range m.Parts {
					m.Parts[i].Text += " Please."
				}
			}
		})), check: "answer", want: "the call changes the request"},
		{name: "has a default", b: good(after(func(r *llm.Request) { r.MaxTokens = max(r.MaxTokens, 1000) })),
			check: "answer", want: "the call changes the request"},
		{name: "one response for all", b: cached(func(r *llm.Response) *llm.Response { return r }),
			check: "own response", want: "two calls return the same *llm.Response: return a new one from each call, or a Clone"},
		{name: "half a copy", b: cached(func(r *llm.Response) *llm.Response {
			c := *r
			return &c
		}), check: "own response", want: "a call returns what the caller wrote into the response of the call before"},
		{name: "writes to the last one", b: remembers(func(resp, last *llm.Response) *llm.Response {
			last.Text = ""
			return resp
		}), check: "own response", want: "a call changes the response of the call before"},
		{name: "copies what was changed", b: remembers(func(_, last *llm.Response) *llm.Response { return last.Clone() }),
			check: "own response", want: "a call returns what the caller wrote"},
		{name: "one call at a time", b: slow(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			lock.Lock()
			defer lock.Unlock()
			return block(ctx, req)
		}), check: "concurrent", want: "does it wait for a lock?", short: true},
		{name: "not for several goroutines", b: good(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			if len(req.Messages) == 1 && len(req.Messages[0].Parts) == 1 && strings.Contains(req.Messages[0].Parts[0].Text, "number 17") {
				return nil, errors.New("busy")
			}
			return answer(ctx, req)
		}), check: "concurrent", want: "one of 8 calls at a time: the call fails: busy"},
	} {
		t.Run(c.name, c.test)
	}
}

// locked is a backend of calls that wait for each other.
func locked(f func() call) Backend {
	return Backend{Good: func(testing.TB) llm.Model {
		var mu sync.Mutex
		one := f()
		return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			return one(ctx, req)
		})
	}}
}

// cached makes something of one response for all calls.
func cached(next func(*llm.Response) *llm.Response) Backend {
	return locked(func() call {
		usage := llm.Usage{InputTokens: 1, OutputTokens: 1}
		kept := &llm.Response{Text: GoodReply, FinishReason: "stop", Usage: usage, Spent: []llm.ModelUsage{{Model: "m", Usage: usage}}}
		return func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return next(kept), nil
		}
	})
}

// remembers makes something of a response and that of the call before.
func remembers(next func(resp, last *llm.Response) *llm.Response) Backend {
	return locked(func() call {
		var last *llm.Response
		return func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			resp, err := answer(ctx, req)
			if resp != nil && last != nil {
				resp = next(resp, last)
			}
			last = resp
			return resp, err
		}
	})
}

func TestBrokenEnds(t *testing.T) {
	released := make(chan struct{})
	t.Cleanup(func() { close(released) }) // when the parallel subtests are over
	for _, c := range []broken{
		{name: "answers under an ended context", b: good(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
			return answer(context.Background(), req) //nolint:contextcheck // this is what is broken
		}), check: "ended before", want: "a model of Backend.Good, called after context canceled: the call returns a response, though its context has ended"},
		{name: "deaf", b: slow(func(context.Context, *llm.Request) (*llm.Response, error) {
			<-released
			return nil, errors.New("late")
		}), check: "ended during", want: "did not return within 300ms of the end of its context", short: true},
		{name: "an error of its own", b: blockThen(func(context.Context) error { return errors.New("request failed") }), check: "ended during", also: []string{"ended before", "concurrent"},
			want: `during a call, at context canceled: the error of the call is not the context's "context canceled": request failed`},
		{name: "to be tried again", b: blockThen(func(ctx context.Context) error { return &llm.CallError{Kind: llm.ErrSlow, Err: ctx.Err()} }),
			check: "ended during", want: "trying again may help, after the context has ended", also: []string{"ended before", "concurrent"}},
		{name: "neither at the end", b: blockThen(func(context.Context) error { return nil }),
			check: "ended during", want: "neither a response nor an error", also: []string{"ended before", "concurrent"}},
		{name: "shows the key at the end", b: blockThen(func(ctx context.Context) error { return fmt.Errorf("get /v1?key=%s: %w", testKey, ctx.Err()) }),
			check: "ended during", want: "shows the Key", also: []string{"ended before", "concurrent"}},
		{name: "is not slow", b: slow(answer), check: "ended during",
			want: "a call that should last returns before its context has ended (error: <nil>)", also: []string{"concurrent"}},
		{name: "leaves a worker behind", b: slow(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			go func() { <-released }()
			return block(ctx, req)
		}), check: "goroutines", want: "12 calls that are cancelled leave 12 goroutines behind", short: true},
		{name: "starts something at every call", b: good(after(func(*llm.Request) {
			go func() { <-released }()
		})), check: "goroutines", want: "12 calls that succeed leave 12 goroutines behind", short: true},
	} {
		t.Run(c.name, c.test)
	}
}

// both fails, and says what it cost.
func both(in int, err error) func(testing.TB) llm.Model {
	return model(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Model: "m", Usage: llm.Usage{InputTokens: in, OutputTokens: 2}}, err
	})
}

func reply(text, finish string) func(testing.TB) llm.Model {
	return model(but(func(r *llm.Response) { r.Text, r.FinishReason = text, finish }))
}

// What failed and was paid for is a response with an error, also around it a Retry,
// which keeps the words of a refusal.
func TestFailedCallsThatCost(t *testing.T) {
	retried := func(text, finish string) func(testing.TB) llm.Model {
		return func(t testing.TB) llm.Model {
			t.Helper()
			return llm.Retry(reply(text, finish)(t), &llm.RetryOptions{MaxAttempts: 2, Base: -1})
		}
	}
	paid := func(err *llm.CallError) func(testing.TB) llm.Model { return both(1, err) }
	for name, b := range map[string]Backend{
		"adapters": {
			RateLimited: paid(llm.StatusError(429, retryAfter, "")), ServerError: paid(llm.StatusError(502, 0, "")), Rejected: paid(llm.StatusError(400, 0, "")),
			Unavailable: paid(&llm.CallError{Kind: llm.ErrUnavailable}), Refusal: paid(&llm.CallError{Kind: llm.ErrRefused}),
			Empty: paid(&llm.CallError{Kind: llm.ErrEmpty}), Cut: paid(&llm.CallError{Kind: llm.ErrCut}),
		},
		"in a Retry": {Refusal: retried("No.", "content_filter"), Empty: retried("", "stop"), Cut: retried("half", "length")},
	} {
		b.Good, b.Slow = model(answer), model(block)
		found, _ := inspect(t, b, "", patience)
		assert.Empty(t, found, name)
	}
}

func TestBrokenErrors(t *testing.T) {
	limited := func(kind error, status int, wait time.Duration) Backend {
		return Backend{RateLimited: model(fails(&llm.CallError{Kind: kind, Status: status, RetryAfter: wait}))}
	}
	rejects := func(err error) Backend { return Backend{Rejected: model(fails(err))} }
	for _, c := range []broken{
		{name: "plain error", b: Backend{RateLimited: model(fails(errors.New("429 Too Many Requests")))},
			check: "rate limited", want: "the error is no *llm.CallError: 429 Too Many Requests"},
		{name: "wrong kind", b: limited(llm.ErrRejected, 429, retryAfter), check: "rate limited", want: `the kind of the error is not one of ["llm: rate limited"]: llm: the request was rejected`},
		{name: "no status", b: limited(llm.ErrRateLimited, 0, retryAfter), check: "rate limited", want: "the Status of the error is 0, not from 429 to 429"},
		{name: "seconds as nanoseconds", b: limited(llm.ErrRateLimited, 429, 7), check: "rate limited", want: "the RetryAfter of the error is 7ns, not 7s"},
		{name: "negative wait", b: Backend{ServerError: model(fails(&llm.CallError{Kind: llm.ErrOverloaded, Status: 503, RetryAfter: -time.Second}))},
			check: "server error", want: "the RetryAfter of the error is negative: -1s"},
		{name: "no server error", b: Backend{ServerError: model(fails(&llm.CallError{Kind: llm.ErrOverloaded, Status: 429}))}, check: "server error", want: "Status of the error is 429, not from 500 to 599"},
		{name: "rejected again and again", b: rejects(&llm.CallError{Kind: llm.ErrUnavailable, Status: 400}),
			check: "rejected", want: `the kind of the error is not one of ["llm: the request was rejected"]`},
		{name: "shows the key", b: rejects(llm.StatusError(401, 0, "wrong key "+testKey)), check: "rejected",
			want: "shows the Key"},
		{name: "a whole page", b: rejects(fmt.Errorf("%w: %s", llm.ErrRejected, ErrorMessage("****"))),
			check: "rejected", want: "bytes, more than 4096: give the CallError a short Message"},
		{name: "shows the request", b: Backend{Rejected: model(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
			return nil, llm.StatusError(400, 0, "bad request: "+req.Messages[0].Parts[0].Text)
		})}, check: "rejected",
			want: "the text of the error shows the request"},
		{name: "broken transport as it is", b: Backend{Unavailable: model(fails(errors.New("connection refused")))},
			check: "unavailable", want: "the error is no *llm.CallError: connection refused"},
		{name: "refusal as a reply", b: Backend{Refusal: reply("I cannot help.", "stop")}, check: "refusal",
			want: `the call succeeds, with FinishReason "stop" and the text "I cannot help."`},
		{name: "empty as a refusal", b: Backend{Empty: reply("", "safety")}, check: "empty", want: `not one of ["llm: the reply is empty"]`},
		{name: "gives tokens back", b: Backend{Refusal: both(-1, &llm.CallError{Kind: llm.ErrRefused})}, check: "refusal",
			want: "the usage that comes with the error is negative: {InputTokens:-1 OutputTokens:2 "},
		{name: "cut in words of its own", b: Backend{Cut: reply(`{"Answer": "for`, "out_of_paper")}, check: "cut",
			want: `the call succeeds, with FinishReason "out_of_paper"`},
	} {
		t.Run(c.name, c.test)
	}
}

func TestBrokenBackends(t *testing.T) {
	for want, b := range map[string]Backend{
		"is nil, and both are required":               {Good: model(answer)},
		"Backend.Good or Backend.Slow returns nil":    {Good: model(nil), Slow: model(block)},
		"Backend.Key has fewer than 4 bytes":          {Good: model(answer), Slow: model(block), Key: "k"},
		"a func of the implementer panics: no server": {Good: func(testing.TB) llm.Model { panic("no server") }, Slow: model(block)},
	} {
		found, made := inspect(t, b, "", patience)
		assert.Contains(t, fmt.Sprint(found["backend"]), want)
		assert.Equal(t, []string{"backend"}, made, "the rest makes no sense")
	}
}

func TestChecksThatCannotBeMade(t *testing.T) {
	b := Backend{Good: model(answer), Slow: model(block), Cut: model(fails(&llm.CallError{Kind: llm.ErrCut}))}
	found, made := inspect(t, b, "", patience)
	assert.Empty(t, found)
	assert.Equal(t, []string{"backend", "answer", "usage", "no messages", "not kept", "own response", "concurrent",
		"ended before", "ended during", "goroutines", "cut"}, made)
}
