package mcpserver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
)

// role says that the test binary is a server, started by a test.
const role = "AGENTFSM_MCPSERVER_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(role) == "" {
		os.Exit(m.Run()) //nolint:forbidigo // a test binary is a program
	}
	o := newOffice()
	replies := map[string][]any{"deletes": {delete1, done}, "waits": {waiting, done}}[os.Getenv(role)]
	s, err := mcpserver.New(o.plays(replies...))
	if err != nil {
		panic(err)
	}
	go func() {
		<-o.began
		fmt.Fprintln(os.Stderr, "waiting")
	}()
	err = s.ServeStdio(context.Background())
	fmt.Fprintln(os.Stderr, "served:", err, "waits ended:", len(o.causes))
}

func self(t testing.TB, as string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), path)
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

func TestStdio(t *testing.T) {
	c := dial(t, &sdk.CommandTransport{Command: self(t, "deletes")}, fills("accept", map[string]any{"approve": true}))
	res := c.did(t, "delete it")
	require.False(t, res.IsError, text(t, res))
	assert.Len(t, c.asked, 1)
	require.Eventually(t, func() bool { return len(c.messages()) == 3 }, 2*time.Minute, time.Millisecond)
	require.NoError(t, c.Close())
}

const speech = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run_task","arguments":{"request":"x"},"_meta":{"progressToken":1}}}
`

// A client that dies ends the run, and the program: in good order, though nobody
// reads any more what it has to say.
func TestStdioClientDies(t *testing.T) {
	cmd := self(t, "waits")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(in, speech)
	require.NoError(t, err)
	lines := bufio.NewScanner(stderr)
	require.True(t, lines.Scan())
	require.Equal(t, "waiting", lines.Text())
	require.NoError(t, out.Close())
	require.NoError(t, in.Close())
	rest, err := io.ReadAll(stderr)
	require.NoError(t, err)
	assert.Contains(t, lines.Text()+strings.TrimSpace(string(rest)), "served: <nil> waits ended: 1")
	assert.NoError(t, cmd.Wait())
}

// What is no message is an error of Serve.
func TestGarbage(t *testing.T) {
	s := newServer(t, newOffice().plays(done))
	err := s.Serve(t.Context(), &sdk.IOTransport{Reader: io.NopCloser(strings.NewReader("hello?\n")), Writer: nowhere{}})
	assert.ErrorContains(t, err, "mcpserver: the connection broke: ")
	err = s.Serve(t.Context(), &sdk.CommandTransport{Command: exec.CommandContext(t.Context(), "a-program-that-nobody-has")})
	assert.ErrorIs(t, err, exec.ErrNotFound)
}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) Close() error                { return nil }
