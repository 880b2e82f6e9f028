package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
)

// wire is a client that is no SDK's: it says what it is told to say, line by line.
type wire struct {
	t      testing.TB
	in     io.WriteCloser
	out    io.Closer
	lines  chan map[string]any
	served chan error
}

// wired connects one that has said hello.
func wired(t testing.TB, s *mcpserver.Server, capabilities string) *wire {
	t.Helper()
	fromUs, in := io.Pipe()
	out, toUs := io.Pipe()
	w := &wire{t: t, in: in, out: out, lines: make(chan map[string]any, 256), served: make(chan error, 1)}
	go func() { w.served <- s.Serve(context.Background(), &sdk.IOTransport{Reader: fromUs, Writer: toUs}) }()
	go func() {
		defer close(w.lines)
		scan := bufio.NewScanner(out)
		scan.Buffer(nil, 16<<20)
		for scan.Scan() {
			var m map[string]any
			if json.Unmarshal(scan.Bytes(), &m) == nil {
				w.lines <- m
			}
		}
	}()
	t.Cleanup(func() { _ = in.Close() })
	w.say(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,"clientInfo":{"name":"raw","version":"1"}}}`, capabilities)
	w.until("id", "hello")
	w.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w
}

func (w *wire) say(format string, args ...any) {
	w.t.Helper()
	_, err := io.WriteString(w.in, strings.TrimSpace(fmt.Sprintf(format, args...))+"\n")
	require.NoError(w.t, err)
}

// until reads up to a message that has this value.
func (w *wire) until(key string, value any) map[string]any {
	w.t.Helper()
	patience := time.After(2 * time.Minute)
	for {
		select {
		case m, ok := <-w.lines:
			require.True(w.t, ok, "the connection ended")
			if m[key] == value {
				return m
			}
		case <-patience:
			require.Fail(w.t, "no such message", "%s %v", key, value)
		}
	}
}

// asks calls the tool.
func (w *wire) asks(id, arguments, meta string) {
	w.t.Helper()
	w.say(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"run_task","arguments":%s,"_meta":%s}}`, id, arguments, meta)
}

// ends reads the result of a call: whether it is an error, and its text.
func (w *wire) ends(id any) (bool, string) {
	w.t.Helper()
	result, ok := w.until("id", id)["result"].(map[string]any)
	require.True(w.t, ok)
	bad, _ := result["isError"].(bool)
	return bad, result["content"].([]any)[0].(map[string]any)["text"].(string)
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}
