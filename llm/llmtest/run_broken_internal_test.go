package llmtest

import (
	"context"
	"errors"
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

// after is answer behind something else.
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

// inspect runs the suite, or one check of it that waits for what does not come, and
// returns what it finds, by check.
func inspect(t *testing.T, b Backend, only string) (found map[string][]string, made []string) {
	t.Helper()
	found = map[string][]string{}
	waiting := patience
	if only != "" {
		waiting = 300 * time.Millisecond
	}
	run(b, waiting, func(c check, find func(testing.TB) []string) bool {
		if c.missing(b) || only != "" && c.name != only {
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
	var only string
	if c.short {
		only = c.check
	}
	found, _ := inspect(t, c.b, only)
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
		{name: "neither", b: Backend{Good: model(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) { return nil, ctx.Err() })},
			check: "answer", want: "neither a response nor an error"},
		{name: "both", b: Backend{Good: model(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			resp, _ := answer(ctx, req)
			return resp, errors.New("half")
		})}, check: "answer", want: "a question: the call fails: half"},
		{name: "panics", b: Backend{Good: model(func(context.Context, *llm.Request) (*llm.Response, error) { panic("boom") })},
			check: "answer", want: "the call panics: boom"},
		{name: "fails", b: Backend{Good: model(fails(errors.New("no route")))}, check: "answer", want: "a question: the call fails: no route"},
		{name: "hangs", b: Backend{Good: model(block)}, check: "answer", want: "did not return within 300ms", short: true},
		{name: "changes the text", b: Backend{Good: model(but(func(r *llm.Response) { r.Text = strings.ReplaceAll(r.Text, "<", `\u003c`) }))},
			check: "answer", want: "the text is not the one that the backend answered"},
		{name: "finish reason of another reply", b: Backend{Good: model(but(func(r *llm.Response) { r.FinishReason = "max_tokens" }))},
			check: "answer", want: `a good reply, with FinishReason "max_tokens", is taken for a bad one`},
		{name: "negative usage", b: Backend{Good: model(but(func(r *llm.Response) { r.Usage.OutputTokens = -1 }))}, check: "usage", want: "the usage is negative"},
		{name: "no usage", b: Backend{Good: model(but(func(r *llm.Response) { r.Usage = llm.Usage{} }))}, check: "usage", want: "the usage is not there"},
		{name: "does not ask for the schema", b: Backend{Good: model(but(func(r *llm.Response) { r.Text = "It is 42." }))},
			check: "schema", want: `cannot be decoded: llm: the reply (9 bytes) cannot be read: there is no JSON object in it; it is "It is 42."`},
		{name: "another schema", b: Backend{Good: model(but(func(r *llm.Response) { r.Text = `{"Count": 42}` }))},
			check: "schema", want: "lacks fields that the schema"},
		{name: "no images", b: Backend{Good: model(noImages)}, check: "images", want: "a request with an image: the call fails: images are not supported",
			also: []string{"unchanged", "not kept"}},
		{name: "panics without messages", b: Backend{Good: model(after(func(r *llm.Request) { _ = r.Messages[0] }))},
			check: "no messages", want: "a request without messages: the call panics: runtime error: index out of range"},
		{name: "panics without parts", b: Backend{Good: model(after(func(r *llm.Request) {
			if len(r.Messages) > 0 {
				_ = r.Messages[0].Parts[0]
			}
		}))}, check: "no messages", want: "a message without parts: the call panics"},
		{name: "tries a mistake again", b: Backend{Good: model(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			if len(req.Messages) == 0 {
				return nil, &llm.CallError{Kind: llm.ErrUnavailable}
			}
			return answer(ctx, req)
		})}, check: "no messages", want: "the error says that trying again may help"},
		{name: "fails once only", b: Backend{Good: func(testing.TB) llm.Model { return llm.ModelFunc(secondTime()) }},
			check: "no messages", want: "the first call returns no messages, the second <nil>"},
		{name: "adds to the request", b: Backend{Good: model(after(func(r *llm.Request) { r.Messages = append(r.Messages, llm.Text(llm.System, "Be brief.")) }))},
			check: "unchanged", want: "the call changes Messages of the request", also: []string{"no messages"}},
		{name: "writes into a part", b: Backend{Good: model(after(func(r *llm.Request) {
			for _, m := range r.Messages {
				for i := range m.Parts {
					m.Parts[i].Text += " Please."
				}
			}
		}))}, check: "unchanged", want: "the call changes Messages of the request"},
		{name: "has a default", b: Backend{Good: model(after(func(r *llm.Request) { r.MaxTokens = max(r.MaxTokens, 1000) }))},
			check: "unchanged", want: "the call changes MaxTokens of the request"},
		{name: "keeps the request", b: Backend{Good: keeper(func(r *llm.Request) any { return r })}, check: "not kept", want: "still refers to the request after the call", short: true},
		{name: "keeps the messages", b: Backend{Good: keeper(func(r *llm.Request) any { return r.Messages })}, check: "not kept", want: "still refers to the Messages of the request", short: true},
		{name: "keeps the schema", b: Backend{Good: keeper(func(r *llm.Request) any { return r.Schema })}, check: "not kept", want: "still refers to the Schema of the request", short: true},
		{name: "one call at a time", b: Backend{Slow: model(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			lock.Lock()
			defer lock.Unlock()
			return block(ctx, req)
		})}, check: "concurrent", want: "does it wait for a lock?", short: true},
		{name: "not for several goroutines", b: Backend{Good: alone}, check: "concurrent", want: "one of 8 calls at a time: the call fails: busy"},
	} {
		t.Run(c.name, c.test)
	}
}

func noImages(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			if p.Image != nil {
				return nil, errors.New("images are not supported")
			}
		}
	}
	return answer(ctx, req)
}

// secondTime returns a call that refuses the first request without messages only.
func secondTime() call {
	var once sync.Once
	return func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		first := false
		if len(req.Messages) == 0 {
			once.Do(func() { first = true })
		}
		if first {
			return nil, errors.New("no messages")
		}
		return answer(ctx, req)
	}
}

// keeper returns models that remember what they were asked.
func keeper(part func(*llm.Request) any) func(testing.TB) llm.Model {
	return func(testing.TB) llm.Model {
		m := &hoarder{part: part}
		return m
	}
}

type hoarder struct {
	part func(*llm.Request) any
	mu   sync.Mutex
	kept []any
}

func (h *hoarder) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept = append(h.kept, h.part(req))
	return answer(ctx, req)
}

// alone is a model that eight goroutines meet in, and all but one are sent away.
func alone(testing.TB) llm.Model {
	var mu sync.Mutex
	return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		if len(req.Messages) == 1 && len(req.Messages[0].Parts) == 1 && strings.Contains(req.Messages[0].Parts[0].Text, "number 17") {
			mu.Lock()
			defer mu.Unlock()
			return nil, errors.New("busy")
		}
		return answer(ctx, req)
	})
}
