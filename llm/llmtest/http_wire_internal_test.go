package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// wire is a small adapter, for a provider that takes requests and answers in our words,
// and what is wrong with it.
type wire struct {
	url  string
	flaw string
}

// goesByTheStatus is no flaw: the body of an error need not be read.
const goesByTheStatus = "goes by the status"

func (m *wire) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	attempts := 1
	if m.flaw == "tries again" {
		attempts = 2
	}
	for attempt := 1; ; attempt++ {
		resp, err := m.once(ctx, req)
		if attempt == attempts || err == nil || ctx.Err() != nil || !llm.Retryable(err) {
			return resp, err
		}
	}
}

func (m *wire) once(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return nil, &llm.CallError{Kind: llm.ErrRejected, Err: err}
	}
	callCtx := ctx
	if m.flaw == "deaf" {
		callCtx = context.WithoutCancel(ctx)
	}
	if m.flaw == "forgets the prompt" {
		body = []byte("{}")
	}
	call, err := http.NewRequestWithContext(callCtx, http.MethodPost, m.url+"/complete", bytes.NewReader(body))
	if err != nil {
		return nil, &llm.CallError{Kind: llm.ErrRejected, Err: err}
	}
	if m.flaw != "forgets the key" {
		call.Header.Set("X-Key", testKey)
	}
	if m.flaw == "does not unpack" {
		call.Header.Set("Accept-Encoding", "gzip")
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		if m.flaw == "refuses redirects in another way" {
			return errors.New("no redirects")
		}
		return http.ErrUseLastResponse
	}}
	if m.flaw == "follows" {
		client.CheckRedirect = nil
	}
	answer, err := client.Do(call)
	if err != nil {
		return nil, m.broken(ctx, err)
	}
	if m.flaw != "does not close" {
		defer func() { _ = answer.Body.Close() }()
	}
	if m.flaw == goesByTheStatus && answer.StatusCode != http.StatusOK {
		return nil, llm.StatusError(answer.StatusCode, llm.RetryAfter(answer.Header.Get), "")
	}
	text, err := m.read(answer)
	if err != nil && m.flaw != "takes what came" {
		return nil, m.broken(ctx, err)
	}
	if answer.StatusCode != http.StatusOK && m.flaw != "does not look at the status" {
		return nil, m.status(answer, text)
	}
	return m.reply(answer, text)
}

func (m *wire) read(answer *http.Response) ([]byte, error) {
	if m.flaw == "reads all" {
		_, _ = io.Copy(io.Discard, answer.Body) // without filling the memory of the test
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err == nil && len(text) == 1<<20 {
		err = errors.New("too long")
	}
	return text, err
}

func (m *wire) broken(ctx context.Context, err error) error {
	switch {
	case m.flaw == "no CallError for what breaks":
		return err
	case ctx.Err() != nil && m.flaw != "its own error at the end":
		return ctx.Err()
	}
	return &llm.CallError{Kind: llm.ErrUnavailable, Message: "the connection broke"}
}

func (m *wire) status(answer *http.Response, text []byte) error {
	var failed struct{ Message string }
	_ = json.Unmarshal(text, &failed) // then there is no message
	message := failed.Message
	if strings.Contains(message, testKey) || strings.Contains(message, marker) {
		message = ""
	}
	wait := llm.RetryAfter(answer.Header.Get)
	call := llm.StatusError(answer.StatusCode, wait, message)
	switch m.flaw {
	case "shows everything":
		call.Message = string(text)
	case "shows the message":
		call.Message = failed.Message
	case "forgets the status":
		call.Status = 0
	case "always tries again":
		call.Kind = llm.ErrUnavailable
	case "does not wait":
		call.RetryAfter = 0
	case "knows seconds only":
		call.RetryAfter, _ = time.ParseDuration(answer.Header.Get("Retry-After") + "s")
	case "no CallError":
		return errors.New("it failed")
	}
	return call
}

func (m *wire) reply(answer *http.Response, text []byte) (*llm.Response, error) {
	if m.flaw == "believes the media type" && answer.Header.Get("Content-Type") != "application/json" {
		return nil, &llm.CallError{Kind: llm.ErrUnavailable}
	}
	var said struct{ Text *string }
	err := json.Unmarshal(text, &said)
	switch {
	case m.flaw == "believes what it reads" && said.Text == nil:
		return &llm.Response{Usage: llm.Usage{InputTokens: 1}}, nil
	case err != nil && m.flaw == "no kind":
		return nil, &llm.CallError{Err: err}
	case err != nil && m.flaw != "takes what came":
		return nil, &llm.CallError{Kind: llm.ErrUnavailable, Message: "no JSON"}
	case said.Text == nil && m.flaw == "takes what came":
		return &llm.Response{Text: string(text)}, nil
	case said.Text == nil:
		return nil, &llm.CallError{Kind: llm.ErrEmpty}
	}
	if m.flaw == "trims" {
		*said.Text = strings.TrimSpace(*said.Text) + "."
	}
	return &llm.Response{Text: *said.Text, Usage: llm.Usage{InputTokens: 1, OutputTokens: 1}}, nil
}

// wired is the protocol of an adapter with a flaw, "" for none.
func wired(flaw string) Protocol {
	body := func(name, text string) string {
		b, err := json.Marshal(map[string]string{name: text})
		if err != nil {
			panic(err) // strings have a JSON form
		}
		return string(b)
	}
	return Protocol{
		Model:   func(_ testing.TB, url string) llm.Model { return &wire{url: url, flaw: flaw} },
		Reply:   func(text string) string { return body("Text", text) },
		Failure: func(_ int, message string) string { return body("Message", message) },
		Key:     testKey,
	}
}
