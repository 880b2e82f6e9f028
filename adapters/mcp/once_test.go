package mcp_test

import (
	"bytes"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
)

// Whatever a web server does with a call, it sees it once.
func TestSentOnce(t *testing.T) {
	for name, spoil := range map[string]http.HandlerFunc{
		"breaks off": func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		},
		"is busy":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		"forgot us": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		"says nothing": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.WriteHeader(http.StatusOK)
		},
		"wants a login": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://localhost:1/", http.StatusTemporaryRedirect)
		},
	} {
		for _, version := range []string{older, newest} {
			t.Run(name+version, func(t *testing.T) {
				noMoreGoroutines(t)
				b := newBench(t, "bench")
				good := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return b.Server }, nil)
				var calls atomic.Int64
				server := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					r.Body = io.NopCloser(bytes.NewReader(body))
					if bytes.Contains(body, []byte(`"method":"tools/call"`)) {
						calls.Add(1)
						spoil(w, r)
						return
					}
					good.ServeHTTP(w, r)
				}))
				d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", URL: server.URL, ProtocolVersion: version}}})
				names(t, d) // the connection has been used before
				_, err := d.Execute(t.Context(), desktop.Command{ToolName: "look"})
				var broken *mcp.ServerError
				require.ErrorAs(t, err, &broken)
				assert.EqualValues(t, 1, calls.Load())
				require.NoError(t, d.Close())
				for session := range b.Sessions() { // it may not have been told
					_ = session.Close()
				}
			})
		}
	}
}
