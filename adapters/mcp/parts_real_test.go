//go:build unix

package mcp_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// everything is server-everything, over its standard input and output or over HTTP.
func everything(t testing.TB, way string) mcp.Server {
	t.Helper()
	server := mcp.Server{Name: "all"}
	if way == "http" {
		server.URL = startEverything(t, freePort(t)).url
		return server
	}
	server.Command = realpartstest.Everything(t)
	return server
}

// site is server-everything over HTTP.
type site struct {
	url string
	cmd *exec.Cmd
}

// kill ends it as a crash does.
func (s *site) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func startEverything(t testing.TB, port int) *site {
	t.Helper()
	argv := realpartstest.Everything(t, "streamableHttp")
	cmd := exec.Command(argv[0], argv[1:]...) //nolint:noctx // the test kills it
	cmd.Env = append(os.Environ(), fmt.Sprint("PORT=", port))
	realpartstest.EndWithTest(cmd)
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	s := &site{url: fmt.Sprintf("http://127.0.0.1:%d/mcp", port), cmd: cmd}
	t.Cleanup(s.kill)
	ready := make(chan bool, 1)
	go func() {
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if strings.Contains(lines.Text(), "listening on port") {
				ready <- true
			}
		}
		close(ready)
	}()
	select {
	case up := <-ready:
		require.True(t, up, "server-everything does not start")
	case <-time.After(2 * time.Minute):
		t.Fatal("server-everything does not start")
	}
	return s
}

// started are the processes that this test binary runs now, without itself.
func started(t testing.TB) []int {
	t.Helper()
	return realpartstest.Family(t, os.Getpid())[1:]
}

// startedSince are those that were not there before.
func startedSince(t testing.TB, before []int) []int {
	t.Helper()
	known := map[int]bool{}
	for _, pid := range before {
		known[pid] = true
	}
	var fresh []int
	for _, pid := range started(t) {
		if !known[pid] {
			fresh = append(fresh, pid)
		}
	}
	return fresh
}
