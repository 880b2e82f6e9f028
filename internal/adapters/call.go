package adapters

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"

	"github.com/agentfsm/agentfsm/llm"
)

// MaxAnswer is how much of an answer is read, in bytes. No reply is that long.
const MaxAnswer = 32 << 20

var errTooLong = errors.New("the answer is too long")

// Answer is what a server answered, as far as it came. SDKs refuse media types that some
// servers send, and forget what came when a status says failure or the context is done.
type Answer struct {
	Head *http.Response // nil: none began
	Body bytes.Buffer
}

// Bytes are the body, without a byte order mark, which RFC 8259 lets a reader pass over.
func (a *Answer) Bytes() []byte { return bytes.TrimPrefix(a.Body.Bytes(), []byte("\ufeff")) }

// Failed reports whether the answer is no success.
func (a *Answer) Failed() bool {
	return a.Head != nil && a.Head.StatusCode >= http.StatusMultipleChoices
}

// Failure is what an answer that is no success says. Of one that broke off, it is what
// came.
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

// Listen returns a context for a call, whose answer [Keep] keeps.
func Listen(ctx context.Context) (context.Context, *Answer) {
	a := &Answer{}
	return context.WithValue(ctx, answerKey{}, a), a
}

// Keep is a middleware of an SDK, the first one, so that it sees what others made of an
// answer. It bounds how much is read.
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
	if b.into.Len()+n > MaxAnswer {
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

// Broken says why no whole answer of a model came; began, whether one did begin. The
// context is not done.
func Broken(model string, err error, began bool) *llm.CallError {
	call := &llm.CallError{Model: model, Err: err}
	if whole, ok := errors.AsType[*url.Error](err); ok {
		call.Err, began = whole.Err, true // without the URL, which may have more than its host
	}
	var network net.Error
	switch {
	// The caller's context is not done, so it is a deadline of the client.
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		call.Kind = llm.ErrSlow
	case began, network != nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		call.Kind = llm.ErrUnavailable
	}
	return call // without a kind, it is something like an option that the SDK refuses
}

// Paid is a reply that a server calls malformed in an answer of success, or else nothing, with what it used.
func Paid(malformed, answer *llm.Response) *llm.Response {
	if malformed == nil {
		return Spent(answer)
	}
	malformed.Usage = answer.Usage
	return malformed
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
