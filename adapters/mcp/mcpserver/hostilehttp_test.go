package mcpserver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/round"
)

// impatient is a writer whose deadlines come soon.
type impatient struct{ http.ResponseWriter }

func (w impatient) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w impatient) SetWriteDeadline(at time.Time) error {
	if !at.IsZero() {
		at = time.Now().Add(100 * time.Millisecond)
	}
	return http.NewResponseController(w.ResponseWriter).SetWriteDeadline(at)
}

// A client that does not read what it is sent loses its turn.
func TestHTTPClientDoesNotRead(t *testing.T) {
	o := newOffice()
	large := strings.Repeat("x", 1<<20)
	s := newServer(t, mcpserver.Config{Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
		if call.Request == "small" {
			return o.session(call.User, nil, done)
		}
		return o.session(call.User, nil, `{"Status": "CONTINUE", "Function": "delete_file", "Args": {"file": "`+large+`"}}`, done)
	}})
	inner := s.Handler()
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { inner.ServeHTTP(impatient{w}, req) }))
	web.Config.ConnContext = func(ctx context.Context, connection net.Conn) context.Context {
		assert.NoError(t, connection.(*net.TCPConn).SetWriteBuffer(4<<10)) // so that it is full soon
		return ctx
	}
	web.Start()
	t.Cleanup(func() { _ = web.Config.Close() })
	url := web.URL
	c := dial(t, over(url), fills("decline", nil))

	connection, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer func() { _ = connection.Close() }()
	require.NoError(t, connection.(*net.TCPConn).SetReadBuffer(1<<10))
	const call = `{"jsonrpc":"2.0","id":"large","method":"tools/call","params":{"name":"run_task","arguments":{"request":"large"}}}`
	_, err = fmt.Fprintf(connection, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"Mcp-Session-Id: %s\r\nContent-Length: %d\r\n\r\n%s", c.ID(), len(call), call)
	require.NoError(t, err)
	answer := bufio.NewReader(connection)
	line, err := answer.ReadString('\n') // the call was taken, and its question is on its way
	require.NoError(t, err)
	require.Contains(t, line, "200 OK")

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	res, err := dial(t, over(url), nil).run(ctx, "small")
	require.NoError(t, err)
	assert.False(t, res.IsError, text(t, res))
	require.NoError(t, s.Close(t.Context()))
	assert.Empty(t, o.gone())
}

// Without Hosts, what is not loopback is not served, whatever a client calls this host.
func TestHTTPOnlyLoopback(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	open := newOffice().plays(done).Open
	for name, test := range map[string]struct {
		hosts []string
		local net.Addr
		want  int
	}{
		"loopback":   {nil, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}, 200},
		"loopback 6": {nil, &net.TCPAddr{IP: net.IPv6loopback}, 200},
		"socket":     {nil, &net.UnixAddr{Name: "x"}, 200},
		"network":    {nil, &net.TCPAddr{IP: net.IPv4(192, 168, 1, 7)}, 403},
		"named":      {[]string{"localhost"}, &net.TCPAddr{IP: net.IPv4(192, 168, 1, 7)}, 200},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, mcpserver.Config{Open: open, Hosts: test.hosts})
			req := httptest.NewRequestWithContext(context.WithValue(t.Context(), http.LocalAddrContextKey, test.local), http.MethodPost, "/", strings.NewReader(hello))
			req.Host = "localhost"
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			res := httptest.NewRecorder()
			s.Handler().ServeHTTP(res, req)
			assert.Equal(t, test.want, res.Code)
		})
	}
}

// What is too large is refused.
func TestHTTPGiant(t *testing.T) {
	url := listen(t, newServer(t, newOffice().plays(done)).Handler())
	_, err := dial(t, over(url), nil).run(t.Context(), strings.Repeat("x", 5<<20))
	require.ErrorContains(t, err, http.StatusText(http.StatusRequestEntityTooLarge))
	res := dial(t, over(url), nil).did(t, strings.Repeat("x", 1<<20))
	assert.False(t, res.IsError, text(t, res))
}

// An answer in one session is none to the question of another, nor is one without a
// session, or with one that nobody was given.
func TestHTTPAnswerOfAnother(t *testing.T) {
	o := newOffice()
	url := listen(t, newServer(t, o.plays(delete1, done)).Handler())
	asked, say := make(chan struct{}), make(chan struct{})
	ann := dial(t, over(url), func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		close(asked)
		<-say
		return &sdk.ElicitResult{Action: "decline"}, nil
	})
	bob := dial(t, over(url), nil)
	out := make(chan *sdk.CallToolResult, 1)
	go func() {
		res, _ := ann.run(context.Background(), "x")
		out <- res
	}()
	<-asked
	// Without a session it goes into one of its own, which ends with it.
	for session, want := range map[string]int{bob.ID(): http.StatusAccepted, "": http.StatusAccepted, ann.ID() + "x": http.StatusNotFound} {
		for id := range 9 {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url,
				strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"action":"accept","content":{"approve":true}}}`, id)))
			require.NoError(t, err)
			if session != "" {
				req.Header.Set("Mcp-Session-Id", session)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			_, _ = io.Copy(io.Discard, res.Body)
			require.NoError(t, res.Body.Close())
			assert.Equal(t, want, res.StatusCode, session)
		}
	}
	close(say)
	assert.True(t, (<-out).IsError)
	assert.Empty(t, o.gone())
}
