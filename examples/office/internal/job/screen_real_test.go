//go:build linux

package job_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/examples/office/stage"
)

// screen is one of the test's own, on which it can do harm.
type screen struct {
	t testing.TB
	s *headless.Session
}

func newScreen(t testing.TB) *screen {
	t.Helper()
	s, err := headless.Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return &screen{t, s}
}

func (s *screen) stage() *stage.Screen {
	return &stage.Screen{Display: s.s.Display, Bus: s.s.Bus, Env: s.s.Env}
}

// kill ends the programs of that name on the screen as a crash does, and says whether there was one.
func (s *screen) kill(name string) (killed bool) {
	s.t.Helper()
	at := slices.IndexFunc(s.s.Env, func(v string) bool { return strings.HasPrefix(v, "AGENTFSM_HEADLESS=") })
	require.GreaterOrEqual(s.t, at, 0)
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(s.t, err)
	for _, file := range files {
		dir := filepath.Dir(file)
		comm, _ := os.ReadFile(filepath.Join(dir, "comm"))
		environ, _ := os.ReadFile(file)
		if strings.TrimSpace(string(comm)) != name || !slices.ContainsFunc(bytes.Split(environ, []byte{0}), func(v []byte) bool { return string(v) == s.s.Env[at] }) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(dir))
		require.NoError(s.t, err)
		killed = syscall.Kill(pid, syscall.SIGKILL) == nil || killed
	}
	return killed
}

// distract lets another program take the focus for a while.
func (s *screen) distract() {
	cmd := exec.CommandContext(s.t.Context(), "mousepad", "--disable-server")
	cmd.Env = s.s.Env
	if cmd.Start() != nil {
		return
	}
	time.Sleep(700 * time.Millisecond)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}
