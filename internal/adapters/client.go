package adapters

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

// Client is a model that is asked over HTTP, through an SDK that has [Keep] as a middleware.
type Client struct {
	Name, Model, Key string
	NotFound         string // a word on the base URL, behind the message of a 404

	How  func(req *llm.Request) (wanted, first How) // the way in which a request should go, and goes at first
	Send func(ctx context.Context, req *llm.Request, how How) error
	Read func(body []byte, req *llm.Request) *Reply

	forms Forms
}

// Reply is what an answer of success says in the words of its protocol.
type Reply struct {
	llm.Response
	Failure *Failure // it failed in the middle
	Broken  string   // why it is no whole reply, whatever it looks like
	Refusal string   // what the model says instead of a reply
	Missing string   // what the answer lacks
}

// Format writes the name of the model: the model must not be printed as a struct with a key.
func (c *Client) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, c.Name+": "+c.Model) }

// Complete asks the model, and again if the server refuses the form of the request.
func (c *Client) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if err := Refuse(ctx, c.Name, c.Model, req); err != nil {
		return nil, err
	}
	sent := named(req)
	wanted, first := c.How(sent)
	resp, err := c.forms.Complete(sent, wanted, first, func(how How) (*llm.Response, Refusal, error) { return c.ask(ctx, sent, how) })
	return unnamed(resp, req), err
}

// ask sends the request once.
func (c *Client) ask(ctx context.Context, req *llm.Request, how How) (*llm.Response, Refusal, error) {
	answer := &Answer{}
	err := c.Send(context.WithValue(ctx, answerKey{}, answer), req, how)
	var rejected *llm.CallError
	switch {
	case ctx.Err() != nil: // too late, also if the reply is whole
		return Spent(&c.read(answer.Bytes(), req).Response), NotRefused, Ended(ctx, c.Name)
	case errors.As(err, &rejected):
		return nil, NotRefused, rejected
	case answer.Head != nil && answer.Head.StatusCode >= http.StatusMultipleChoices:
		return c.failed(answer.Failure(), req, how)
	case err != nil:
		return nil, NotRefused, broken(c.Model, err, answer.Head != nil)
	}
	return c.reply(answer.Bytes(), req, how)
}

func (c *Client) read(body []byte, req *llm.Request) *Reply {
	r := c.Read(body, req)
	r.Model = cmp.Or(r.Model, c.Model)
	return r
}

// reply is what comes of an answer of success.
func (c *Client) reply(body []byte, req *llm.Request, how How) (*llm.Response, Refusal, error) {
	r := c.read(body, req)
	empty := len(r.Calls) == 0 && strings.TrimSpace(r.Text+r.Refusal) == ""
	if r.Failure == nil && (r.Broken != "" || empty) {
		r.Failure = ParseFailure(body) // a router answers so for the server behind it
	}
	call := &llm.CallError{Model: r.Model}
	switch {
	case r.Failure != nil && r.Failure.Said():
		said, refusal, err := c.failed(r.Failure, req, how)
		if said == nil {
			return Spent(&r.Response), refusal, err
		}
		said.Usage = r.Usage
		return said, refusal, err
	case r.Broken != "":
		call.Kind, call.Message = llm.ErrUnavailable, r.Broken
	case r.Refusal != "":
		call.Kind, call.Message = llm.ErrRefused, (&Failure{Message: r.Refusal}).Public("refusal", c.Key, req)
	case r.Missing != "":
		call.Kind, call.Message = llm.ErrEmpty, r.Missing
	default:
		return &r.Response, NotRefused, nil
	}
	return Spent(&r.Response), NotRefused, call
}

// failed is what comes of an answer that is not a reply, and what of the request it is about.
func (c *Client) failed(f *Failure, req *llm.Request, how How) (*llm.Response, Refusal, error) {
	refusal := about(f, req, how)
	if f.Malformed() {
		return f.Reply(c.Model, c.Key), refusal, nil
	}
	message := f.Public(cmp.Or(f.Code, f.Kind), c.Key, req)
	if _, first := c.How(req); req.Schema != nil && len(req.Tools) == 0 && first.Form != FormPrompt {
		message = f.Hint(message, refusal, how.Form == FormPrompt)
	}
	if f.Status == http.StatusNotFound {
		message += c.NotFound
	}
	call := llm.StatusError(f.Status, f.Wait, message)
	call.Model = c.Model
	switch {
	case f.Is("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"):
		call.Kind = llm.ErrRejected // comes as 429, and waiting does not help
	case f.Is("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"):
		call.Kind = llm.ErrRefused // comes as 400
	case f.Is("overloaded_error"):
		call.Kind = llm.ErrOverloaded
	}
	return nil, refusal, call
}

// maxAnswer is how much of an answer is read, in bytes. No reply is that long.
const maxAnswer = 32 << 20

var errTooLong = errors.New("the answer is too long")

// Answer is what a server answered, as far as it came. SDKs refuse media types that some
// servers send, and forget what came when a status says failure or the context is done.
type Answer struct {
	Head *http.Response // nil: none began
	Body bytes.Buffer
}

// Bytes are the body, without a byte order mark, which RFC 8259 lets a reader pass over.
func (a *Answer) Bytes() []byte { return bytes.TrimPrefix(a.Body.Bytes(), []byte("\ufeff")) }

// Failure is what an answer that is no success says. If the answer broke off, it is what came.
func (a *Answer) Failure() *Failure {
	f := ParseFailure(a.Bytes())
	if !f.Said() {
		f.Message = plainText(a.Bytes())
		f.Wait = waitIn(nil, f.Message)
	}
	f.Status, f.Wait = a.Head.StatusCode, waitOf(a.Head.Header, f.Wait)
	return f
}

type answerKey struct{}

// Keep is a middleware of an SDK, the first one, so that it sees what others made of an
// answer. It bounds how much is read, and keeps it.
func Keep(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	answer, err := next(req)
	a, ok := req.Context().Value(answerKey{}).(*Answer)
	if ok && answer != nil && answer.Body != nil {
		a.Head = answer
		a.Body.Reset() // there may have been another attempt
		answer.Body = &keptBody{ReadCloser: answer.Body, into: &a.Body}
	}
	return answer, err
}

type keptBody struct {
	io.ReadCloser
	into *bytes.Buffer
}

func (b *keptBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.into.Len()+n > maxAnswer {
		return 0, errTooLong
	}
	b.into.Write(p[:n])
	return n, err
}

// Ended is the error of a call whose context is done, of an adapter of this name.
func Ended(ctx context.Context, name string) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("%s: the call ended: %w", name, cause)
	}
	return fmt.Errorf("%s: the call ended: %w: %w", name, err, cause)
}

// broken says why no whole answer of a model came; began, whether one did begin. The
// context is not done.
func broken(model string, err error, began bool) *llm.CallError {
	call := &llm.CallError{Model: model, Err: err, Kind: transportKind(err)}
	if whole, ok := errors.AsType[*url.Error](err); ok {
		call.Err, began = whole.Err, true // without the URL, which may have more than its host
	}
	if began && call.Kind == nil {
		call.Kind = llm.ErrUnavailable
	}
	return call // without a kind, it is something like an option that the SDK refuses
}

// transportKind is the kind of a failure of a connection, nil for another error. The caller's context is not done, so
// a deadline is one of the client.
func transportKind(err error) error {
	var network net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return llm.ErrSlow
	case network != nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return llm.ErrUnavailable
	}
	return nil
}

// Spent is what a call used that failed, or nil.
func Spent(resp *llm.Response) *llm.Response {
	if resp == nil || resp.Usage == (llm.Usage{}) {
		return nil
	}
	return &llm.Response{Usage: resp.Usage, Model: resp.Model}
}

// Tokens is a number that a sum of many fits into: bounds of a run go by it.
func Tokens(n int64) int { return int(min(max(0, n), math.MaxInt32)) }

// Usage returns u with parts that are not larger than their whole: cached tokens are part of the input and
// reasoning tokens part of the output, whatever a server says.
func Usage(u llm.Usage) llm.Usage {
	u.CacheReadTokens = min(max(0, u.CacheReadTokens), max(0, u.InputTokens))
	u.CacheCreationTokens = min(max(0, u.CacheCreationTokens), max(0, u.InputTokens)-u.CacheReadTokens)
	u.ReasoningTokens = min(max(0, u.ReasoningTokens), max(0, u.OutputTokens))
	return u
}
