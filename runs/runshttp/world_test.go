package runshttp_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/errand"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runshttp"
)

// newPayer returns an agent that asks whether it may pay, in each of so many steps, and then has done so.
func newPayer(asks int) *errand.Agent {
	return &errand.Agent{Called: "payer", Step: func(ctx context.Context, a *errand.Agent) (done bool, err error) {
		secret := &desktop.Command{ToolName: "pay", Parameters: map[string]any{"to": "Ann", "pin": "hush"}}
		shown := &desktop.Command{ToolName: "pay", Parameters: map[string]any{"to": "Ann", "pin": "[secret]"}}
		answer, err := people.Ask(ctx, people.Later(), people.Question{
			ID: questionID(a.N + 1), Agent: "payer", Text: "Pay Ann?", Approval: true, Command: secret, Shown: shown,
		}, -1)
		if err == nil {
			a.Said = "paid"
		}
		return !answer.Approved || a.N+1 >= asks, err
	}}
}

func questionID(n int) string { return "q" + strings.Repeat("+", n-1) }

// world is a service that is served.
type world struct {
	testing.TB
	store store.Store
	svc   *runs.Service
	http.Handler
}

func newWorld(t testing.TB, asks int, config runshttp.Config) *world {
	w := &world{TB: t, store: store.Memory()}
	var err error
	w.svc, err = runs.New(w.store, runs.Config{
		Poll: 10 * time.Millisecond, Slice: 1,
		Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
			return newPayer(asks), nil, nil
		},
	})
	require.NoError(t, err)
	w.Handler = runshttp.New(w.svc, config)
	return w
}

// works drives runs until the test ends.
func (w *world) works() *world {
	done := make(chan error, 1)
	go func() { done <- w.svc.Work(context.Background()) }()
	w.Cleanup(func() {
		assert.NoError(w, w.svc.Close(context.Background()))
		<-done
	})
	return w
}

// request is one from this machine.
func request(method, path, body string) *http.Request {
	r := httptest.NewRequestWithContext(context.Background(), method, "http://localhost"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:1234"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func (w *world) do(r *http.Request) (status int, body string, header http.Header) {
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, r)
	raw, err := io.ReadAll(rec.Result().Body)
	require.NoError(w, err)
	if rec.Code >= 400 { // what the service says among its people is not for clients
		assert.NotRegexp(w, `\b(durable|store|runs|round|people|json|http): |\bGo \b|process`, string(raw))
	}
	return rec.Code, strings.TrimSpace(string(raw)), rec.Result().Header
}

// got is the answer to a request, as an object.
func (w *world) got(want int, method, path, body string) map[string]any {
	status, text, _ := w.do(request(method, path, body))
	require.Equal(w, want, status, "%s %s: %s", method, path, text)
	if text == "" {
		return nil
	}
	v := map[string]any{}
	require.NoError(w, json.Unmarshal([]byte(text), &v), text)
	return v
}

// until waits for a run to be in a stage.
func (w *world) until(run string, stage durable.Stage) {
	require.Eventually(w, func() bool {
		state, err := w.svc.Get(context.Background(), run)
		return err == nil && state.Stage == stage
	}, 2*time.Minute, time.Millisecond)
}
