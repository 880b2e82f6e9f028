package mcp_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
)

var errEnough = errors.New("enough")

// two are two servers, whose tools might have the same names.
func two(a, b string, transport sdk.Transport) mcp.Config {
	return mcp.Config{Servers: []mcp.Server{{Name: a, Transport: transport}, {Name: b, Transport: transport}}}
}

// Dots are no problem as long as no name is the beginning of another.
func TestNamesWithDots(t *testing.T) {
	a, b := newBench(t, "a"), newBench(t, "b")
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "a.b", Transport: a.memory(t)}, {Name: "a.bc", Transport: b.memory(t)}}})
	assert.Equal(t, []string{"a.b.look", "a.b.note", "a.b.refuse", "a.b.sleep", "a.bc.look", "a.bc.note", "a.bc.refuse", "a.bc.sleep"}, names(t, d))
}

func TestBadConfig(t *testing.T) {
	transport, _ := sdk.NewInMemoryTransports()
	for name, test := range map[string]struct {
		config mcp.Config
		text   string
	}{
		"none":      {mcp.Config{}, "there are no servers"},
		"no name":   {one(" ", transport), "has no Name"},
		"no way":    {one("a", nil), "one of Command, URL and Transport"},
		"two ways":  {mcp.Config{Servers: []mcp.Server{{Name: "a", URL: "http://x", Command: []string{"y"}}}}, "one of Command, URL and Transport"},
		"twice":     {mcp.Config{Servers: []mcp.Server{{Name: "a", Transport: transport}, {Name: "a", Transport: transport}}}, "has the Name of another"},
		"dotted":    {two("a", "a.b", transport), "server a.b has a Name that begins with that of server a and a dot"},
		"in front":  {two("a.b", "a", transport), "server a.b has a Name that begins with that of server a"},
		"in case":   {two("A.b.c", "a", transport), "server A.b.c has a Name that begins with that of server a"},
		"far":       {two("x.y", "x.y.z.w", transport), "server x.y.z.w has a Name that begins with that of server x.y"},
		"program":   {mcp.Config{Servers: []mcp.Server{{Name: "a", Command: []string{""}}}}, "without a program"},
		"url":       {mcp.Config{Servers: []mcp.Server{{Name: "a", URL: "ftp://me:s3cret@x"}}}, "none of http or https"},
		"broken":    {mcp.Config{Servers: []mcp.Server{{Name: "a", URL: "http://me:s3cret@%zz"}}}, "none of http or https"},
		"env":       {mcp.Config{Servers: []mcp.Server{{Name: "a", Command: []string{"x"}, Env: []string{"s3cret"}}}}, "not NAME=value"},
		"root":      {mcp.Config{Servers: []mcp.Server{{Name: "a", Transport: transport}}, Roots: []string{"here"}}, "no absolute path"},
		"transport": {one("a", (*sdk.InMemoryTransport)(nil)), "one of Command, URL and Transport"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // what is not refused would wait for a server
			defer cancel()
			_, err := mcp.Open(ctx, test.config)
			assert.ErrorContains(t, err, test.text)
			assert.True(t, strings.HasPrefix(err.Error(), "mcp: bad config: "))
			assert.NotContains(t, err.Error(), "s3cret")
		})
	}
}

func TestRoots(t *testing.T) {
	dir := t.TempDir()
	for _, roots := range [][]string{nil, {dir, "file:///elsewhere"}} {
		b := newBench(t, "bench")
		b.AddTool(&sdk.Tool{Name: "roots", InputSchema: map[string]any{"type": "object"}},
			func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				list, err := req.Session.ListRoots(ctx, nil)
				if err != nil {
					return nil, err
				}
				var uris []string
				for _, root := range list.Roots {
					uris = append(uris, root.URI)
				}
				return said(strings.Join(uris, " ")), nil
			})
		d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", Transport: b.memory(t), ProtocolVersion: older}}, Roots: roots})
		got := strings.Fields(call(t, d, "roots", nil).Text())
		if roots == nil {
			assert.Empty(t, got)
			continue
		}
		u, err := url.Parse(got[0])
		require.NoError(t, err)
		if got[0] != "file:///elsewhere" {
			assert.Equal(t, filepath.ToSlash(dir), strings.TrimPrefix(u.Path, strings.TrimSuffix("/", dir[:1])))
		}
		assert.Len(t, got, 2)
	}
}

// Headers go to the server, and not to where it redirects.
func TestHeader(t *testing.T) {
	seen := make(chan string, 1)
	other := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case seen <- r.Header.Get("X-Token"):
		default:
		}
		w.WriteHeader(http.StatusTeapot)
	}))
	b := newBench(t, "bench")
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return b.Server }, nil)
	server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/away":
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		case r.Header.Get("X-Token") != "tok-12345":
			http.Error(w, "who are you, not tok-12345?", http.StatusUnauthorized)
		default:
			handler.ServeHTTP(w, r)
		}
	}))
	with := func(path string, header http.Header, client *http.Client) mcp.Config {
		return mcp.Config{Servers: []mcp.Server{{Name: "b", URL: server.URL + path, Header: header, HTTPClient: client}}}
	}
	token := http.Header{"X-Token": {"tok-12345"}}
	for _, client := range []*http.Client{nil, {}, {Transport: http.DefaultTransport}} {
		assert.Equal(t, "all is well", call(t, open(t, with("", token, client)), "look", nil).Text())
	}
	_, err := mcp.Open(t.Context(), with("", nil, nil))
	require.ErrorIs(t, err, mcp.ErrUnavailable)
	assert.ErrorContains(t, err, "Unauthorized")
	_, err = mcp.Open(t.Context(), with("/away?key=tok-12345", token, nil))
	require.ErrorContains(t, err, "redirects to another server")
	assert.NotContains(t, err.Error(), "tok-12345")
	assert.Empty(t, seen, "nothing at all was sent there")
	follow := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
	_, err = mcp.Open(t.Context(), with("/away?key=tok-12345", token, follow))
	require.Error(t, err)
	assert.Empty(t, <-seen, "who follows does so without the headers")
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

// Nobody is there: the error has no secrets of the URL.
func TestNobodyListens(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	address := strings.TrimPrefix(server.URL, "http://")
	server.Close()
	_, err := mcp.Open(t.Context(), mcp.Config{Servers: []mcp.Server{{Name: "b", URL: "http://me:pass%20word@" + address + "/?key=tok-12345"}}})
	require.ErrorIs(t, err, mcp.ErrUnavailable)
	for _, secret := range []string{"tok-12345", "pass word", "pass%20word", "pass+word"} {
		assert.NotContains(t, err.Error(), secret)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errEnough)
	_, err = mcp.Open(ctx, mcp.Config{Servers: []mcp.Server{{Name: "b", URL: server.URL}}})
	require.ErrorIs(t, err, errEnough)
}

// A web server that breaks off while it works ends the call, and is gone.
func TestWebServerBreaks(t *testing.T) {
	for _, version := range []string{older, newest} {
		t.Run(version, func(t *testing.T) {
			b := newBench(t, "bench")
			server := web(t, b.Server)
			d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", URL: server.URL, ProtocolVersion: version}}})
			go func() {
				<-b.started
				server.Listener.Close()
				server.CloseClientConnections()
			}()
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			_, err := d.Execute(ctx, desktop.Command{ToolName: "sleep"})
			var broken *mcp.ServerError
			require.ErrorAs(t, err, &broken)
			require.NoError(t, ctx.Err(), "the call does not end with its server")
			_, err = d.Execute(t.Context(), desktop.Command{ToolName: "look"})
			require.ErrorAs(t, err, &broken)
			require.NoError(t, d.Close())
			b.end()
		})
	}
}

// A pipe that nobody reads.
func TestServerDoesNotRead(t *testing.T) {
	ours, _ := sdk.NewInMemoryTransports()
	config := one("b", ours)
	config.CloseTimeout = 50 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := mcp.Open(ctx, config)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}
