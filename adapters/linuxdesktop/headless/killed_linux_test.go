package headless_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
)

// run is the process that is killed: it starts a session and programs in it, says so, and
// does nothing more.
func run() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM) // as one does that is slow to end
	s, err := headless.Start(context.Background(), &headless.Options{Dir: os.Args[1]})
	must(err)
	for _, script := range os.Args[2:] {
		cmd := exec.Command("/bin/sh", "-c", script) //nolint:noctx // it is to outlive us
		cmd.Env = s.Env
		out, err := cmd.StdoutPipe()
		must(err)
		must(cmd.Start())
		_, err = bufio.NewReader(out).ReadString('\n')
		must(err)
	}
	_, _ = os.Stdout.WriteString(strings.Join(s.Env, "\x00") + "\n")
	select {}
}

// victim starts that process, and returns it and the environment of its session.
func victim(t *testing.T, dir string, env []string, scripts ...string) (*exec.Cmd, []string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "victim")
	require.NoError(t, os.Symlink(self, name))
	cmd := exec.CommandContext(t.Context(), name, append([]string{dir}, scripts...)...)
	cmd.Env, cmd.Stderr = env, os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return cmd, strings.Split(strings.TrimSpace(line), "\x00")
}

const (
	obedient = "echo; exec /bin/sleep 1000"
	stubborn = "trap '' TERM HUP; echo; while :; do /bin/sleep 0.1; done"
	detached = "/usr/bin/setsid /bin/sh -c 'trap \"\" TERM HUP; /bin/sleep 1000 & echo'; wait"
)

// Nothing outlives a process that was killed, however often.
func TestKilled(t *testing.T) {
	dir := machine(t, nil)
	for range 3 {
		cmd, env := victim(t, dir, os.Environ(), obedient, stubborn, detached)
		require.GreaterOrEqual(t, len(having(markOf(t, env))), 3+3)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		nothingLeft(t, markOf(t, env), dir)
	}
}

// A program of a session that has a session itself is ended with its own.
func TestKilledInsideAnother(t *testing.T) {
	dir := machine(t, nil)
	inner := short(t)
	outer := started(t, &headless.Options{Dir: dir})
	cmd, env := victim(t, inner, outer.Env, stubborn)
	mark := markOf(t, env)
	assert.NotEqual(t, markOf(t, outer.Env), mark)
	require.NoError(t, outer.Close())
	_ = cmd.Wait()
	assert.Empty(t, having(markOf(t, outer.Env)))
	nothingLeft(t, mark, inner)
}

// Close does not need the reaper.
func TestReaperKilled(t *testing.T) {
	dir := machine(t, nil)
	s := started(t, &headless.Options{Dir: dir})
	mark := markOf(t, s.Env)
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	killed := 0
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && strings.Contains(string(line), mark) {
			var pid int
			_, err := fmt.Sscanf(file, "/proc/%d/", &pid)
			require.NoError(t, err)
			p, err := os.FindProcess(pid)
			require.NoError(t, err)
			require.NoError(t, p.Kill())
			killed++
		}
	}
	assert.Equal(t, 1, killed)
	require.NoError(t, s.Close())
	nothingLeft(t, mark, dir)
}
