package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
)

// A message that is too long ends the connection, on every way that it can take.
func TestTooLong(t *testing.T) {
	huge := func(options *sdk.StreamableHTTPOptions) func(t *testing.T) mcp.Server {
		return func(t *testing.T) mcp.Server {
			b := newBench(t, "bench")
			b.add("huge", said(strings.Repeat("x", 1<<20)))
			server := listen(t, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return b.Server }, options))
			return mcp.Server{Name: "b", URL: server.URL}
		}
	}
	for name, server := range map[string]func(t *testing.T) mcp.Server{
		"stdio":  func(t *testing.T) mcp.Server { return self(t, "bench") },
		"stream": huge(nil),
		"json":   huge(&sdk.StreamableHTTPOptions{JSONResponse: true}),
	} {
		t.Run(name, func(t *testing.T) {
			noMoreGoroutines(t)
			big, small := 2<<20, 100_000
			d := open(t, mcp.Config{Servers: []mcp.Server{server(t)}, MaxMessage: big})
			assert.Len(t, call(t, d, "huge", nil).Text(), 1<<20)
			require.NoError(t, d.Close())
			d = open(t, mcp.Config{Servers: []mcp.Server{server(t)}, MaxMessage: small, CloseTimeout: 50 * time.Millisecond})
			_, err := d.Execute(t.Context(), desktop.Command{ToolName: "huge"})
			require.ErrorIs(t, err, mcp.ErrDisconnected)
			assert.ErrorContains(t, err, "100000 bytes")
			require.ErrorIs(t, err2(d.Tools(t.Context())), mcp.ErrDisconnected)
			require.NoError(t, d.Close())
			http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		})
	}
}

func err2[T any](_ T, err error) error { return err }

// A web server whose answers have no end, that does not answer at all, or that
// keeps who leaves waiting.
func TestWebServerIsHostile(t *testing.T) {
	for name, test := range map[string]struct {
		method string
		answer http.HandlerFunc
		opens  bool
		is     error
	}{
		"endless refusal": {http.MethodPost, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			for r.Context().Err() == nil {
				_, _ = w.Write(bytes.Repeat([]byte("no "), 10_000))
			}
		}, false, mcp.ErrUnavailable},
		"endless answer": {http.MethodPost, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for r.Context().Err() == nil {
				_, _ = w.Write(bytes.Repeat([]byte(" "), 10_000))
			}
		}, false, mcp.ErrUnavailable},
		"endless event": {http.MethodPost, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: ")
			for r.Context().Err() == nil {
				_, _ = w.Write(bytes.Repeat([]byte("x"), 10_000))
			}
		}, false, mcp.ErrUnavailable},
		"silence":            {http.MethodPost, waits, false, context.DeadlineExceeded},
		"silence for events": {http.MethodGet, waits, false, context.DeadlineExceeded},
		"silence at the end": {http.MethodDelete, waits, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			noMoreGoroutines(t)
			b := newBench(t, "bench")
			good := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return b.Server }, nil)
			server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == test.method {
					test.answer(w, r)
					return
				}
				good.ServeHTTP(w, r)
			}))
			ctx, cancel := context.WithCancel(t.Context())
			if errors.Is(test.is, context.DeadlineExceeded) {
				ctx, cancel = context.WithTimeout(t.Context(), 500*time.Millisecond)
			}
			defer cancel()
			d, err := mcp.Open(ctx, mcp.Config{
				Servers:      []mcp.Server{{Name: "b", URL: server.URL, ProtocolVersion: older}},
				CloseTimeout: 100 * time.Millisecond, MaxMessage: 100_000,
			})
			if !test.opens {
				require.ErrorIs(t, err, test.is)
				return
			}
			require.NoError(t, err)
			require.NoError(t, d.Close())
			for session := range b.Sessions() { // it was not told
				_ = session.Close()
			}
		})
	}
}

func waits(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // or the end of the connection is not seen
	<-r.Context().Done()
}

// What a server writes besides messages is dropped, and logged without its words.
func TestGarbage(t *testing.T) {
	var log bytes.Buffer
	d := open(t, mcp.Config{Servers: []mcp.Server{self(t, "chatty")}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	assert.NotEmpty(t, call(t, d, "look", nil).Text())
	require.NoError(t, d.Close())
	assert.Contains(t, log.String(), "no message")
	assert.NotContains(t, log.String(), "Starting up")
}

// A server that speaks out of turn, and answers what nobody asked.
func TestOutOfTurn(t *testing.T) {
	noMoreGoroutines(t)
	in, theirs := io.Pipe()
	ours, out := io.Pipe()
	say := func(lines ...string) {
		for _, line := range lines {
			_, _ = io.WriteString(out, line+"\n")
		}
	}
	go func() {
		defer out.Close()
		say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, `{"jsonrpc":"2.0","method":"notifications/nonsense","params":7}`,
			`{"jsonrpc":"2.0","id":"x","result":{}}`, `{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"no"}}`)
		for lines := newScanner(in); lines.Scan(); {
			id, method := idOf(lines.Text())
			switch method {
			case "initialize":
				say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"%s","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`, id, older))
			case "tools/list":
				say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[null,{"name":"it","inputSchema":{"type":"object"}}]}}`, id))
			case "tools/call":
				say(`{"jsonrpc":"2.0","id":4711,"result":{"content":[{"type":"text","text":"wrong"}]}}`,
					fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","result":{"content":[{"type":"text","text":"wrong"}]}}`, id),
					fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"right"}]}}`, id),
					fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"again"}]}}`, id))
			}
		}
	}()
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "x", Transport: &sdk.IOTransport{Reader: ours, Writer: theirs}, ProtocolVersion: older}}})
	for range 3 {
		assert.Equal(t, "right", call(t, d, "it", nil).Text())
	}
	require.NoError(t, d.Close())
}

// Secrets of the server are in no failure.
func TestSecretsInFailure(t *testing.T) {
	b := newBench(t, "bench")
	b.add("leak", &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: "with tok-12345 and Bearer tok-12345"}}})
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", URL: web(t, b.Server).URL, Header: http.Header{"Authorization": {"Bearer tok-12345"}}}}})
	assert.Equal(t, "with *** and ***", call(t, d, "leak", nil).Error)
}
