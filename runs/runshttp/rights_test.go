package runshttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runshttp"
)

// rule is an Authorize that knows its users by a header, and refuses what refuses names.
func rule(refuses func(user string, a runshttp.Action) bool) func(*http.Request, http.Header, runshttp.Action) (string, error) {
	return func(r *http.Request, _ http.Header, a runshttp.Action) (string, error) {
		user := r.Header.Get("X-User")
		if refuses(user, a) {
			return "", errors.New("not yours: " + strings.TrimSpace(a.Name+" "+a.Run))
		}
		return user, nil
	}
}

// as sends a request of a user.
func (w *world) as(user, method, path, body string) (status int, text string) {
	r := request(method, path, body)
	r.Header.Set("X-User", user)
	status, text, _ = w.do(r)
	return status, text
}

// By roles: nobody but the boss answers. By prefixes: each has runs of an own. Neither rule knows of forks.
func TestForkNeedsItsRights(t *testing.T) {
	byRole := rule(func(user string, a runshttp.Action) bool { return a.Name == "answer" && user != "boss" })
	byModel := rule(func(user string, a runshttp.Action) bool { return a.Name == "rewrite" && user != "boss" })
	byReader := rule(func(user string, a runshttp.Action) bool { return a.Name == "get" && user != "boss" })
	byPrefix := rule(func(user string, a runshttp.Action) bool {
		return user != "boss" && !strings.HasPrefix(a.Run+a.Prefix, user+"/")
	})
	for name, tc := range map[string]struct {
		rule  func(*http.Request, http.Header, runshttp.Action) (string, error)
		body  string
		needs string // that ann does not have; "": she may
	}{
		"an answer":                      {byRole, `{"id": "ann/2", "question": "q", "answer": {"approved": true}}`, "answer ann/1"},
		"an answer that is a no":         {byRole, `{"id": "ann/2", "question": "q"}`, "answer ann/1"},
		"no answer":                      {byRole, `{"id": "ann/2"}`, ""},
		"a reply":                        {byModel, `{"id": "ann/2", "seq": 3, "reply": "{}"}`, "rewrite ann/1"},
		"to look":                        {byReader, `{"id": "ann/2"}`, "get ann/1"},
		"into the runs of another one":   {byPrefix, `{"id": "bob/evil"}`, "start bob/evil"},
		"with an answer into them":       {byPrefix, `{"id": "bob/evil", "question": "q", "answer": {"approved": true}}`, "start bob/evil"},
		"into her own":                   {byPrefix, `{"id": "ann/2", "question": "q", "answer": {"approved": true}}`, ""},
		"with an id that the server has": {byPrefix, `{}`, "start "},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1, runshttp.Config{Authorize: tc.rule}).works()
			status, text := w.as("ann", "POST", "/runs", `{"id": "ann/1", "request": "pay Ann"}`)
			require.Equal(t, http.StatusCreated, status, text)
			w.until("ann/1", durable.Waiting)
			status, text = w.as("ann", "POST", "/runs/ann%2F1/forks", tc.body)
			made := 0
			for _, err := range w.svc.List(t.Context(), durable.Query{}) {
				require.NoError(t, err)
				made++
			}
			if tc.needs == "" {
				assert.Equal(t, http.StatusCreated, status, text)
				return
			}
			assert.Equal(t, http.StatusForbidden, status, text)
			assert.Contains(t, text, "not yours: "+tc.needs)
			assert.Equal(t, 1, made, "runs")
		})
	}
}

// The id of a new run is known when somebody decides whether it may be started, also if the server made it.
func TestStartHasItsID(t *testing.T) {
	var asked []runshttp.Action
	w := newWorld(t, 1, runshttp.Config{Authorize: func(_ *http.Request, _ http.Header, a runshttp.Action) (string, error) {
		asked = append(asked, a)
		return "", nil
	}})
	id := w.got(http.StatusCreated, "POST", "/runs", `{"request": "pay Ann"}`)["id"]
	require.Len(t, asked, 1)
	assert.Equal(t, runshttp.Action{Name: "start", Run: id.(string)}, asked[0])
}

// Who may fork, but neither answer nor write replies, has no command executed that nobody approved.
func TestForkApprovesNoCommand(t *testing.T) {
	app := &desktoptest.App{Root: "bank", Running: true, Tools: []desktoptest.Tool{
		{Name: "pay", Schema: `{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}`},
	}}
	d := desktoptest.New(nil, app)
	window, _ := app.Window()
	model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
		return &llm.Response{Text: `{"Function": "pay", "Args": {"to": "eve"}, "Status": "FINISH", "Result": "paid"}`}, nil
	})
	w := &world{TB: t, store: store.Memory()}
	var err error
	w.svc, err = runs.New(w.store, runs.Config{Poll: 10 * time.Millisecond, Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
		a, err := appagent.New(appagent.Config{Model: model, Desktop: d, Window: window, NoImages: true, User: people.Later(), Policy: policies.Default})
		return a, nil, err
	}})
	require.NoError(t, err)
	w.Handler = runshttp.New(w.svc, runshttp.Config{Authorize: rule(func(_ string, a runshttp.Action) bool {
		return a.Name == "answer" || a.Name == "rewrite"
	})})
	w.works()
	w.got(http.StatusCreated, "POST", "/runs", `{"id": "a", "request": "pay Ann"}`)
	w.until("a", durable.Waiting)
	question := w.got(http.StatusOK, "GET", "/runs/a", "")["questions"].([]any)[0].(map[string]any)["id"]
	seq := int64(0)
	for r, err := range durable.Records(t.Context(), w.store, "a") {
		require.NoError(t, err)
		if r.Kind == "call" {
			seq = r.Seq
		}
	}
	reply, err := json.Marshal(`{"Function": "pay", "Args": {"to": "mallory"}, "Status": "FINISH", "Result": "paid"}`)
	require.NoError(t, err)
	for _, body := range []string{
		fmt.Sprintf(`{"id": "b", "question": %q, "answer": {"approved": true}}`, question),
		fmt.Sprintf(`{"id": "b", "seq": %d, "reply": %s}`, seq, reply),
	} {
		w.got(http.StatusForbidden, "POST", "/runs/a/forks", body)
	}
	w.got(http.StatusCreated, "POST", "/runs/a/forks", `{"id": "b"}`)
	w.until("b", durable.Waiting)
	assert.Empty(t, d.Calls("pay"))
}

// Who answered is who Authorize says, and never who the client says.
func TestWhoAnswered(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Authorize: rule(func(string, runshttp.Action) bool { return false })}).works()
	for _, id := range []string{"a", "b"} {
		w.as("ann", "POST", "/runs", `{"id": "`+id+`", "request": "pay Ann"}`)
		w.until(id, durable.Waiting)
	}
	for path, body := range map[string]string{
		"/runs/a/answers/q": `{"approved": true, "by": "boss"}`, "/runs/a/forks": `{"id": "c", "question": "q", "answer": {"approved": true, "by": "boss"}}`,
	} {
		status, text := w.as("ann", "POST", path, body)
		assert.Equal(t, http.StatusBadRequest, status, text)
	}
	_, text := w.as("ann", "POST", "/runs/a/answers/q", `{"approved": true, "text": "by boss"}`)
	assert.JSONEq(t, `{"given": true}`, text)
	status, text := w.as("bob", "POST", "/runs/b/forks", `{"id": "c", "question": "q", "answer": {"approved": true}}`)
	require.Equal(t, http.StatusCreated, status, text)
	for id, by := range map[string]string{"a": "ann", "c": "bob"} {
		w.until(id, durable.Ended)
		_, text := w.as("ann", "GET", "/runs/"+id+"/events", "")
		assert.Contains(t, text, `"by":"`+by+`","text":"answer by \"`+by+`\", approved: true"`)
		for _, path := range []string{"/runs/" + id, "/runs?prefix=" + id} {
			_, text := w.as("ann", "GET", path, "")
			assert.Contains(t, text, `"answers":[{"question":"q","approval":true,"approved":true,"by":"`+by+`"`)
		}
		state, err := w.svc.Get(t.Context(), id)
		require.NoError(t, err)
		assert.Equal(t, by, state.Answers[0].By)
	}
}

// No client has a run go on beyond what the service allows.
func TestBoundsHaveACeiling(t *testing.T) {
	for name, tc := range map[string]struct {
		ceiling *round.Options
		body    string
		status  int
	}{
		"no ceiling, no change":     {nil, `{"max_steps": 1}`, http.StatusForbidden},
		"no ceiling, and none off":  {nil, `{"max_cost": -1}`, http.StatusBadRequest},
		"no bounds":                 {nil, `{}`, http.StatusOK},
		"up to the ceiling":         {&round.Options{MaxSteps: 9, MaxCost: 2}, `{"max_steps": 9, "max_cost": 1.5}`, http.StatusOK},
		"above it":                  {&round.Options{MaxSteps: 9}, `{"max_steps": 10}`, http.StatusForbidden},
		"one of several above it":   {&round.Options{MaxSteps: 9, MaxTokens: 100}, `{"max_steps": 9, "max_tokens": 101}`, http.StatusForbidden},
		"another one":               {&round.Options{MaxSteps: 9}, `{"max_cost": 1}`, http.StatusForbidden},
		"no bound at all":           {&round.Options{MaxSteps: -1, MaxCalls: -1}, `{"max_steps": 1000000, "max_calls": 7}`, http.StatusOK},
		"off":                       {&round.Options{MaxSteps: -1}, `{"max_steps": -1}`, http.StatusBadRequest},
		"that of the library again": {&round.Options{MaxSteps: -1}, `{"max_steps": 0}`, http.StatusBadRequest},
		"off, the cost":             {&round.Options{MaxCost: -1}, `{"max_cost": 0}`, http.StatusBadRequest},
		"off, transitions":          {&round.Options{MaxTransitions: 5}, `{"max_transitions": -5}`, http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			var asked runshttp.Action
			w := newWorld(t, 1, runshttp.Config{Bounds: tc.ceiling, Authorize: func(_ *http.Request, _ http.Header, a runshttp.Action) (string, error) {
				asked = a
				return "", nil
			}})
			_, err := w.svc.Start(t.Context(), "a", "pay", &durable.StartOptions{Round: &round.Options{MaxSteps: 3}})
			require.NoError(t, err)
			_, err = durable.Postpone(t.Context(), w.store, "a", "a bound", time.Time{})
			require.NoError(t, err)
			status, text, _ := w.do(request("POST", "/runs/a/retry", tc.body))
			assert.Equal(t, tc.status, status, text)
			var bounds struct {
				Steps *int     `json:"max_steps"`
				Cost  *float64 `json:"max_cost"`
			}
			require.NoError(t, json.Unmarshal([]byte(tc.body), &bounds))
			if tc.body == `{}` {
				assert.Nil(t, asked.Bounds)
			} else if bounds.Steps != nil && *bounds.Steps != 0 {
				assert.Equal(t, *bounds.Steps, asked.Bounds.MaxSteps, "who decides sees them")
			} else if bounds.Cost != nil && *bounds.Cost != 0 {
				assert.InDelta(t, *bounds.Cost, asked.Bounds.MaxCost, 0)
			}
			state, err := w.svc.Get(t.Context(), "a")
			require.NoError(t, err)
			assert.Equal(t, tc.status != http.StatusOK, state.Stage == durable.Aside, "only a retry has it go on")
		})
	}
}
