package runshttp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/errand"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runshttp"
)

// pipes is a listener whose connections have no buffers, and the clock of a test.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return fromLoopback{c}, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.done); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

type fromLoopback struct{ net.Conn }

func (fromLoopback) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// onPipes serves a handler. dial returns a new connection.
func (w *world) onPipes(t *testing.T) (dial func() net.Conn) {
	p := pipes{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: w, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(p) // until Close
	}()
	t.Cleanup(func() {
		assert.NoError(t, server.Close())
		<-ended
	})
	return func() net.Conn {
		client, conn := net.Pipe()
		p.conns <- conn
		t.Cleanup(func() { _ = client.Close() })
		return client
	}
}

// A body that never comes to its end is waited for 30 seconds, wherever it goes.
func TestBodyWithoutAnEnd(t *testing.T) {
	const length, chunked = "Content-Length: 1000000", "Transfer-Encoding: chunked"
	for name, tc := range map[string]struct {
		head, body string
		status     int
	}{
		"of a start":                 {"POST /runs HTTP/1.1\r\n" + length, `{"id": "`, http.StatusRequestTimeout},
		"in chunks":                  {"POST /runs HTTP/1.1\r\n" + chunked, "5\r\n{\"id\"\r\n", http.StatusRequestTimeout},
		"of an answer":               {"POST /runs/a/answers/q HTTP/1.1\r\n" + length, "", http.StatusRequestTimeout},
		"of what has no body":        {"GET /runs HTTP/1.1\r\n" + length, "{", http.StatusBadRequest},
		"of a stream":                {"GET /runs/a/events HTTP/1.1\r\n" + chunked, "", http.StatusBadRequest},
		"of no place":                {"POST /nowhere HTTP/1.1\r\n" + length, "{", http.StatusNotFound},
		"of somebody who is refused": {"POST /runs HTTP/1.1\r\nX-Forwarded-For: 192.0.2.1\r\n" + length, "{", http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, 1, runshttp.Config{Local: true})
				_, err := w.svc.Start(t.Context(), "a", "pay Ann", nil)
				require.NoError(t, err)
				conn := w.onPipes(t)()
				began := time.Now()
				_, err = fmt.Fprintf(conn, "%s\r\nHost: localhost\r\nContent-Type: application/json\r\n\r\n%s", tc.head, tc.body)
				require.NoError(t, err)
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				require.NoError(t, err)
				assert.Equal(t, tc.status, resp.StatusCode)
				assert.LessOrEqual(t, time.Since(began), 30*time.Second)
				_, err = io.Copy(io.Discard, resp.Body)
				require.NoError(t, err)
				_, err = conn.Read(make([]byte, 1))
				require.ErrorIs(t, err, io.EOF, "the connection is closed")
			})
		})
	}
}

// A body in time leaves no deadline behind: its connection is used again much later, and a stream lasts.
func TestConnectionIsUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, runshttp.Config{Local: true}).works()
		conn := w.onPipes(t)()
		lines := bufio.NewReader(conn)
		send := func(method, path, body string) *http.Response {
			_, err := fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", method, path, len(body), body)
			require.NoError(t, err)
			resp, err := http.ReadResponse(lines, nil)
			require.NoError(t, err)
			return resp
		}
		for _, id := range []string{"a", "b"} {
			resp := send("POST", "/runs", `{"id": "`+id+`", "request": "pay Ann"}`)
			_, err := io.Copy(io.Discard, resp.Body)
			require.NoError(t, err)
			assert.Equal(t, http.StatusCreated, resp.StatusCode)
			time.Sleep(time.Minute)
		}
		resp := send("GET", "/runs/a/events", "")
		time.AfterFunc(2*time.Minute, func() { w.got(http.StatusOK, "POST", "/runs/a/answers/q", `{"approved": true}`) })
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Contains(t, string(text), `"kind":"end"`)
	})
}

// A client that does not read its answer loses its connection.
func TestAnswerThatNobodyReads(t *testing.T) {
	for name, request := range map[string]string{
		"a page": "GET /runs HTTP/1.1", "a run": "GET /runs/a HTTP/1.1", "a problem": "GET /nowhere HTTP/1.1", "a stream": "GET /runs/a/events HTTP/1.1",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, 1, runshttp.Config{Local: true})
				_, err := w.svc.Start(t.Context(), "a", "pay Ann "+strings.Repeat("x", 300<<10), nil)
				require.NoError(t, err)
				conn := w.onPipes(t)()
				_, err = fmt.Fprintf(conn, "%s\r\nHost: localhost\r\n\r\n", request)
				require.NoError(t, err)
				time.Sleep(time.Minute)
				text, err := io.ReadAll(conn)
				require.NoError(t, err)
				assert.Less(t, len(text), 10<<10)
			})
		})
	}
}

// A page of large runs has as many as fit, and says where the next one begins.
func TestPageHasABoundInBytes(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true})
	const many = 12
	for i := range many {
		size := 300 << 10
		if i == 7 {
			size = 3 << 20 // alone larger than a page
		}
		_, err := w.svc.Start(t.Context(), fmt.Sprintf("run %02d", i), strings.Repeat("<", size), nil)
		require.NoError(t, err)
	}
	after, found := "", []string{}
	for pages := 0; ; pages++ {
		require.Less(t, pages, many)
		status, text, _ := w.do(request("GET", "/runs?limit=1000&after="+url.QueryEscape(after), ""))
		require.Equal(t, http.StatusOK, status)
		var page struct {
			Runs []struct{ ID string }
			Next string
		}
		require.NoError(t, json.Unmarshal([]byte(text), &page))
		require.NotEmpty(t, page.Runs)
		if len(page.Runs) > 1 {
			assert.LessOrEqual(t, len(text), 1<<20+1000)
		}
		for _, r := range page.Runs {
			found = append(found, r.ID)
		}
		if after = page.Next; after == "" {
			break
		}
		assert.Equal(t, page.Runs[len(page.Runs)-1].ID, after)
	}
	require.Len(t, found, many)
	for i, id := range found {
		assert.Equal(t, fmt.Sprintf("run %02d", i), id)
	}
}

// A body that two readers may take for different things is refused.
func TestBodyIsReadInOneWay(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true}).works()
	w.got(http.StatusCreated, "POST", "/runs", `{"id": "a", "request": "pay Ann"}`)
	w.until("a", durable.Waiting)
	for _, tc := range []struct{ path, body string }{
		{"/runs/a/answers/q", `{"approved": false, "approved": true}`},
		{"/runs/a/answers/q", `{"approved": false, "Approved": true}`},
		{"/runs/a/answers/q", "{\"text\": \"a\", \"te\u017ft\": \"b\"}"}, // no other name, but an unknown one
		{"/runs/a/answers/q", `{"text": "a", "t\u0065xt": "b"}`},
		{"/runs/a/answers/q", "{\"text\": \"\xff\"}"},
		{"/runs/a/forks", `{"id": "b", "question": "q", "answer": {"approved": false, "APPROVED": true}}`},
		{"/runs/a/forks", `{"id": "b", "ID": "c"}`},
		{"/runs/a/retry", `{"max_steps": 1, "Max_Steps": 100}`},
		{"/runs", `{"id": "b", "id": "c", "request": "x"}`},
		{"/runs", `{"id": "b", "request": "x", "meta": {"owner": "ann", "owner": "bob"}}`},
		{"/runs", `{"id": "b", "request": "x", "meta": [{"a": {"b": 1, "b": 2}}]}`},
		{"/runs", "{\"id\": \"b\", \"request\": \"x\", \"meta\": \"\xff\xfe\"}"},
		{"/runs", "{\"id\": \"b\", \"request\": \"\xff\"}"},
		{"/runs", "\xef\xbb\xbf" + `{"id": "b", "request": "x"}`},
		{"/runs", `{"id": 7, "request": "x"}`},
	} {
		status, text, _ := w.do(request("POST", tc.path, tc.body))
		assert.Equal(t, http.StatusBadRequest, status, "%s: %s", tc.body, text)
		assert.Contains(t, text, `"code":"body"`)
	}
	for _, id := range []string{" ", "a ", `\u202egpj.a`, `a\u200b`, `\u00a0`} {
		assert.Equal(t, "run_id", w.got(http.StatusBadRequest, "POST", "/runs", `{"id": "`+id+`", "request": "x"}`)["code"])
	}
	assert.Len(t, w.got(http.StatusOK, "GET", "/runs", "")["runs"], 1)
	assert.Equal(t, "waiting", w.got(http.StatusOK, "GET", "/runs/a", "")["stage"])
	w.got(http.StatusCreated, "POST", "/runs", `{"id": "m", "request": "x", "meta": {"a": 1, "A": 2, "id": {"id": 3}}}`)
	assert.Equal(t, "other_request", w.got(http.StatusConflict, "POST", "/runs", `{"id": "m", "request": "x", "meta": {"a": 1}}`)["code"])
	assert.Equal(t, "other_request", w.got(http.StatusConflict, "POST", "/runs", `{"id": "m", "request": "x"}`)["code"])
	w.got(http.StatusOK, "POST", "/runs", `{"id": "m", "request": "x", "meta": {"A":2,"id":{"id":3},"a":1}}`)
}

// Of several who start a run at once, one is told that it is new.
func TestOneStartIsTheFirst(t *testing.T) {
	files, err := store.Files(t.TempDir())
	require.NoError(t, err)
	for _, st := range []store.Store{store.Memory(), files} {
		w := &world{TB: t, store: st}
		w.svc, err = runs.New(st, runs.Config{})
		require.NoError(t, err)
		w.Handler = runshttp.New(w.svc, runshttp.Config{Local: true})
		for i := range 100 {
			var mu sync.Mutex
			got := map[int]int{}
			var clients sync.WaitGroup
			for range 4 {
				clients.Go(func() {
					status, _, _ := w.do(request("POST", "/runs", fmt.Sprintf(`{"id": "r%d", "request": "pay"}`, i)))
					mu.Lock()
					defer mu.Unlock()
					got[status]++
				})
			}
			clients.Wait()
			assert.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusOK: 3}, got)
		}
	}
}

// Who asks in a way that a place does not take learns which ones it takes.
func TestMethodsOfAPlace(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true})
	for path, allow := range map[string]string{
		"/runs": "GET, HEAD, POST", "/runs/a": "GET, HEAD, DELETE", "/runs/a/cancel": "POST", "/runs/a/answers/q": "POST", "/runs/a/events": "GET, HEAD",
	} {
		for _, method := range []string{"PUT", "PATCH", "OPTIONS", "get"} {
			status, _, header := w.do(request(method, path, ""))
			assert.Equal(t, http.StatusMethodNotAllowed, status, "%s %s", method, path)
			assert.Equal(t, allow, header.Get("Allow"), "%s %s", method, path)
		}
	}
	_, _, header := w.do(request("GET", "/nowhere", ""))
	assert.Empty(t, header.Get("Allow"))
}

// A stream of a closed service is an error, and no stream without an end that is asked for again and again.
func TestStreamOfAClosedService(t *testing.T) {
	w := newWorld(t, 1, runshttp.Config{Local: true})
	w.got(http.StatusCreated, "POST", "/runs", `{"id": "a", "request": "pay Ann"}`)
	w.got(http.StatusCreated, "POST", "/runs", `{"id": "b", "request": "pay Ann"}`)
	w.got(http.StatusOK, "POST", "/runs/b/cancel", "")
	require.NoError(t, w.svc.Close(t.Context()))
	for _, path := range []string{"/runs/a/events", "/runs/a/events?after=1", "/runs/b/events"} {
		assert.Equal(t, "closed", w.got(http.StatusServiceUnavailable, "GET", path, "")["code"])
	}
	w.got(http.StatusNoContent, "GET", "/runs/b/events?after=2", "")
}

// No problem tells of the processes, machines and packages behind the service. See world.do, which looks at each.
func TestProblemsTellNothingOfTheService(t *testing.T) {
	within, leave := make(chan struct{}), make(chan struct{})
	w := &world{TB: t, store: store.Memory()}
	var err error
	w.svc, err = runs.New(w.store, runs.Config{Poll: 10 * time.Millisecond, Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
		return &errand.Agent{Called: "payer", Step: func(context.Context, *errand.Agent) (bool, error) {
			close(within)
			<-leave
			return true, nil
		}}, nil, nil
	}})
	require.NoError(t, err)
	page, err := runs.New(w.store, runs.Config{}) // another process than the one that drives
	require.NoError(t, err)
	w.Handler = runshttp.New(page, runshttp.Config{Local: true})
	w.works()
	w.Cleanup(func() { close(leave) })
	w.got(http.StatusCreated, "POST", "/runs", `{"id": "a", "request": "pay Ann"}`)
	<-within
	host, err := os.Hostname()
	require.NoError(t, err)
	w.got(http.StatusConflict, "DELETE", "/runs/a", "")
	w.got(http.StatusConflict, "POST", "/runs/a/forks", `{"id": "a"}`)
	w.got(http.StatusOK, "POST", "/runs/a/cancel", `{"reason": "too dear"}`)
	status, text, _ := w.do(request("DELETE", "/runs/a", ""))
	assert.Equal(t, http.StatusConflict, status)
	assert.Contains(t, text, `"code":"driven"`)
	assert.NotContains(t, text, host)
	assert.NotContains(t, text, fmt.Sprint(os.Getpid()))
}
