package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/agentfsm/agentfsm/llm"
)

type chatModel struct {
	cfg     Config
	key     string
	chat    sdk.ChatCompletionService
	refuses atomic.Bool // the server takes no response format
}

// Complete asks the model once, and a second time where a response format was
// refused.
func (m *chatModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	inPrompt := m.cfg.SchemaInPrompt || m.refuses.Load()
	resp, refusal, err := m.ask(ctx, req, inPrompt)
	if refusal == formatTaken || inPrompt || req.Schema == nil {
		return resp, err
	}
	resp, _, err = m.ask(ctx, req, true)
	if err == nil && refusal == formatUnknown {
		// Only now it is known that the response format was what was wrong.
		m.refuses.Store(true)
	}
	return resp, err
}

// ask sends the request once.
func (m *chatModel) ask(ctx context.Context, req *llm.Request, inPrompt bool) (*llm.Response, formatRefusal, error) {
	params, err := m.params(req, inPrompt)
	if err != nil {
		return nil, formatTaken, err
	}
	// The body is read here and not by the SDK: it refuses a media type that some
	// servers send, and loses the status of an error that is no JSON.
	var answer *http.Response
	var body []byte
	_, err = m.chat.New(ctx, params, option.WithResponseInto(&answer), option.WithResponseBodyInto(&body))
	switch {
	case ctx.Err() != nil: // too late, also when the reply is whole
		resp, _ := m.reply(body, req)
		return spent(resp), formatTaken, ended(ctx)
	case answer != nil && answer.StatusCode >= http.StatusMultipleChoices:
		failed := readFailure(answer)
		return nil, failed.aboutFormat(), m.statusError(failed, req)
	case err != nil:
		return nil, formatTaken, m.broken(err, answer != nil)
	}
	resp, err := m.reply(body, req)
	return resp, formatTaken, err
}

// ended is the error of a call whose context is done.
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("openai: the call ended: %w", cause)
	}
	return fmt.Errorf("openai: the call ended: %w: %w", err, cause)
}

// maxAnswer is how much of an answer is read, in bytes. No reply is that long.
const maxAnswer = 32 << 20

var errTooLong = errors.New("the answer is too long")

// bounded is a middleware of the SDK, which reads an answer to its end.
func bounded(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(req)
	if answer != nil && answer.Body != nil {
		answer.Body = &boundedBody{ReadCloser: answer.Body, left: maxAnswer}
	}
	return answer, err
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, errTooLong
	}
	return n, err
}
