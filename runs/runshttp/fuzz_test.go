package runshttp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/runs/runshttp"
)

func FuzzStart(f *testing.F)  { fuzz(f, "POST", "/runs") }
func FuzzList(f *testing.F)   { fuzz(f, "GET", "/runs") }
func FuzzGet(f *testing.F)    { fuzz(f, "GET", "/runs/{run}") }
func FuzzAnswer(f *testing.F) { fuzz(f, "POST", "/runs/{run}/answers/{question}") }
func FuzzCancel(f *testing.F) { fuzz(f, "POST", "/runs/{run}/cancel") }
func FuzzRetry(f *testing.F)  { fuzz(f, "POST", "/runs/{run}/retry") }
func FuzzFork(f *testing.F)   { fuzz(f, "POST", "/runs/{run}/forks") }
func FuzzDelete(f *testing.F) { fuzz(f, "DELETE", "/runs/{run}") }
func FuzzEvents(f *testing.F) { fuzz(f, "GET", "/runs/{run}/events") }

// FuzzPath takes any method and any path.
func FuzzPath(f *testing.F) { fuzz(f, "", "") }

// fuzz sends whatever comes to an endpoint. The handler answers with a status that is no failure of its own, and without a secret. A run
// of which the request says nothing is as before.
func fuzz(f *testing.F, method, pattern string) {
	f.Add("a", "q", "after=1&limit=2&stage=ready&asks=true&prefix=a", `{"id": "b", "request": "go", "meta": [1]}`, "1")
	f.Add("a", "q", "limit=99999999999999999999", `{"approved": true, "text": "x"}`, "99999999999999999999")
	f.Add("a", "", "stage=none", `{"id": "c", "seq": 3, "reply": "x"}`, "-1")
	f.Add("..", "..", "%", `{"question": "q", "answer": {"approved": true}}`, "")
	f.Add("PUT", "/runs/a/../b//", ";", `{"reason": "\u0000"}`, "x")
	w := newWorld(f, 1, runshttp.Config{Local: true}).works()
	for _, run := range []string{"a", "kept"} {
		w.got(http.StatusCreated, "POST", "/runs", `{"id": "`+run+`", "request": "pay Ann"}`)
		w.until(run, "waiting")
	}
	f.Fuzz(func(t *testing.T, run, question, query, body, last string) {
		if strings.Contains(run+question+body, "kept") {
			return
		}
		if method != http.MethodPost && pattern != "" {
			body = "" // others have none
		}
		r := request("GET", "/", body)
		if r.Method = method; pattern == "" {
			r.Method, r.URL.Path = run, question
		} else {
			path := strings.NewReplacer("{run}", url.PathEscape(run), "{question}", url.PathEscape(question)).Replace(pattern)
			u, err := url.Parse(path)
			if err != nil {
				return
			}
			r.URL.Path, r.URL.RawPath = u.Path, u.RawPath
		}
		r.URL.RawQuery = query
		r.Header.Set("Last-Event-ID", last)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r.WithContext(ctx))
		assert.Less(t, rec.Code, 500, rec.Body)
		assert.NotContains(t, rec.Body.String(), "hush")
		here := &world{TB: t, Handler: w.Handler}
		assert.Equal(t, "waiting", here.got(http.StatusOK, "GET", "/runs/kept", "")["stage"])
	})
}
