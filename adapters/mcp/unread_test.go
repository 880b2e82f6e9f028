package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
)

const helloBack = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"evil","version":"1"}}`

// asking are requests that a server may make, with the answers that they get here.
var asking = map[string]string{
	"ping": `{}`, "roots/list": `{}`,
	"elicitation/create": `{"message":"?","requestedSchema":{"type":"object","properties":{}}}`, "no/such/thing": `{}`, "": `{}`,
}

// question is a request of a server; "" asks a little of everything.
func question(method string, i int) *jsonrpc.Request {
	if method == "" {
		method = []string{"ping", "roots/list", "no/such/thing"}[i%3]
	}
	id, err := jsonrpc.MakeID(fmt.Sprint("q", i))
	if err != nil {
		return nil
	}
	return &jsonrpc.Request{ID: id, Method: method, Params: json.RawMessage(asking[method])}
}

// A server that asks and does not read the answers is cut off before it has cost much,
// in the middle of a call too. The class is what answers wait for: any method, a pipe
// or a web server that does not take them.
func TestServerDoesNotReadAnswers(t *testing.T) {
	for method := range asking {
		t.Run("pipe "+method, func(t *testing.T) {
			noMoreGoroutines(t)
			ours, theirs := sdk.NewInMemoryTransports()
			conn, err := theirs.Connect(t.Context())
			require.NoError(t, err)
			var asked atomic.Int64
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				hello, err := conn.Read(context.Background())
				if err != nil {
					return
				}
				_ = conn.Write(context.Background(), &jsonrpc.Response{ID: hello.(*jsonrpc.Request).ID, Result: json.RawMessage(helloBack)})
				_, _ = conn.Read(context.Background()) // notifications/initialized, and nothing any more
				for i := 0; conn.Write(context.Background(), question(method, i)) == nil; i++ {
					asked.Add(1)
				}
			}()
			d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "evil", Transport: ours, ProtocolVersion: older}}, CloseTimeout: 50 * time.Millisecond})
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			_, err = d.Tools(ctx)
			require.ErrorIs(t, err, mcp.ErrDisconnected)
			_, err = d.Execute(ctx, desktop.Command{ToolName: "look"})
			require.ErrorIs(t, err, mcp.ErrDisconnected)
			require.NoError(t, d.Close())
			_ = conn.Close()
			<-ended
			assert.LessOrEqual(t, asked.Load(), int64(110), "a few are on their way")
		})
	}
}

// webFlood is a web server that asks without end on its stream, and lets answers wait.
type webFlood struct {
	method        string
	waiting, most atomic.Int64
	asked         atomic.Int64
	begun         chan struct{} // closed when the client is connected: before, the flood would end that
	once          sync.Once
}

func (f *webFlood) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		w.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(w).Flush() // the client learns that there is a stream
		select {
		case <-f.begun:
		case <-r.Context().Done():
		}
		for i := 0; r.Context().Err() == nil; i++ {
			text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": fmt.Sprint("q", i), "method": f.method, "params": json.RawMessage(asking[f.method])})
			if err == nil {
				_, err = fmt.Fprintf(w, "data: %s\n\n", text)
			}
			if err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
			f.asked.Add(1)
		}
		return
	}
	var msg struct {
		ID     any    `json:"id"`
		Method string `json:"method"`
	}
	_ = json.NewDecoder(r.Body).Decode(&msg)
	switch {
	case r.Method == http.MethodDelete, strings.HasPrefix(msg.Method, "notifications/"):
		w.WriteHeader(http.StatusAccepted)
		_ = http.NewResponseController(w).Flush()
		if msg.Method == "notifications/initialized" {
			f.once.Do(func() { close(f.begun) })
		}
	case msg.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", "1")
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%v,"result":%s}`, msg.ID, helloBack)
	default:
		n := f.waiting.Add(1)
		defer f.waiting.Add(-1)
		for most := f.most.Load(); n > most && !f.most.CompareAndSwap(most, n); most = f.most.Load() {
		}
		<-r.Context().Done()
	}
}

func TestWebServerDoesNotTakeAnswers(t *testing.T) {
	for _, method := range []string{"ping", "roots/list", "no/such/thing"} {
		t.Run(method, func(t *testing.T) {
			noMoreGoroutines(t)
			f := &webFlood{method: method, begun: make(chan struct{})}
			server := listen(t, f)
			d := open(t, mcp.Config{
				Servers:      []mcp.Server{{Name: "evil", URL: server.URL, ProtocolVersion: older}},
				CloseTimeout: 50 * time.Millisecond,
			})
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			_, err := d.Tools(ctx)
			require.Error(t, err)
			require.NoError(t, d.Close())
			assert.LessOrEqual(t, f.most.Load(), int64(110))
			http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		})
	}
}
