package mcp_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
)

// detour is a way to a server on which the call of a tool is overtaken by its own
// cancellation. The call goes on even when nobody waits for it any more, as it does
// in a proxy that has read it.
type detour struct {
	next    http.Handler
	arrived chan struct{} // a call is on its way
	passed  chan struct{} // closed when a cancellation has passed
	ended   chan struct{} // closed when the server is done with the call
	once    sync.Once
}

func (d *detour) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	switch {
	case bytes.Contains(body, []byte(`"name":"sleep"`)):
		d.arrived <- struct{}{}
		<-d.passed
		r = r.WithContext(context.WithoutCancel(r.Context()))
		d.next.ServeHTTP(w, r)
		close(d.ended)
	case bytes.Contains(body, []byte("notifications/cancelled")):
		d.next.ServeHTTP(w, r)
		d.once.Do(func() {
			time.Sleep(50 * time.Millisecond) // the server forgets it in the background
			close(d.passed)
		})
	default:
		d.next.ServeHTTP(w, r)
	}
}

// A cancellation that overtakes its call ends it all the same, also when the
// desktop is closed at once.
func TestCancellationOvertakes(t *testing.T) {
	for name, options := range map[string]*sdk.StreamableHTTPOptions{"stream": nil, "json": {JSONResponse: true}} {
		for _, closes := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				noMoreGoroutines(t)
				b := newBench(t, "bench")
				way := &detour{
					next:    sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return b.Server }, options),
					arrived: make(chan struct{}, 1), passed: make(chan struct{}), ended: make(chan struct{}),
				}
				server := httptest.NewServer(way)
				defer server.Close()
				defer close(b.over)
				d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "b", URL: server.URL, ProtocolVersion: older}}})
				ctx, cancel := context.WithCancelCause(t.Context())
				go func() { <-way.arrived; cancel(errEnough) }()
				_, err := d.Execute(ctx, desktop.Command{ToolName: "sleep"})
				require.ErrorIs(t, err, errEnough)
				if closes {
					require.NoError(t, d.Close())
				}
				select {
				case <-way.ended:
				case <-time.After(patience):
					assert.Fail(t, "the server works on")
				}
				assert.Len(t, b.stopped, len(b.started), "what has begun has stopped")
				require.NoError(t, d.Close())
			})
		}
	}
}
