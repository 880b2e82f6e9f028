package guides_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/runs/runshttp"
)

// Two users and one who approves, by the Authorize of the guide.
func TestServiceGuideAuthorize(t *testing.T) {
	mailbox := &Mailbox{}
	model := llmtest.Script(nil,
		`{"Function": "send_mail", "Args": {"to": "bob@example.com", "text": "12 euros"}, "Status": "CONTINUE"}`,
		`{"Status": "FINISH", "Result": "Bob knows."}`,
	)
	svc, err := NewService(store.Memory(), model, func(string) desktop.Desktop { return mailbox.Desktop() })
	require.NoError(t, err)
	worked := make(chan error, 1)
	go func() { worked <- svc.Work(context.Background()) }()
	defer func() {
		assert.NoError(t, svc.Close(context.Background()))
		<-worked
	}()
	handler := runshttp.New(svc, runshttp.Config{Authorize: Authorize(map[string]string{"Bearer a": "ann", "Bearer b": "bob", "Bearer c": "boss"})})
	send := func(token, method, path, body string) (int, string) {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", token)
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, r)
		return rec.Code, rec.Body.String()
	}
	status, text := send("Bearer a", "POST", "/runs", `{"id": "ann/1", "request": "tell Bob the price", "meta": {"owner": "Ann"}}`)
	require.Equal(t, http.StatusCreated, status, text)
	question := ""
	for e, err := range svc.Watch(t.Context(), "ann/1", 0) {
		require.NoError(t, err)
		if e.Kind == "ask" {
			question = e.Question
		}
		if e.Kind == "stop" {
			break
		}
	}
	yes := fmt.Sprintf(`{"id": "ann/2", "question": %q, "answer": {"approved": true}}`, question)
	for _, tc := range []struct {
		token, method, path, body string
		status                    int
	}{
		{"", "GET", "/runs/ann%2F1", "", http.StatusUnauthorized},
		{"Bearer b", "GET", "/runs/ann%2F1", "", http.StatusForbidden},
		{"Bearer b", "GET", "/runs?prefix=ann/", "", http.StatusForbidden},
		{"Bearer b", "GET", "/runs", "", http.StatusForbidden},
		{"Bearer b", "POST", "/runs", `{"id": "ann/3", "request": "x"}`, http.StatusForbidden},
		{"Bearer b", "POST", "/runs", `{"request": "x"}`, http.StatusForbidden},
		{"Bearer b", "POST", "/runs/ann%2F1/forks", `{"id": "bob/1"}`, http.StatusForbidden},
		{"Bearer a", "POST", "/runs/ann%2F1/forks", `{"id": "bob/1"}`, http.StatusForbidden},
		{"Bearer a", "POST", "/runs/ann%2F1/forks", yes, http.StatusForbidden},
		{"Bearer a", "POST", "/runs/ann%2F1/forks", `{"id": "ann/2", "seq": 4, "reply": "{}"}`, http.StatusForbidden},
		{"Bearer a", "POST", "/runs/ann%2F1/answers/" + question, `{"approved": true}`, http.StatusForbidden},
		{"Bearer a", "POST", "/runs/ann%2F1/retry", `{"max_steps": 1000}`, http.StatusForbidden},
		{"Bearer c", "POST", "/runs", `{"id": "ann/3", "request": "x"}`, http.StatusForbidden},
		{"Bearer a", "GET", "/runs?prefix=ann/", "", http.StatusOK},
		{"Bearer c", "GET", "/runs?asks=true", "", http.StatusOK},
		{"Bearer c", "POST", "/runs/ann%2F1/answers/" + question, `{"approved": true}`, http.StatusOK},
	} {
		status, text := send(tc.token, tc.method, tc.path, tc.body)
		assert.Equal(t, tc.status, status, "%s %s %s %s: %s", tc.token, tc.method, tc.path, tc.body, text)
	}
	for e, err := range svc.Watch(t.Context(), "ann/1", 0) {
		require.NoError(t, err)
		if e.Kind == "answer" {
			assert.Equal(t, "boss", e.By)
		}
	}
	state, err := svc.Get(t.Context(), "ann/1")
	require.NoError(t, err)
	assert.Equal(t, durable.Ended, state.Stage)
	assert.Equal(t, []string{"bob@example.com"}, mailbox.sent)
}
