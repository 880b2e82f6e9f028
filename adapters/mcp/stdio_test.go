//go:build unix

package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
)

// alive reports whether a process runs. One that nobody has waited for yet is dead.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}

func pid(t testing.TB, d desktop.Desktop, tool string) int {
	t.Helper()
	n, err := strconv.Atoi(call(t, d, tool, nil).Text())
	require.NoError(t, err)
	return n
}

func gone(t testing.TB, pids ...int) {
	t.Helper()
	for _, p := range pids {
		assert.Eventually(t, func() bool { return !alive(p) }, 2*time.Minute, 10*time.Millisecond, "process %d", p)
	}
}

// A server and what it started end with Close, and nothing else does.
func TestCloseEndsTheGroup(t *testing.T) {
	for _, as := range []string{"bench", "stubborn"} {
		t.Run(as, func(t *testing.T) {
			bystander := exec.CommandContext(t.Context(), "sleep", "60")
			require.NoError(t, bystander.Start())
			defer func() { _ = bystander.Process.Kill(); _ = bystander.Wait() }()
			d := open(t, mcp.Config{Servers: []mcp.Server{self(t, as)}, CloseTimeout: 200 * time.Millisecond})
			server, child := pid(t, d, "look"), pid(t, d, "child")
			assert.True(t, alive(server))
			assert.True(t, alive(child))
			require.NoError(t, d.Close())
			assert.False(t, alive(server), "Close waits for it")
			gone(t, child)
			assert.True(t, alive(bystander.Process.Pid))
			require.NoError(t, d.Close())
			_, err := d.Execute(t.Context(), desktop.Command{ToolName: "look"})
			require.ErrorIs(t, err, mcp.ErrClosed)
			_, err = d.Tools(t.Context())
			require.ErrorIs(t, err, mcp.ErrClosed)
		})
	}
}

// watcher collects what a server says, and tells when it says something.
type watcher struct {
	mu   sync.Mutex
	text bytes.Buffer
	said chan struct{}
}

func (w *watcher) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.said <- struct{}{}:
	default:
	}
	return w.text.Write(b)
}

func (w *watcher) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// A server that is killed while it works, with a child that keeps its output
// open, ends the call.
func TestServerIsKilled(t *testing.T) {
	said := &watcher{said: make(chan struct{}, 1)}
	server := self(t, "bench")
	server.Stderr = said
	d := open(t, mcp.Config{Servers: []mcp.Server{server}})
	p, child := pid(t, d, "look"), pid(t, d, "child")
	ended := make(chan error, 1)
	go func() {
		_, err := desktop.Execute(context.Background(), d, desktop.Command{ToolName: "sleep"})
		ended <- err
	}()
	<-said.said
	require.NoError(t, syscall.Kill(p, syscall.SIGKILL))
	select {
	case err := <-ended:
		var broken *mcp.ServerError
		require.ErrorAs(t, err, &broken)
		require.ErrorIs(t, err, mcp.ErrDisconnected)
		assert.Equal(t, "call sleep", broken.Op)
		var exit *mcp.ExitError
		require.ErrorAs(t, err, &exit)
		assert.Equal(t, "signal: killed", exit.State)
	case <-time.After(2 * time.Minute):
		t.Fatal("the call has not come back")
	}
	gone(t, p, child)
	_, err := d.Execute(t.Context(), desktop.Command{ToolName: "look"})
	require.ErrorIs(t, err, mcp.ErrDisconnected)
	_, err = d.Tools(t.Context())
	require.ErrorIs(t, err, mcp.ErrDisconnected)
}

func TestServerDoesNotStart(t *testing.T) {
	said := &watcher{said: make(chan struct{}, 1)}
	crash := self(t, "crash")
	crash.Stderr = said
	secret := mcp.Server{Name: "none", Command: []string{filepath.Join(t.TempDir(), "tok-12345")}, Env: []string{"TOKEN=tok-12345"}}
	for name, test := range map[string]struct {
		server mcp.Server
		is     error
		text   string
	}{
		"not there":   {mcp.Server{Name: "none", Command: []string{"a-program-that-nobody-has"}}, exec.ErrNotFound, "mcp: server none: connect"},
		"crashes":     {crash, mcp.ErrDisconnected, "exit status 3"},
		"deaf":        {self(t, "deaf"), context.DeadlineExceeded, "mcp: server self: connect: context deadline exceeded"},
		"secret name": {secret, mcp.ErrUnavailable, "***"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			if name == "deaf" {
				ctx, cancel = context.WithTimeout(t.Context(), 300*time.Millisecond)
			}
			defer cancel()
			_, err := mcp.Open(ctx, mcp.Config{Servers: []mcp.Server{test.server}, CloseTimeout: time.Millisecond})
			require.ErrorIs(t, err, test.is)
			assert.ErrorContains(t, err, test.text)
			assert.NotContains(t, err.Error(), "tok-12345")
		})
	}
	assert.Contains(t, said.String(), "no such luck\n")
}

// A server gets what every program needs and what it is given, and nothing else.
func TestEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-not-for-you")
	server := self(t, "bench")
	server.Env = append(server.Env, "MINE=yes please")
	server.Stderr = io.Discard
	env := call(t, open(t, mcp.Config{Servers: []mcp.Server{server}}), "environment", nil).Text()
	assert.Contains(t, env, "MINE=yes please")
	assert.Contains(t, env, "PATH=")
	assert.NotContains(t, env, "sk-not-for-you")
}

// When one of several does not start, the others are stopped.
func TestOpenStopsTheOthers(t *testing.T) {
	b := newBench(t, "bench")
	_, err := mcp.Open(t.Context(), mcp.Config{Servers: []mcp.Server{
		{Name: "good", Transport: b.memory(t)},
		{Name: "bad", Command: []string{"a-program-that-nobody-has"}},
	}})
	var broken *mcp.ServerError
	require.ErrorAs(t, err, &broken)
	assert.Equal(t, "bad", broken.Server)
	assert.Eventually(t, func() bool {
		for range b.Sessions() {
			return false
		}
		return true
	}, 2*time.Minute, 5*time.Millisecond)
}
