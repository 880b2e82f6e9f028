package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// Provider returns a model behind HTTP, with the requests and replies of an imaginary
// provider.
func Provider(client *http.Client, url, key string) llm.Model {
	own := *client // the prompt and the key go to url, and nowhere that it redirects to
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		body, err := json.Marshal(map[string]any{
			"messages": req.Messages, // a real provider wants roles, texts and images in another form
			"schema":   req.Schema,   // structured output, where it has that; else leave it out
		})
		if err != nil {
			return nil, &llm.CallError{Kind: llm.ErrRejected, Err: err}
		}
		post, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return nil, &llm.CallError{Kind: llm.ErrRejected, Err: err}
		}
		post.Header.Set("Authorization", "Bearer "+key)
		answer, err := own.Do(post)
		if err != nil {
			return nil, unavailable(ctx, err)
		}
		defer func() { _ = answer.Body.Close() }()
		if answer.StatusCode != http.StatusOK { // without the body: providers repeat the key in it
			return nil, llm.StatusError(answer.StatusCode, llm.RetryAfter(answer.Header.Get), http.StatusText(answer.StatusCode))
		}
		text, err := io.ReadAll(io.LimitReader(answer.Body, 8<<20))
		if err != nil {
			return nil, unavailable(ctx, err)
		}
		var reply struct {
			Text        *string
			Model, Stop string
			In, Out     int
		}
		if err := json.Unmarshal(text, &reply); err != nil {
			return nil, &llm.CallError{Kind: llm.ErrUnavailable, Err: err}
		}
		if reply.Text == nil { // null and {} are JSON, too
			return nil, &llm.CallError{Kind: llm.ErrEmpty, Model: reply.Model}
		}
		return &llm.Response{
			Text: *reply.Text, Model: reply.Model,
			FinishReason: reply.Stop, // in the provider's words; Complete knows them
			Usage:        llm.Usage{InputTokens: reply.In, OutputTokens: reply.Out},
		}, nil
	})
}

// unavailable is the error of a call that got no answer. If the caller gave up, it is
// the cause of that, and llm.Retry stops.
func unavailable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &llm.CallError{Kind: llm.ErrUnavailable, Err: err}
}

// What a production program puts around a model.
func Example_middleware() {
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "too many at a time", http.StatusTooManyRequests)
	}))
	defer busy.Close()
	spare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"Text": "Hello, Ada.", "Model": "parrot-1", "Stop": "stop"}`)
	}))
	defer spare.Close()
	primary := Provider(busy.Client(), busy.URL, "the-key")
	secondary := Provider(spare.Client(), spare.URL, "another-key")
	retries := &llm.RetryOptions{Base: time.Millisecond, MaxAttempts: 2}
	show := func(_ *llm.Request, _ *llm.Response, err error) {
		fmt.Println("call:", err, llm.Retryable(err), errors.Is(err, llm.ErrRateLimited))
	}

	// region stack
	model := llm.Fallback(
		llm.Retry(llm.Timeout(llm.Record(primary, show), 30*time.Second), retries), // each attempt has 30 s, and is shown
		llm.Retry(secondary, nil), // nil: four attempts, half a second to half a minute apart
	)
	// endregion
	resp, err := llm.Complete(context.Background(), model, &llm.Request{})
	fmt.Println(resp.Text, resp.Model, err)

	// Output:
	// call: llm: rate limited (status 429): Too Many Requests true true
	// call: llm: rate limited (status 429): Too Many Requests true true
	// Hello, Ada. parrot-1 <nil>
}

// served says which backend a model talks to: a server with one answer.
func served(answer http.HandlerFunc) func(testing.TB) llm.Model {
	return func(t testing.TB) llm.Model {
		t.Helper()
		server := httptest.NewServer(answer)
		t.Cleanup(server.Close)
		return Provider(server.Client(), server.URL, "the-key")
	}
}

func says(text, stop string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, reply(text, stop)) }
}

func reply(text, stop string) string {
	b, err := json.Marshal(map[string]any{"Text": text, "Model": "parrot-2", "Stop": stop, "In": 12, "Out": 4})
	if err != nil {
		panic(err) // strings and numbers have a JSON form
	}
	return string(b)
}

func fails(status int, words string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		http.Error(w, words, status)
	}
}

func hangs(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // only then a server notices that the client is gone
	<-r.Context().Done()
}

func breaksOff(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func TestProvider(t *testing.T) {
	llmtest.Run(t, llmtest.Backend{
		Good:        served(says(llmtest.GoodReply, "stop")),
		Slow:        served(hangs),
		RateLimited: served(fails(http.StatusTooManyRequests, "slow down")),
		ServerError: served(fails(http.StatusBadGateway, "bad gateway")),
		Rejected:    served(fails(http.StatusUnauthorized, llmtest.ErrorMessage("the-key"))),
		Unavailable: served(breaksOff),
		Refusal:     served(says("No.", "content_filter")),
		Empty:       served(says("", "stop")),
		Cut:         served(says("half", "length")),
		Key:         "the-key",
	})
}

func TestProviderOverHTTP(t *testing.T) {
	llmtest.RunHTTP(t, llmtest.Protocol{
		Model:   func(_ testing.TB, url string) llm.Model { return Provider(http.DefaultClient, url, "the-key") },
		Reply:   func(text string) string { return reply(text, "stop") },
		Failure: func(_ int, message string) string { return message },
		Key:     "the-key",
	})
}
