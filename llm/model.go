package llm

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// Model answers one request. It is called by one goroutine at a time for each
// run, and by several for several runs. It honours ctx, does not change req, whose texts and
// schema other requests share, does not keep it after the call, and returns a non-nil response
// or an error.
// A call that failed and yet used tokens returns both: then only Usage, Model and
// Spent of the response count. Errors are a [*CallError] where one of its kinds
// fits; [Retry] and [Fallback] go by that.
//
// The response belongs to the caller, who may change it: each call returns one of
// its own, and the model does not use it afterwards. A model that remembers
// replies returns a [Response.Clone].
//
// A middleware of your own has a method Unwrap() Model. An agent looks there for a [Retry].
type Model interface {
	Complete(ctx context.Context, req *Request) (*Response, error)
}

// ModelFunc is a func as a [Model].
type ModelFunc func(ctx context.Context, req *Request) (*Response, error)

// Complete calls f.
func (f ModelFunc) Complete(ctx context.Context, req *Request) (*Response, error) { return f(ctx, req) }

// Role says who wrote a message.
type Role string

// The roles that every provider knows. ToolResult answers a call of the Assistant before it.
const (
	System     Role = "system"
	User       Role = "user"
	Assistant  Role = "assistant"
	ToolResult Role = "tool"
)

// Request is a prompt.
type Request struct {
	Messages    []Message `json:"messages"`
	Schema      *Schema   `json:"schema,omitempty"`      // what the reply must look like; nil: free text
	MaxTokens   int       `json:"max_tokens,omitempty"`  // of the reply; 0: the model's default
	Temperature *float64  `json:"temperature,omitempty"` // nil: the model's default

	// Tools are what the reply may call. It should call one: a model that has tools
	// is asked for calls, and its text is what it thinks.
	Tools []Tool `json:"tools,omitempty"`
}

// Message is one turn of a conversation. Texts that follow one another in it are one text, as
// they stand: an adapter puts nothing between them. So who writes a long prompt in every step
// writes what stays the same once.
type Message struct {
	Role  Role   `json:"role"`
	Parts []Part `json:"parts"`

	Calls     []Call          `json:"calls,omitempty"`     // of the Assistant
	CallID    string          `json:"call_id,omitempty"`   // of a ToolResult: the call that it answers
	Reasoning json.RawMessage `json:"reasoning,omitempty"` // of the Assistant: see Response
}

// Text returns a message of one text part.
func Text(role Role, text string) Message {
	return Message{Role: role, Parts: []Part{{Text: text}}}
}

// Text returns all texts of the message, as one.
func (m *Message) Text() string {
	if len(m.Parts) == 1 {
		return m.Parts[0].Text
	}
	var all strings.Builder
	for i := range m.Parts {
		all.WriteString(m.Parts[i].Text)
	}
	return all.String()
}

// Part is a text or an image.
type Part struct {
	Text  string `json:"text,omitempty"`
	Image *Image `json:"image,omitempty"`
	// CacheBreakpoint says that later requests begin with this one up to the end of this part. Where
	// a provider wants to be told what to cache, its adapter tells it. It changes nothing else: a
	// model reads the same.
	CacheBreakpoint bool `json:"cache_breakpoint,omitempty"`
}

// Image is a picture in a prompt.
type Image struct {
	MediaType string `json:"media_type"` // such as image/png
	Data      []byte `json:"data"`
}

// Response is a model's reply.
type Response struct {
	Text         string `json:"text"`
	Usage        Usage  `json:"usage"`                   // of all attempts, where there were several
	Model        string `json:"model,omitempty"`         // the name of the model that answered
	FinishReason string `json:"finish_reason,omitempty"` // in the provider's words: stop, end_turn, max_tokens, content_filter, …

	Calls []Call `json:"calls,omitempty"` // of the request's Tools, in order
	// Reasoning is what the model wants to be shown with these Calls when it is told what came of them,
	// such as signed thoughts. Only the adapter that wrote it can read it.
	Reasoning json.RawMessage `json:"reasoning,omitempty"`

	// Repairs say what an adapter did other than it was asked, such as to send a schema as a text
	// of the prompt to a server that refuses it as a format.
	Repairs []Repair `json:"repairs,omitempty"`

	// Spent is what the attempts behind this reply used, by model and in order, failed
	// ones included: [Retry] and [Fallback] set it, so that each can be priced by its
	// model. Attempts of one model that follow one another are one entry with their
	// sum, so the list is as long as models took turns. Nil where Usage and Model say
	// it all, as after a plain call or several of one model. Usage is the sum; who
	// changes one changes the other. See [Response.Bill].
	Spent []ModelUsage `json:"spent,omitempty"`
}

// Usage counts tokens. Zero means unknown or none.
type Usage struct {
	InputTokens  int `json:"input_tokens"` // of the whole prompt, also what came out of a cache or went into one
	OutputTokens int `json:"output_tokens"`

	// Of the InputTokens, what the provider read from its cache, and what it wrote into it: most have
	// other prices for them. The rest of the input is at the usual price.

	CacheReadTokens     int `json:"cache_read_tokens,omitempty"`
	CacheCreationTokens int `json:"cache_creation_tokens,omitempty"`

	ReasoningTokens int `json:"reasoning_tokens,omitempty"` // of the OutputTokens, those of the model's thoughts
}

// Add returns the sum of both. A sum that an int cannot hold is the largest, or the
// smallest, that it can: what was used never becomes less than nothing by more use.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens: plus(u.InputTokens, v.InputTokens), OutputTokens: plus(u.OutputTokens, v.OutputTokens),
		CacheReadTokens: plus(u.CacheReadTokens, v.CacheReadTokens), CacheCreationTokens: plus(u.CacheCreationTokens, v.CacheCreationTokens),
		ReasoningTokens: plus(u.ReasoningTokens, v.ReasoningTokens),
	}
}

// Total returns input and output tokens together, as Add adds them. Cached tokens are in the input.
func (u Usage) Total() int { return plus(u.InputTokens, u.OutputTokens) }

func plus(a, b int) int {
	switch {
	case b > 0 && a > math.MaxInt-b:
		return math.MaxInt
	case b < 0 && a < math.MinInt-b:
		return math.MinInt
	}
	return a + b
}

// ErrNoModel says that there is no Model to ask.
var ErrNoModel = errors.New("llm: there is no model")

// ErrNoResponse says that a Model returned neither a response nor an error.
var ErrNoResponse = errors.New("llm: the model returned nothing")

// Complete asks the model. It is what agents call: interceptors in ctx, such
// as a Round's meter, see the call first.
//
// What comes back through them is checked: a reply that was refused, that was
// cut by length, that its provider could not use, that broke off, or that has neither a text nor a call is a
// [*CallError] of [ErrRefused], [ErrCut], [ErrMalformed], [ErrUnavailable] or [ErrEmpty]. The response is returned with it; what it used is counted already. No
// model, also a nil pointer or func as one, is [ErrNoModel], and neither a
// response nor an error is [ErrNoResponse].
func Complete(ctx context.Context, model Model, req *Request) (*Response, error) {
	if nilcheck.IsNil(model) {
		return nil, ErrNoModel
	}
	wrap, _ := ctx.Value(interceptorKey{}).(func(Model) Model)
	return checked(ask(ctx, model, req, wrap))
}

// stack is a model that asks others. Interceptors see each of its attempts.
type stack interface {
	within(ctx context.Context, req *Request, wrap func(Model) Model) (*Response, error)
}

// ask asks the model through the interceptors, which may be nil.
func ask(ctx context.Context, model Model, req *Request, wrap func(Model) Model) (*Response, error) {
	if several, ok := model.(stack); ok {
		return several.within(ctx, req, wrap)
	}
	if wrap != nil {
		model = wrap(model)
	}
	return model.Complete(ctx, req)
}

type interceptorKey struct{}

// WithInterceptor returns a context under which [Complete] asks wrap(model)
// instead of model. Of several, the one added first sees a call first. Where model is a
// [Retry] or a [Fallback], each of its attempts is such a call. The
// wrapped model must be safe for concurrent use.
func WithInterceptor(ctx context.Context, wrap func(Model) Model) context.Context {
	if outer, ok := ctx.Value(interceptorKey{}).(func(Model) Model); ok {
		inner := wrap
		wrap = func(m Model) Model { return outer(inner(m)) }
	}
	return context.WithValue(ctx, interceptorKey{}, wrap)
}
