package anthropic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/agentfsm/agentfsm/llm"
)

type messagesModel struct {
	cfg      Config
	key      string
	messages sdk.MessageService
	refuses  atomic.Bool // the server takes no output format
}

// Complete asks the model once, and a second time where an output format was
// refused.
func (m *messagesModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	inPrompt := m.cfg.SchemaInPrompt || m.refuses.Load() || (req != nil && !formatFits(req.Schema))
	resp, refusal, err := m.ask(ctx, req, inPrompt)
	if refusal == formatTaken || inPrompt || req.Schema == nil {
		return resp, err
	}
	resp, _, err = m.ask(ctx, req, true)
	if err == nil && refusal == formatUnknown {
		// Only now it is known that the output format was what was wrong.
		m.refuses.Store(true)
	}
	return resp, err
}

// ask sends the request once.
func (m *messagesModel) ask(ctx context.Context, req *llm.Request, inPrompt bool) (*llm.Response, formatRefusal, error) {
	params, err := m.params(req, inPrompt)
	if err != nil {
		return nil, formatTaken, err
	}
	// The answer is kept here and not by the SDK: it refuses a media type that some
	// servers send, and forgets what came when the context is done.
	var came incoming
	var body []byte
	_, err = m.messages.New(ctx, params, option.WithMiddleware(came.keep), option.WithResponseBodyInto(&body))
	switch {
	case ctx.Err() != nil: // too late, also when the reply is whole
		resp, _ := m.reply(came.body.Bytes(), req)
		return spent(resp), formatTaken, ended(ctx)
	case came.answer != nil && came.answer.StatusCode >= http.StatusMultipleChoices:
		failed := readFailure(&came)
		return nil, failed.aboutFormat(), m.statusError(failed, req)
	case err != nil:
		return nil, formatTaken, m.broken(err, came.answer != nil)
	}
	resp, err := m.reply(came.body.Bytes(), req)
	return resp, formatTaken, err
}

// ended is the error of a call whose context is done.
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("anthropic: the call ended: %w", cause)
	}
	return fmt.Errorf("anthropic: the call ended: %w: %w", err, cause)
}

// maxAnswer is how much of an answer is read, in bytes. No reply is that long.
const maxAnswer = 32 << 20

var errTooLong = errors.New("the answer is too long")

// incoming is what a server answered, as far as it came.
type incoming struct {
	answer *http.Response
	body   bytes.Buffer
}

// keep is a middleware of the SDK, which reads an answer to its end.
func (in *incoming) keep(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(req)
	if answer != nil && answer.Body != nil {
		in.answer = answer
		answer.Body = &keptBody{ReadCloser: answer.Body, into: &in.body}
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
