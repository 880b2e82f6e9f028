package runshttp_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs/runshttp"
)

// From curl's side: start, look, answer, fork, delete.
func TestAPI(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true}).works()
	const body = `{"id": "order 12/ä", "request": "pay Ann", "meta": {"of": "Ann"}}`
	status, text, header := w.do(request("POST", "/runs", body))
	assert.Equal(t, http.StatusCreated, status, text)
	assert.Equal(t, "runs/order%2012%2F%C3%A4", header.Get("Location"))
	place := "/" + header.Get("Location")
	w.until("order 12/ä", durable.Waiting)

	run := w.got(http.StatusOK, "GET", place, "")
	assert.Equal(t, "waiting", run["stage"])
	assert.Equal(t, "pay Ann", run["request"])
	assert.Equal(t, map[string]any{"of": "Ann"}, run["meta"])
	questions := run["questions"].([]any)
	require.Len(t, questions, 1)
	assert.Equal(t, "Pay Ann?", questions[0].(map[string]any)["text"])
	assert.NotContains(t, fmt.Sprint(run), "hush", "the secret of a command")
	assert.Equal(t, "order 12/ä", w.got(http.StatusOK, "POST", "/runs", body)["id"], "the same run")

	page := w.got(http.StatusOK, "GET", "/runs?asks=true&stage=waiting", "")
	assert.Len(t, page["runs"], 1)
	assert.Empty(t, w.got(http.StatusOK, "GET", "/runs?stage=ended", "")["runs"])

	assert.Equal(t, "other_request", w.got(http.StatusConflict, "POST", "/runs", `{"id": "order 12/ä", "request": "pay Bob"}`)["code"])
	assert.Equal(t, "not_ended", w.got(http.StatusConflict, "DELETE", place, "")["code"])
	assert.Equal(t, true, w.got(http.StatusOK, "POST", place+"/answers/q", `{"approved": true}`)["given"])
	assert.Equal(t, false, w.got(http.StatusOK, "POST", place+"/answers/q", `{"approved": false}`)["given"])
	w.until("order 12/ä", durable.Ended)
	run = w.got(http.StatusOK, "GET", place, "")
	assert.Equal(t, "FINISH", run["outcome"])
	assert.Equal(t, "paid", run["answer"])

	fork := w.got(http.StatusCreated, "POST", place+"/forks", `{"id": "again", "question": "q", "answer": {"text": "no"}}`)
	assert.Equal(t, "order 12/ä", fork["forked_from"])
	w.until("again", durable.Ended)
	assert.Equal(t, "exists", w.got(http.StatusConflict, "POST", place+"/forks", `{"id": "again", "question": "q"}`)["code"])
	assert.Equal(t, "no_place", w.got(http.StatusBadRequest, "POST", place+"/forks", `{"id": "other", "seq": 99}`)["code"])

	w.got(http.StatusNoContent, "DELETE", place, "")
	assert.Equal(t, "no_run", w.got(http.StatusNotFound, "GET", place, "")["code"])
	w.got(http.StatusNoContent, "DELETE", place, "")
	created := w.got(http.StatusCreated, "POST", "/runs", `{"request": "pay Ann"}`)
	assert.NotEmpty(t, created["id"])
}

func TestCancel(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true}).works()
	w.got(http.StatusCreated, "POST", "/runs", `{"id": "a", "request": "pay Ann"}`)
	w.until("a", durable.Waiting)
	assert.Equal(t, true, w.got(http.StatusOK, "POST", "/runs/a/cancel", `{"reason": "too dear"}`)["cancelled"])
	assert.Equal(t, false, w.got(http.StatusOK, "POST", "/runs/a/cancel", "")["cancelled"])
	run := w.got(http.StatusOK, "GET", "/runs/a", "")
	assert.Equal(t, "CANCELLED too dear", fmt.Sprint(run["outcome"], " ", run["reason"]))
	assert.Equal(t, "cancelled", w.got(http.StatusConflict, "POST", "/runs/a/answers/q", `{"approved": true}`)["code"])
	assert.Equal(t, "cancelled", w.got(http.StatusConflict, "POST", "/runs/a/retry", ``)["code"])
}

func TestPages(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true})
	for i := range 7 {
		w.got(http.StatusCreated, "POST", "/runs", fmt.Sprintf(`{"id": "run %d", "request": "pay"}`, i))
	}
	var got []string
	after := ""
	for pages := 1; ; pages++ {
		page := w.got(http.StatusOK, "GET", "/runs?prefix=run&limit=3&after="+strings.ReplaceAll(after, " ", "+"), "")
		for _, r := range page["runs"].([]any) {
			got = append(got, r.(map[string]any)["id"].(string))
		}
		next, more := page["next"].(string)
		if !more {
			assert.Equal(t, 3, pages)
			break
		}
		after = next
	}
	assert.Equal(t, []string{"run 0", "run 1", "run 2", "run 3", "run 4", "run 5", "run 6"}, got)
	require.NoError(t, w.store.Append(t.Context(), "broken", 0, []byte("?")))
	page := w.got(http.StatusOK, "GET", "/runs?limit=1", "")
	assert.Contains(t, fmt.Sprint(page["runs"]), "cannot be read")
}

// What a client sends may be anything.
func TestRefused(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true})
	for _, tc := range []struct {
		method, path, body string
		status             int
		code               string
	}{
		{"GET", "/runs/none", "", http.StatusNotFound, "no_run"},
		{"GET", "/runs/none/events", "", http.StatusNotFound, "no_run"},
		{"POST", "/runs/none/cancel", "", http.StatusNotFound, "no_run"},
		{"POST", "/runs/none/answers/q", `{"text": ""}`, http.StatusNotFound, "no_run"},
		{"POST", "/runs/none/answers/q", "", http.StatusBadRequest, "answer"},
		{"POST", "/runs/none/answers/", `{"text": ""}`, http.StatusBadRequest, "question"},
		{"POST", "/runs/none/forks", `{"id": ".."}`, http.StatusBadRequest, "run_id"},
		{"GET", "/runs?asks=perhaps", "", http.StatusBadRequest, "asks"},
		{"GET", "/runs?order=up", "", http.StatusBadRequest, "query"},
		{"POST", "/runs", "", http.StatusBadRequest, "no_request"},
		{"POST", "/runs", "{", http.StatusBadRequest, "body"},
		{"POST", "/runs", `{"request": "a"} {}`, http.StatusBadRequest, "body"},
		{"POST", "/runs", `{"reqest": "a"}`, http.StatusBadRequest, "body"},
		{"POST", "/runs", `{"request": "` + strings.Repeat("a", 1<<20) + `"}`, http.StatusRequestEntityTooLarge, "too_large"},
		{"POST", "/runs", `{"id": "\u0000", "request": "a"}`, http.StatusBadRequest, "run_id"},
		{"POST", "/runs", `{"id": "..", "request": "a"}`, http.StatusBadRequest, "run_id"},
		{"GET", "/runs?stage=?", "", http.StatusBadRequest, "stage"},
		{"GET", "/runs?limit=-1", "", http.StatusBadRequest, "limit"},
		{"GET", "/runs/none/events?after=x", "", http.StatusBadRequest, "last_event_id"},
		{"GET", "/runs?prefix=a;b", "", http.StatusBadRequest, "query"},
		{"GET", "/runs?prefix=%zz", "", http.StatusBadRequest, "query"},
		{"GET", "/runs?limit=1;", "", http.StatusBadRequest, "query"},
		{"GET", "/runs?prefix=a&prefix=b", "", http.StatusBadRequest, "query"},
		{"GET", "/runs?limit=1&limit=500", "", http.StatusBadRequest, "query"},
		{"GET", "/runs?after=a&stage=ready&after=", "", http.StatusBadRequest, "query"},
		{"GET", "/runs?asks=", "", http.StatusBadRequest, "asks"},
		{"GET", "/runs?limit=", "", http.StatusBadRequest, "limit"},
		{"GET", "/runs/none/events?after=1;", "", http.StatusBadRequest, "query"},
		{"GET", "/runs/none/events?after=1&after=2", "", http.StatusBadRequest, "query"},
		{"PUT", "/runs", "", http.StatusMethodNotAllowed, "method"},
		{"GET", "/", "", http.StatusNotFound, "no_place"},
	} {
		status, text, header := w.do(request(tc.method, tc.path, tc.body))
		assert.Equal(t, tc.status, status, "%s %s: %s", tc.method, tc.path, text)
		assert.Contains(t, text, fmt.Sprintf(`"code":%q`, tc.code), "%s %s", tc.method, tc.path)
		assert.Equal(t, "application/problem+json", header.Get("Content-Type"))
	}
	plain := request("POST", "/runs", `{"request": "a"}`)
	plain.Header.Set("Content-Type", "text/plain")
	status, _, _ := w.do(plain)
	assert.Equal(t, http.StatusUnsupportedMediaType, status, "a page of another origin can send this without asking")
}

// What is no object, or half a character, is refused in words that a client understands.
func TestBodies(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true})
	const half = `half of a surrogate pair`
	for body, want := range map[string]string{
		`[]`:                                     "it is not an object",
		` "text"`:                                "it is not an object",
		`null`:                                   "it is not an object",
		`{"id": []}`:                             `\"id\" has a value of another kind: array`,
		`{"request": 7}`:                         `\"request\" has a value of another kind: number`,
		`{"id": "ls\ud800", "request": "a"}`:     half,
		`{"id": "a", "request": "\uDC00\uD800"}`: half,
		`{"id": "a", "request": "a", "meta": ["\ud800x"]}`:               half,
		`{"id": "a", "request": "a", "meta": {"\ud83d\ud83d\ude00": 1}}`: half,
		`{"id": "a", "request": "a", "meta": "\\\udfff"}`:                half,
	} {
		status, text, _ := w.do(request("POST", "/runs", body))
		assert.Equal(t, http.StatusBadRequest, status, body)
		assert.Contains(t, text, `"detail":"the body cannot be read: `+want, body)
	}
	for id, body := range map[string]string{
		"😀":      `{"id": "\ud83d\ude00", "request": "a"}`,
		"\ufffd": `{"id": "\ufffd", "request": "\u00d8\uD7FF\ue000"}`,
		`\ud800`: `{"id": "\\ud800", "request": "a"}`,
	} {
		assert.Equal(t, id, w.got(http.StatusCreated, "POST", "/runs", body)["id"])
	}
}

// Nothing is served to everybody by a Config that forgot to say so.
func TestNewWantsToKnowWhomItServes(t *testing.T) {
	assert.PanicsWithValue(t, "runshttp: the Config has neither Authorize nor Local", func() { newWorld(t, 1, runshttp.Config{}) })
}

// What does not come from this machine, or by a proxy that can be seen, is not served. With Authorize that holds as well.
func TestLoopbackOnly(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true})
	w.got(http.StatusCreated, "POST", "/runs", `{"id": "a", "request": "pay Ann"}`)
	changes := map[string]func(*http.Request){}
	maps.Copy(changes, map[string]func(*http.Request){
		"another machine":           func(r *http.Request) { r.RemoteAddr = "192.0.2.1:80" },
		"another machine, IPv6":     func(r *http.Request) { r.RemoteAddr = "[2001:db8::1]:80" },
		"no address":                func(r *http.Request) { r.RemoteAddr = "@" },
		"a name of somebody else":   func(r *http.Request) { r.Host = "evil.example" },
		"a name that looks like":    func(r *http.Request) { r.Host = "localhost.evil.example" },
		"no name":                   func(r *http.Request) { r.Host = "" },
		"a proxy that says nothing": func(r *http.Request) { r.ProtoMajor, r.ProtoMinor = 1, 0 }, // nginx with a bare proxy_pass
	})
	for _, name := range []string{
		"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Server", "X-Forwarded-Anything", "X-Real-IP",
		"X-Client-IP", "X-Cluster-Client-IP", "True-Client-IP", "CF-Connecting-IP", "CF-Ray", "CDN-Loop", "X-Original-Host", "X-Original-Forwarded-For",
		"X-Envoy-External-Address", "Tailscale-User-Login", "Fastly-Client-IP", "Fly-Client-IP", "X-Amzn-Trace-Id", "X-Azure-ClientIP", "X-Appengine-User-Ip",
	} {
		changes["a proxy with "+name] = func(r *http.Request) { r.Header.Set(name, "192.0.2.1") }
		changes["a proxy with an empty "+name] = func(r *http.Request) { r.Header.Set(name, "") }
	}
	for name, change := range changes {
		for _, path := range []string{"/runs", "/runs/a", "/runs/a/events", "/none"} {
			r := request("GET", path, "")
			change(r)
			status, text, _ := w.do(r)
			assert.Equal(t, http.StatusForbidden, status, "%s: %s", name, path)
			assert.NotContains(t, text, "Ann")
		}
	}
	for _, host := range []string{"localhost:8080", "127.0.0.1", "[::1]:80", "LOCALHOST"} {
		r := request("GET", "/runs/a", "")
		r.Host = host
		status, text, _ := w.do(r)
		assert.Equal(t, http.StatusOK, status, text)
	}
}

// A page of another origin changes nothing.
func TestOrigin(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true})
	for origin, want := range map[string]int{"https://evil.example": http.StatusForbidden, "http://localhost": http.StatusCreated} {
		r := request("POST", "/runs", fmt.Sprintf(`{"id": %q, "request": "a"}`, origin))
		r.Header.Set("Origin", origin)
		r.Header.Set("Sec-Fetch-Site", map[bool]string{true: "same-origin", false: "cross-site"}[origin == "http://localhost"])
		status, text, _ := w.do(r)
		assert.Equal(t, want, status, "%s: %s", origin, text)
	}
}

// Authorize sees what each request wants, and decides.
func TestAuthorize(t *testing.T) {
	var asked []string
	w := newWorld(t, 1, runshttp.Config{Authorize: func(r *http.Request, answer http.Header, a runshttp.Action) (string, error) {
		asked = append(asked, strings.TrimSpace(a.Name+" "+a.Run))
		switch r.Header.Get("Authorization") {
		case "Bearer yes":
			return "Ann", nil
		case "":
			answer.Set("WWW-Authenticate", "Bearer")
			return "", errors.New("who are you?")
		}
		return "", errors.New("you may not")
	}})
	send := func(method, path, body, token string) int {
		r := request(method, path, body)
		r.Host, r.RemoteAddr = "runs.example", "192.0.2.1:80"
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		status, text, _ := w.do(r)
		if token != "yes" {
			assert.NotContains(t, text, "pay")
		}
		return status
	}
	assert.Equal(t, http.StatusCreated, send("POST", "/runs", `{"id": "a", "request": "pay"}`, "yes"))
	for _, tc := range []struct{ method, path, body, action string }{
		{"POST", "/runs", `{"id": "a", "request": "pay"}`, "start a"},
		{"GET", "/runs", "", "list"},
		{"GET", "/runs/a", "", "get a"},
		{"POST", "/runs/a/answers/q", "{}", "answer a"},
		{"POST", "/runs/a/cancel", "", "cancel a"},
		{"POST", "/runs/a/retry", "", "retry a"},
		{"POST", "/runs/a/forks", `{"id": "b"}`, "fork a"},
		{"DELETE", "/runs/a", "", "delete a"},
		{"GET", "/runs/a/events", "", "watch a"},
	} {
		asked = nil
		assert.Equal(t, http.StatusUnauthorized, send(tc.method, tc.path, tc.body, ""), tc.action)
		assert.Equal(t, http.StatusForbidden, send(tc.method, tc.path, tc.body, "no"), tc.action)
		assert.Equal(t, []string{tc.action, tc.action}, asked)
	}
}

// A run that has reached a bound goes on with a higher one.
func TestRetry(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true, Bounds: &round.Options{MaxSteps: 10, MaxCost: -1}}).works()
	_, err := w.svc.Start(t.Context(), "a", "pay", &durable.StartOptions{Round: &round.Options{MaxTransitions: 1}})
	require.NoError(t, err)
	w.until("a", durable.Waiting)
	w.got(http.StatusOK, "POST", "/runs/a/answers/q", `{"approved": true}`)
	w.until("a", durable.Ended)
	_, err = w.svc.Start(t.Context(), "b", "pay", &durable.StartOptions{Round: &round.Options{MaxTokens: -1}})
	require.NoError(t, err)
	w.until("b", durable.Waiting)
	_, err = durable.Postpone(t.Context(), w.store, "b", "a bound", time.Time{})
	require.NoError(t, err)
	assert.Equal(t, "aside", w.got(http.StatusOK, "GET", "/runs/b", "")["stage"])
	assert.Equal(t, "waiting", w.got(http.StatusOK, "POST", "/runs/b/retry", `{"max_steps": 7, "max_cost": 2.5}`)["stage"])
}
