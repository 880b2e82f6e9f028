package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
)

// role says what the test binary is when it was started by a test.
const role = "AGENTFSM_MCP_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run()) //nolint:forbidigo // a test binary is a program
	case "bench":
		serveStdio()
	case "stubborn": // answers, and does not end when it is asked to
		go serveStdio()
		ignoreTheEnd()
		select {}
	case "chatty": // writes more than messages
		fmt.Fprintln(os.Stdout, "Starting up... [ok]")
		fmt.Fprintln(os.Stdout, `{"level":"info","msg":"ready"}`)
		fmt.Fprintln(os.Stdout, "[{ this is no message }]")
		serveStdio()
	case "client":
		os.Exit(conformClient(os.Args[len(os.Args)-1])) //nolint:forbidigo // a test binary is a program
	case "deaf": // reads nothing and says nothing
		select {}
	case "crash":
		fmt.Fprintln(os.Stderr, "no such luck")
		os.Exit(3) //nolint:forbidigo // a test binary is a program
	case "talker": // ends after many words
		fmt.Fprint(os.Stderr, os.Args[1])
		os.Exit(4) //nolint:forbidigo // a test binary is a program
	case "asker":
		_ = asker(os.Args[1], os.Args[2]).Run(context.Background(), &sdk.StdioTransport{})
	}
}

// serveStdio is a server that can start another process and end itself.
func serveStdio() {
	s := sdk.NewServer(&sdk.Implementation{Name: "child", Version: "1"}, nil)
	text := func(f func(ctx context.Context) (string, error)) sdk.ToolHandlerFor[struct{}, any] {
		return func(ctx context.Context, _ *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
			out, err := f(ctx)
			return said(out), nil, err
		}
	}
	sdk.AddTool(s, &sdk.Tool{Name: "look", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		text(func(context.Context) (string, error) { return strconv.Itoa(os.Getpid()), nil }))
	sdk.AddTool(s, &sdk.Tool{Name: "refuse"}, text(func(context.Context) (string, error) { return "", errors.New("not today") }))
	sdk.AddTool(s, &sdk.Tool{Name: "sleep"}, text(func(ctx context.Context) (string, error) {
		fmt.Fprintln(os.Stderr, "sleeping")
		select {
		case <-ctx.Done():
		case <-time.After(time.Minute):
		}
		return "", ctx.Err()
	}))
	sdk.AddTool(s, &sdk.Tool{Name: "environment"}, text(func(context.Context) (string, error) { return strings.Join(os.Environ(), "\n"), nil }))
	sdk.AddTool(s, &sdk.Tool{Name: "huge"}, text(func(context.Context) (string, error) { return strings.Repeat("x", 1<<20), nil }))
	sdk.AddTool(s, &sdk.Tool{Name: "child"}, text(func(context.Context) (string, error) {
		cmd := exec.Command("sleep", "60")            //nolint:noctx // it is to outlive the call
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr // keeps them open
		if err := cmd.Start(); err != nil {
			return "", err
		}
		return strconv.Itoa(cmd.Process.Pid), nil
	}))
	_ = s.Run(context.Background(), &sdk.StdioTransport{})
}

func self(t testing.TB, as string) mcp.Server {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	return mcp.Server{Name: "self", Command: []string{path}, Env: []string{role + "=" + as}}
}

func ignoreTheEnd() { signal.Ignore(syscall.SIGTERM) }
