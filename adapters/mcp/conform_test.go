package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

func options(benches *sync.Map) *desktoptest.Options {
	return &desktoptest.Options{
		Safe:    desktop.Command{ToolName: "look"},
		Failing: desktop.Command{ToolName: "refuse"},
		Slow:    desktop.Command{ToolName: "sleep"},
		Effect:  desktop.Command{ToolName: "note", Parameters: map[string]any{"text": "milk"}},
		Effects: func(d desktop.Desktop) int {
			b, _ := benches.Load(d)
			return int(b.(*bench).notes.Load())
		},
	}
}

func TestInMemory(t *testing.T) {
	for _, version := range []string{older, newest} {
		t.Run(version, func(t *testing.T) {
			var benches sync.Map
			desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
				b := newBench(t, "bench")
				d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "bench", Transport: b.memory(t), ProtocolVersion: version}}})
				benches.Store(d, b)
				names(t, d) // the server listens for the SDK's subscription by then: that goroutine is no leak of a call
				return d
			}, options(&benches))
		})
	}
}

// web serves a server over streamable HTTP.
func web(t testing.TB, s *sdk.Server) *httptest.Server {
	t.Helper()
	return listen(t, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
}

func TestOverHTTP(t *testing.T) {
	for _, version := range []string{older, newest} {
		t.Run(version, func(t *testing.T) {
			var benches sync.Map
			desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
				b := newBench(t, "bench")
				server := web(t, b.Server)
				t.Cleanup(b.end) // a cancellation may overtake its call: the tool then runs on
				d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "bench", URL: server.URL, ProtocolVersion: version}}})
				benches.Store(d, b)
				names(t, d) // the server listens for the SDK's subscription by then: that goroutine is no leak of a call
				return d
			}, options(&benches))
		})
	}
}

func TestAsScreen(t *testing.T) {
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		d := open(t, mcp.Config{Servers: []mcp.Server{
			{Name: "one", Transport: newBench(t, "one").memory(t)}, {Name: "two", Transport: newBench(t, "two").memory(t)},
		}})
		screen, err := d.Screen()
		require.NoError(t, err)
		return screen
	}, nil)
}

func TestOverStdio(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		return open(t, mcp.Config{Servers: []mcp.Server{{Name: "self", Command: []string{self}, Env: []string{role + "=bench"}}}})
	}, &desktoptest.Options{
		Safe:    desktop.Command{ToolName: "look"},
		Failing: desktop.Command{ToolName: "refuse"},
		Slow:    desktop.Command{ToolName: "sleep"},
	})
}

// A host chooses among windows, and tools without one, by what servers say that they are for.
func TestWhatServersAreFor(t *testing.T) {
	server := func(name string, options *sdk.ServerOptions) mcp.Server {
		s := sdk.NewServer(&sdk.Implementation{Name: name, Title: "The " + name, Version: "1"}, options)
		sdk.AddTool(s, &sdk.Tool{Name: name}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return said("done"), nil, nil
		})
		return mcp.Server{Name: name, Transport: (&bench{Server: s}).memory(t), Header: http.Header{"Authorization": {"Bearer hunter2hunter2"}}}
	}
	d := open(t, mcp.Config{Servers: []mcp.Server{
		server("mail", &sdk.ServerOptions{Instructions: " The mails of the team; the token is hunter2hunter2. \n"}),
		server("silent", nil),
		server("loud", &sdk.ServerOptions{Instructions: strings.Repeat("é", 2000)}),
	}})
	tools, err := d.Tools(t.Context())
	require.NoError(t, err)
	screen, err := d.Screen()
	require.NoError(t, err)
	windows, err := desktop.Windows(t.Context(), screen)
	require.NoError(t, err)
	require.Len(t, tools, 3)
	require.Len(t, windows, 3)
	const mails = "The mails of the team; the token is ***."
	assert.Equal(t, []string{mails, mails}, []string{tools[0].Group, windows[0].Description})
	assert.Equal(t, []string{"The silent", ""}, []string{tools[1].Group, windows[1].Description}, "the title is said already")
	assert.Equal(t, tools[2].Group, windows[2].Description)
	assert.Less(t, len(tools[2].Group), 600)
	assert.True(t, utf8.ValidString(tools[2].Group))
}

func TestServer(t *testing.T) {
	d := open(t, one("b", newBench(t, "bench").memory(t)))
	assert.Nil(t, d.Server("nobody"))
	assert.Equal(t, names(t, d), names(t, d.Server("b")))
}
