package adk_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/adk/v2/model/gemini"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

const geminiKey = "key-of-the-gemini-test"

// geminiModel is the ADK's own model with its own client, in front of a server of
// the test.
func geminiModel(t testing.TB, handler http.HandlerFunc) llm.Model {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	of, err := gemini.NewModel(t.Context(), "gemini-test", &genai.ClientConfig{
		APIKey: geminiKey, Backend: genai.BackendGeminiAPI, HTTPClient: server.Client(),
		HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	require.NoError(t, err)
	return adapt(t, of, nil)
}

// candidate writes one reply.
func candidate(w http.ResponseWriter, reason, text string) {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string
	}
	body := fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"text":%s}]},"finishReason":%q}],`+
		`"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":6,"totalTokenCount":11},"modelVersion":"gemini-test-1"}`, quoted, reason)
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, body)
}

func problem(status int, message, details string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		quoted, err := json.Marshal(message)
		if err != nil {
			panic(err) // a string
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"code":%d,"message":%s,"status":"X","details":[%s]}}`, status, quoted, details)
	}
}

func TestGeminiConformance(t *testing.T) {
	of := func(handler http.HandlerFunc) func(testing.TB) llm.Model {
		return func(t testing.TB) llm.Model { return geminiModel(t, handler) }
	}
	replies := func(reason, text string) func(testing.TB) llm.Model {
		return of(func(w http.ResponseWriter, _ *http.Request) { candidate(w, reason, text) })
	}
	llmtest.Run(t, llmtest.Backend{
		Good: replies("STOP", llmtest.GoodReply),
		Slow: of(func(_ http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}),
		RateLimited: of(problem(429, "slow down", `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}`)),
		ServerError: of(problem(503, "overloaded", "")),
		Rejected:    of(problem(401, llmtest.ErrorMessage(geminiKey), "")),
		Unavailable: of(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		Refusal:     replies("SAFETY", "I"),
		Empty:       replies("STOP", ""),
		Cut:         replies("MAX_TOKENS", `{"Answer": "for`),
		Key:         geminiKey,
	})
}

// What goes over the wire is what Google documents.
func TestGeminiWire(t *testing.T) {
	var path string
	var body struct {
		Contents          []map[string]any
		SystemInstruction map[string]any
		GenerationConfig  map[string]any
	}
	m := geminiModel(t, func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.Path
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		candidate(w, "STOP", "{}")
	})
	schema, err := llm.SchemaOf[struct{ Thought, Answer string }]("reply")
	require.NoError(t, err)
	resp, err := m.Complete(t.Context(), &llm.Request{
		Messages: []llm.Message{
			llm.Text(llm.System, "be brief"),
			{Role: llm.User, Parts: []llm.Part{{Text: "?"}, {Image: &llm.Image{MediaType: "image/png", Data: []byte("png")}}}},
		},
		Schema: schema, MaxTokens: 9, Temperature: new(0.25),
	})
	require.NoError(t, err)
	assert.Equal(t, &llm.Response{
		Text: "{}", Model: "gemini-test-1", FinishReason: "STOP", Usage: llm.Usage{InputTokens: 5, OutputTokens: 6},
	}, resp)
	assert.Contains(t, path, "gemini-test:generateContent")
	assert.Equal(t, []map[string]any{{"role": "user", "parts": []any{
		map[string]any{"text": "?"},
		map[string]any{"inlineData": map[string]any{"mimeType": "image/png", "data": "cG5n"}},
	}}}, body.Contents)
	assert.Equal(t, []any{map[string]any{"text": "be brief"}}, body.SystemInstruction["parts"])
	assert.Equal(t, "application/json", body.GenerationConfig["responseMimeType"])
	assert.InEpsilon(t, 9, body.GenerationConfig["maxOutputTokens"], 0)
	assert.InEpsilon(t, 0.25, body.GenerationConfig["temperature"], 0)
	assert.JSONEq(t, string(schema.JSON), marshal(t, body.GenerationConfig["responseJsonSchema"]))
}
