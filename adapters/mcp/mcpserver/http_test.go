package mcpserver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/round"
)

// listen serves on loopback until the test ends, and then closes the connections. It waits for no
// handler: one whose call was not cancelled may run on.
func listen(t testing.TB, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() { _ = server.Config.Close() })
	return server.URL
}

func over(url string) *sdk.StreamableClientTransport {
	return &sdk.StreamableClientTransport{Endpoint: url, MaxRetries: -1}
}

func TestHTTP(t *testing.T) {
	o := newOffice()
	var got mcpserver.Call
	s := newServer(t, mcpserver.Config{Open: func(_ context.Context, call *mcpserver.Call) (*round.Session, error) {
		got = *call
		return o.session(call.User, nil, delete1, done)
	}})
	c := dial(t, over(listen(t, s.Handler())), fills("accept", map[string]any{"approve": true}))
	res := c.did(t, "delete it")
	require.False(t, res.IsError, text(t, res))
	assert.Equal(t, []string{"a.txt"}, o.gone())
	assert.Equal(t, c.ID(), got.Session)
	assert.Nil(t, got.Token)
	require.Eventually(t, func() bool { return len(c.messages()) == 3 }, 2*time.Minute, time.Millisecond)
	assert.NotContains(t, c.everything(t, res), token)
}

// Two clients of one address: what one is asked the other does not see.
func TestHTTPTwoClients(t *testing.T) {
	o := newOffice()
	config := o.plays(delete1, done)
	config.MaxConcurrent = -1
	url := listen(t, newServer(t, config).Handler())
	yes := dial(t, over(url), fills("accept", map[string]any{"approve": true}))
	no := dial(t, over(url), fills("accept", map[string]any{"approve": false}))
	var wait sync.WaitGroup
	for c, bad := range map[*client]bool{yes: false, no: true} {
		wait.Go(func() {
			res, err := c.run(context.Background(), "delete it")
			if assert.NoError(t, err) {
				assert.Equal(t, bad, res.IsError)
			}
		})
	}
	wait.Wait()
	assert.Len(t, yes.asked, 1)
	assert.Len(t, no.asked, 1)
	assert.Equal(t, []string{"a.txt"}, o.gone())
}

func TestHTTPGuard(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	open := newOffice().plays(done).Open
	here := mcpserver.Config{Open: open}
	named := mcpserver.Config{Open: open, Hosts: []string{"Desk.example", "::1"}, Origins: []string{"https://page.example"}}
	for name, test := range map[string]struct {
		config mcpserver.Config
		method string
		host   string
		header map[string]string
		want   int
	}{
		"plain":          {here, "POST", "", nil, 200},
		"localhost":      {here, "POST", "localhost:80", nil, 200},
		"loopback 6":     {here, "POST", "[::1]:80", nil, 200},
		"rebound":        {here, "POST", "evil.example", map[string]string{"Origin": "http://evil.example"}, 403},
		"looks local":    {here, "POST", "localhost.evil.example", nil, 403},
		"address":        {here, "POST", "192.168.1.7", nil, 403},
		"same origin":    {here, "POST", "localhost:80", map[string]string{"Origin": "http://localhost:80"}, 200},
		"other port":     {here, "POST", "localhost:80", map[string]string{"Origin": "http://localhost:81"}, 403},
		"page":           {here, "POST", "", map[string]string{"Origin": "http://evil.example"}, 403},
		"page reads":     {here, "GET", "", map[string]string{"Origin": "http://evil.example"}, 403},
		"file":           {here, "POST", "", map[string]string{"Origin": "null"}, 403},
		"fetch":          {here, "POST", "", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		"named":          {named, "POST", "desk.EXAMPLE:443", nil, 200},
		"named address":  {named, "POST", "[::1]", nil, 200},
		"not named":      {named, "POST", "localhost", nil, 403},
		"trusted page":   {named, "POST", "desk.example", map[string]string{"Origin": "https://page.example", "Sec-Fetch-Site": "cross-site"}, 200},
		"untrusted page": {named, "POST", "desk.example", map[string]string{"Origin": "http://page.example"}, 403},
		"put":            {here, "PUT", "", nil, 405},
		"no session":     {here, "DELETE", "", map[string]string{"Mcp-Session-Id": "x"}, 404},
	} {
		t.Run(name, func(t *testing.T) {
			url := listen(t, newServer(t, test.config).Handler())
			req, err := http.NewRequestWithContext(t.Context(), test.method, url, strings.NewReader(hello))
			require.NoError(t, err)
			if test.host == "" && test.config.Hosts == nil {
				test.host = strings.TrimPrefix(url, "http://")
			}
			req.Host = test.host
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			for k, v := range test.header {
				req.Header.Set(k, v)
			}
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			_, _ = io.Copy(io.Discard, res.Body)
			require.NoError(t, res.Body.Close())
			assert.Equal(t, test.want, res.StatusCode)
		})
	}
}

// The run is told at once, however the client goes.
func TestHTTPClientGoes(t *testing.T) {
	for name, test := range map[string]struct {
		leave func(t *testing.T, c *client, web *httptest.Server, cancel func())
		cause error // nil: any
	}{
		"cancels": {func(_ *testing.T, _ *client, _ *httptest.Server, cancel func()) { cancel() }, nil},
		"says so": {func(t *testing.T, c *client, web *httptest.Server, _ func()) {
			for id := range 6 { // the call is one of the first
				post(t, c, web.URL, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id), http.StatusAccepted)
			}
		}, context.Canceled},
		"ends": {func(t *testing.T, c *client, web *httptest.Server, _ func()) {
			post(t, c, web.URL, "", http.StatusNoContent)
		}, mcpserver.ErrGone},
		"is killed": {func(_ *testing.T, _ *client, web *httptest.Server, _ func()) { web.CloseClientConnections() }, mcpserver.ErrGone},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice()
			s := newServer(t, o.plays(waiting, done))
			web := httptest.NewServer(s.Handler())
			t.Cleanup(func() { _ = web.Config.Close() })
			c := dial(t, over(web.URL), nil)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			result := start(c, o, ctx)
			test.leave(t, c, web, cancel)
			select {
			case err := <-o.causes:
				require.Error(t, err)
				if test.cause != nil {
					require.ErrorIs(t, err, test.cause)
				}
			case <-time.After(2 * time.Minute):
				t.Fatal("the run goes on")
			}
			cancel()
			<-result
			require.NoError(t, s.Close(context.Background()))
			require.NoError(t, web.Config.Close())
			noneLeft(t)
		})
	}
}

// noneLeft waits until no goroutine runs code of the server.
func noneLeft(t *testing.T) {
	t.Helper()
	var stacks string
	left := func() bool {
		buffer := make([]byte, 1<<20)
		stacks = string(buffer[:runtime.Stack(buffer, true)])
		return strings.Contains(stacks, "mcpserver.(*Server)")
	}
	assert.Eventually(t, func() bool { return !left() }, 2*time.Minute, 10*time.Millisecond, stacks)
}

// post sends what a client itself would not send while its call runs: a message, or
// the end of the session.
func post(t *testing.T, c *client, url, message string, want int) {
	t.Helper()
	method := http.MethodPost
	if message == "" {
		method = http.MethodDelete
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(message))
	require.NoError(t, err)
	req.Header.Set("Mcp-Session-Id", c.ID())
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, want, res.StatusCode)
}

func TestHTTPClosed(t *testing.T) {
	o := newOffice()
	s := newServer(t, o.plays(waiting, done))
	url := listen(t, s.Handler())
	c := dial(t, over(url), nil)
	result := start(c, o, t.Context())
	require.NoError(t, s.Close(t.Context()))
	require.ErrorIs(t, <-o.causes, mcpserver.ErrClosed)
	if res := <-result; res != nil {
		assert.True(t, res.IsError)
	}
	res, err := http.Post(url, "application/json", nil) //nolint:noctx // it is answered at once
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
}

// Silence ends a session; its id means nothing then.
func TestHTTPSessionTimeout(t *testing.T) {
	config := newOffice().plays(done)
	config.SessionTimeout = 50 * time.Millisecond
	c := dial(t, over(listen(t, newServer(t, config).Handler())), nil)
	require.Eventually(t, func() bool { return c.Ping(t.Context(), nil) != nil }, 2*time.Minute, 200*time.Millisecond)
}
