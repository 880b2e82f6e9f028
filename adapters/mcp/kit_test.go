package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
)

// Versions of the protocol: in the older one servers ask in the middle of a call,
// in the newest they answer with what they want to know.
const older, newest = "2025-11-25", "2026-07-28"

func yes() *bool { v := true; return &v }
func no() *bool  { v := false; return &v }

// words is the argument of a tool.
type words struct {
	Text string `json:"text"`
}

func said(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

func pixel(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))))
	return b.Bytes()
}

// bench is a server with a tool of each kind.
type bench struct {
	*sdk.Server
	notes   atomic.Int64
	started chan string   // names of slow tools that have begun
	stopped chan string   // and that were cancelled
	over    chan struct{} // closed: slow tools end by themselves
	end     func()        // closes over
}

func newBench(t testing.TB, name string) *bench {
	t.Helper()
	b := &bench{
		Server:  sdk.NewServer(&sdk.Implementation{Name: name, Title: "The " + name, Version: "1.2"}, &sdk.ServerOptions{Instructions: "Be kind."}),
		started: make(chan string, 16), stopped: make(chan string, 16), over: make(chan struct{}),
	}
	b.end = sync.OnceFunc(func() { close(b.over) })
	sdk.AddTool(b.Server, &sdk.Tool{Name: "look", Description: "Look.", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: no()}},
		func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return said("all is well"), nil, nil
		})
	sdk.AddTool(b.Server, &sdk.Tool{Name: "note", Annotations: &sdk.ToolAnnotations{Title: "Note it", DestructiveHint: no()}},
		func(_ context.Context, _ *sdk.CallToolRequest, w words) (*sdk.CallToolResult, any, error) {
			b.notes.Add(1)
			return said("noted " + w.Text), nil, nil
		})
	sdk.AddTool(b.Server, &sdk.Tool{Name: "refuse"},
		func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return nil, nil, errors.New("not today")
		})
	sdk.AddTool(b.Server, &sdk.Tool{Name: "sleep"},
		func(ctx context.Context, _ *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
			b.started <- "sleep"
			select {
			case <-ctx.Done():
				b.stopped <- "sleep"
				return nil, nil, ctx.Err()
			case <-b.over:
				return said("slept"), nil, nil
			}
		})
	return b
}

// add gives the server a tool without parameters that answers with a result.
func (b *bench) add(name string, res *sdk.CallToolResult) {
	b.AddTool(&sdk.Tool{Name: name, InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return res, nil })
}

// memory is a transport to the server.
func (b *bench) memory(t testing.TB) sdk.Transport {
	t.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	session, err := b.Connect(context.Background(), theirs, nil)
	require.NoError(t, err)
	t.Cleanup(func() { // a call that is still running would keep the session
		if b.end != nil {
			b.end()
		}
		_ = session.Close()
	})
	return ours
}

// listen serves on loopback until the test ends, and then closes the connections. It waits for no
// handler: one whose call was not cancelled may run on.
func listen(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() { _ = server.Config.Close() })
	return server
}

// open opens a desktop that is closed with the test.
func open(t testing.TB, config mcp.Config) *mcp.Desktop {
	t.Helper()
	d, err := mcp.Open(context.Background(), config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func one(name string, transport sdk.Transport) mcp.Config {
	return mcp.Config{Servers: []mcp.Server{{Name: name, Transport: transport}}}
}

func names(t testing.TB, d desktop.Desktop) []string {
	t.Helper()
	tools, err := d.Tools(t.Context())
	require.NoError(t, err)
	out := make([]string, len(tools))
	for i, tool := range tools {
		out[i] = tool.Name
	}
	return out
}

func call(t testing.TB, d desktop.Desktop, tool string, parameters map[string]any) desktop.Result {
	t.Helper()
	res, err := d.Execute(t.Context(), desktop.Command{ToolName: tool, Parameters: parameters, CallID: "id-" + tool})
	require.NoError(t, err)
	return res
}

// noMoreGoroutines checks at the end of a test that as many run as at its
// beginning. Call it first.
func noMoreGoroutines(t testing.TB) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for end := time.Now().Add(2 * time.Minute); runtime.NumGoroutine() > before; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				stacks := make([]byte, 1<<20)
				t.Fatalf("there were %d goroutines, now there are %d:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
			}
		}
	})
}

// patience is how long what is not under test may take, and step how often it is
// looked at.
const (
	patience = 20 * time.Second
	step     = 20 * time.Millisecond
)
