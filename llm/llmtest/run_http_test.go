package llmtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// httpModel is the smallest adapter there can be: a provider that takes a request
// in our words and answers in them.
type httpModel struct {
	url, key string
	client   *http.Client
}

func (m *httpModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return nil, &llm.CallError{Kind: llm.ErrRejected, Err: err}
	}
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(body))
	if err != nil {
		return nil, &llm.CallError{Kind: llm.ErrRejected, Err: err}
	}
	call.Header.Set("Authorization", "Bearer "+m.key)
	answer, err := m.client.Do(call)
	if err != nil {
		return nil, m.broken(ctx, err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err != nil {
		return nil, m.broken(ctx, err)
	}
	if answer.StatusCode != http.StatusOK {
		message := strings.ReplaceAll(string(text), m.key, "***")
		return nil, llm.StatusError(answer.StatusCode, llm.RetryAfter(answer.Header.Get), message)
	}
	var resp llm.Response
	if err := json.Unmarshal(text, &resp); err != nil {
		return nil, &llm.CallError{Kind: llm.ErrUnavailable, Err: err}
	}
	return &resp, nil
}

func (m *httpModel) broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &llm.CallError{Kind: llm.ErrUnavailable, Err: err}
}

// served returns models that talk to a server with one answer.
func served(answer http.HandlerFunc) func(testing.TB) llm.Model {
	return func(t testing.TB) llm.Model {
		t.Helper()
		server := httptest.NewServer(answer)
		t.Cleanup(server.Close)
		return &httpModel{url: server.URL, key: key, client: server.Client()}
	}
}

func status(code int, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		http.Error(w, message, code)
	}
}

func reply(resp *llm.Response) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if json.NewEncoder(w).Encode(resp) != nil {
			panic(http.ErrAbortHandler)
		}
	}
}

// An adapter is checked against a server in the test. Nothing of net/http and of
// the server must look like a mistake of the adapter.
func TestAdapterConforms(t *testing.T) {
	llmtest.Run(t, llmtest.Backend{
		Good: served(reply(said(llmtest.GoodReply, "stop"))),
		Slow: served(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // a server notices that a client is gone when it has read all
			<-r.Context().Done()
		}),
		RateLimited: served(status(http.StatusTooManyRequests, "slow down")),
		ServerError: served(status(http.StatusBadGateway, "bad gateway")),
		Rejected:    served(status(http.StatusUnauthorized, llmtest.ErrorMessage(key))),
		Unavailable: served(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		Refusal:     served(reply(said("No.", "content_filter"))),
		Empty:       served(reply(said("", "stop"))),
		Cut:         served(reply(said("half", "length"))),
		Key:         key,
	})
}
