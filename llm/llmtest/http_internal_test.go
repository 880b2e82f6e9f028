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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

func TestWireConforms(t *testing.T) {
	for _, way := range []string{"", goesByTheStatus} {
		t.Run(way, func(t *testing.T) { RunHTTP(t, wired(way)) })
	}
}

// inspectHTTP runs one check of the suite, and returns what it finds.
func inspectHTTP(t *testing.T, p Protocol, only string, waiting time.Duration) (found []string) {
	t.Helper()
	made := 0
	runChecks(httpChecks, subject{Backend: Backend{Key: p.Key}, wire: p, patience: waiting}, func(c check, find func(testing.TB) []string) bool {
		if c.name != only {
			return true
		}
		made++
		for _, p := range find(t) {
			found = append(found, c.message(p))
		}
		return true
	})
	require.Equal(t, 1, made, "there is no check %q", only)
	return found
}

// Each check finds its fault.
func TestBrokenAdapters(t *testing.T) {
	for _, c := range []struct {
		flaw, check, want string
		short             bool // something does not return, or does not end
	}{
		{"forgets the key", "protocol", "the request to the server does not have Protocol.Key", false},
		{"forgets the prompt", "protocol", "does not have the text of the question", false},
		{"trims", "protocol", "the text is not that of Protocol.Reply", false},
		{"believes the media type", "forms", "JSON with a charset: the call fails", false},
		{"trims", "forms", "in pieces: the text is another", false},
		{"always tries again", "statuses", `the kind of the error is not one of ["llm: the request was rejected"]`, false},
		{"forgets the status", "statuses", "status 499 with the body", false},
		{"no CallError", "statuses", "the error is no *llm.CallError: it failed", false},
		{"does not look at the status", "statuses", `status 400 with the body`, false},
		{"does not wait", "retry after", `status 429 with "Retry-After: 7":`, false},
		{"knows seconds only", "retry after", `status 503 with "Retry-After-Ms: 1500":`, false},
		{"knows seconds only", "retry after", `with "Retry-After: Fri, 06 Mar 2026 10:01:30 GMT"`, false},
		{"tries again", "retry after", "one call asks the server 2 times", false},
		{"tries again", "broken", "before an answer: one call asks the server 2 times", false},
		{"shows everything", "statuses", "the text of the error has a page of HTML in it", false},
		{"shows the message", "statuses", "the text of the error shows the Key", false},
		{"no CallError for what breaks", "broken", "before an answer: the error is no *llm.CallError", false},
		{"no CallError for what breaks", "broken", "a server that is not there: the error is no *llm.CallError", false},
		{"takes what came", "broken", "in the middle of a reply: the call succeeds", false},
		{"takes what came", "no reply", "status 200 with a page of HTML: the call succeeds", false},
		{"believes what it reads", "no reply", "status 200 with nothing: the call succeeds", false},
		{"no kind", "no reply", "status 200 with half of a reply: the kind of the error is not", false},
		{"reads all", "endless", "status 200, with a body without end: the call reads 128 MiB and more", false},
		{"takes what came", "endless", "status 200, with a body without end: the call succeeds", false},
		{"does not close", "endless", "the connection stays open after the call: close the body", true},
		{"deaf", "slow body", "in the middle of the body: the call did not return within", true},
		{"its own error at the end", "slow body", `is not the context's "context canceled"`, false},
		{"follows", "redirects", "status 302 to another server: that server is asked: set CheckRedirect", false},
		{"refuses redirects in another way", "redirects", "status 308 to another server: the kind of the error is not one of", false},
	} {
		t.Run(c.flaw+", "+c.check, func(t *testing.T) {
			t.Parallel() // some wait
			var found []string
			if !c.short {
				found = inspectHTTP(t, wired(c.flaw), c.check, patience)
			}
			for waiting := range waits(c.short) {
				if found = inspectHTTP(t, wired(c.flaw), c.check, waiting); strings.Contains(strings.Join(found, "\n"), c.want) {
					break
				}
			}
			require.NotEmpty(t, found)
			assert.Contains(t, strings.Join(found, "\n"), c.want)
			for _, p := range found {
				assert.Equal(t, 1, strings.Count(p, whyItMatters), p)
				assert.NotContains(t, p, testKey)
			}
		})
	}
}

// A Protocol that is no use is said to be none, and nothing else is checked.
func TestBrokenProtocols(t *testing.T) {
	with := func(change func(*Protocol)) Protocol {
		p := wired("")
		change(&p)
		return p
	}
	for want, p := range map[string]Protocol{
		"a func of the Protocol is nil":                                {Key: testKey},
		"Protocol.Key has fewer than 4 bytes":                          with(func(p *Protocol) { p.Key = "abc" }),
		"Protocol.Model returns nil":                                   with(func(p *Protocol) { p.Model = func(testing.TB, string) llm.Model { return nil } }),
		"a func of the implementer panics: boom":                       with(func(p *Protocol) { p.Reply = func(string) string { panic("boom") } }),
		"the call fails: llm: the provider gave no answer":             with(func(p *Protocol) { p.Reply = func(string) string { return "hello" } }),
		"the server is asked 2 times for one reply":                    with(askTwice),
		"did not return within":                                        with(func(p *Protocol) { p.Model = func(testing.TB, string) llm.Model { return llm.ModelFunc(block) } }),
		"the request to the server does not have the text of the ques": wired("forgets the prompt"),
	} {
		made, waiting := 0, patience
		if want == "did not return within" {
			waiting = 300 * time.Millisecond
		}
		runChecks(httpChecks, subject{Backend: Backend{Key: p.Key}, wire: p, patience: waiting}, func(c check, find func(testing.TB) []string) bool {
			made++
			found := find(t)
			require.NotEmpty(t, found, want)
			assert.Contains(t, found[0], want)
			return false
		})
		assert.Equal(t, 1, made)
	}
}

func askTwice(p *Protocol) {
	of := p.Model
	p.Model = func(t testing.TB, url string) llm.Model {
		t.Helper()
		m := of(t, url)
		return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
			if resp, err := m.Complete(ctx, req); err != nil {
				return resp, err
			}
			return m.Complete(ctx, req)
		})
	}
}

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
