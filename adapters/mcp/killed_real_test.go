//go:build unix

package mcp_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// server is the one process that this binary started since, itself and not by
// another.
func server(t testing.TB, before []int) int {
	t.Helper()
	var direct []int
	for _, pid := range startedSince(t, before) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err == nil && strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", os.Getpid())) {
			direct = append(direct, pid)
		}
	}
	require.Len(t, direct, 1)
	return direct[0]
}

func kill(t testing.TB, pid int) {
	t.Helper()
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
}

var slowly = desktop.Command{
	ToolName: "trigger-long-running-operation", Parameters: map[string]any{"duration": 600, "steps": 6000}, CallID: "slow",
}

// await runs a command until it has begun, does something to the server, and
// returns how the command ended.
func await(t testing.TB, d *mcp.Desktop, harm func()) error {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		_, err := desktop.Execute(context.Background(), d, slowly)
		ended <- err
	}()
	time.Sleep(300 * time.Millisecond) // it is to have begun; before, it ends alike
	harm()
	select {
	case err := <-ended:
		return err
	case <-time.After(patience):
		t.Fatal("the call has not come back")
		return nil
	}
}

func TestRealEverythingIsKilled(t *testing.T) {
	realpartstest.Need(t)
	for _, when := range []string{"in a call", "between calls"} {
		t.Run(when, func(t *testing.T) {
			noMoreGoroutines(t)
			before := started(t)
			d := open(t, mcp.Config{Servers: []mcp.Server{everything(t, "stdio")}})
			pid := server(t, before)
			var err error
			if when == "in a call" {
				err = await(t, d, func() { kill(t, pid) })
			} else {
				call(t, d, "echo", map[string]any{"message": "hello"})
				kill(t, pid)
				_, err = d.Execute(t.Context(), desktop.Command{ToolName: "echo", Parameters: map[string]any{"message": "hello"}})
			}
			require.ErrorIs(t, err, mcp.ErrDisconnected)
			var exit *mcp.ExitError
			require.ErrorAs(t, err, &exit)
			assert.Equal(t, "signal: killed", exit.State)
			require.ErrorIs(t, err2(d.Tools(t.Context())), mcp.ErrDisconnected)
			require.NoError(t, d.Close())
			assert.Empty(t, startedSince(t, before))
		})
	}
}

// A server that stands still holds up no deadline, goes on where it was when it is
// woken, and can be closed while it sleeps.
func TestRealEverythingIsStopped(t *testing.T) {
	noMoreGoroutines(t)
	before := started(t)
	d := open(t, mcp.Config{Servers: []mcp.Server{everything(t, "stdio")}, CloseTimeout: 200 * time.Millisecond})
	pid := server(t, before)
	echo := desktop.Command{ToolName: "echo", Parameters: map[string]any{"message": "hello"}}
	_, err := d.Execute(t.Context(), echo)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	big := desktop.Command{ToolName: "echo", Parameters: map[string]any{"message": string(make([]byte, 1<<20))}} // more than a pipe takes
	for _, command := range []desktop.Command{echo, big, echo} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err = d.Execute(ctx, command)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		cancel()
	}
	require.NoError(t, syscall.Kill(pid, syscall.SIGCONT))
	res, err := d.Execute(t.Context(), echo)
	require.NoError(t, err)
	assert.Equal(t, "Echo: hello", res.Text())
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	require.NoError(t, d.Close())
	assert.False(t, alive(pid))
}

// A web server that is killed while it works, and starts again on the same port
// without knowing of the session.
func TestRealEverythingOnTheWebIsKilled(t *testing.T) {
	noMoreGoroutines(t)
	port := freePort(t)
	first := startEverything(t, port)
	d := open(t, mcp.Config{Servers: []mcp.Server{{Name: "all", URL: first.url, ProtocolVersion: older}}})
	err := await(t, d, first.kill)
	var broken *mcp.ServerError
	require.ErrorAs(t, err, &broken)
	assert.Equal(t, "call "+slowly.ToolName, broken.Op)
	startEverything(t, port)
	_, err = d.Execute(t.Context(), slowly)
	require.ErrorAs(t, err, &broken, "the session is unknown there")
	require.NoError(t, d.Close())
	again := open(t, mcp.Config{Servers: []mcp.Server{{Name: "all", URL: first.url, ProtocolVersion: older}}})
	assert.Equal(t, "Echo: hello", call(t, again, "echo", map[string]any{"message": "hello"}).Text())
	require.NoError(t, again.Close())
}
