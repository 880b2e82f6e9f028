package headless_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// applications asks a session by AT-SPI which programs show windows.
func applications(ctx context.Context, s *headless.Session) (names []string, err error) {
	connect := func(address string) (*dbus.Conn, error) { return dbus.Connect(address, dbus.WithContext(ctx)) }
	bus, err := connect(s.Bus)
	if err != nil {
		return nil, err
	}
	defer func() { _ = bus.Close() }()
	var address string
	if err := bus.Object("org.a11y.Bus", "/org/a11y/bus").CallWithContext(ctx, "org.a11y.Bus.GetAddress", 0).Store(&address); err != nil {
		return nil, err
	}
	tree, err := connect(address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }()
	var children []struct {
		Bus  string
		Path dbus.ObjectPath
	}
	root := tree.Object("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
	if err := root.CallWithContext(ctx, "org.a11y.atspi.Accessible.GetChildren", 0).Store(&children); err != nil {
		return nil, err
	}
	for _, c := range children {
		var name string
		err := tree.Object(c.Bus, c.Path).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, "org.a11y.atspi.Accessible", "Name").Store(&name)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// shows waits until these programs, and no others, show windows.
func shows(t *testing.T, s *headless.Session, names ...string) {
	t.Helper()
	assert.EventuallyWithT(t, func(c *assert.CollectT) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		found, err := applications(ctx, s)
		require.NoError(c, err)
		assert.ElementsMatch(c, names, found)
	}, 2*time.Minute, 50*time.Millisecond)
}

// Two sessions do not see each other, and with each ends all that ran in it: also what its
// bus has started.
func TestRealSessions(t *testing.T) {
	realpartstest.Desktop(t, headless.Missing("mousepad"))
	before := goroutines()
	dir := short(t)
	first, second := started(t, &headless.Options{Dir: dir}), started(t, &headless.Options{Dir: dir})
	assert.NotEqual(t, first.Display, second.Display)
	assert.NotEqual(t, first.Bus, second.Bus)
	for _, s := range []*headless.Session{first, second} {
		shows(t, s)
	}
	editor := exec.Command("mousepad") //nolint:noctx // Close ends it
	editor.Env = first.Env
	require.NoError(t, editor.Start())
	shows(t, first, "mousepad")
	shows(t, second)
	all := len(having(markOf(t, first.Env)))
	assert.GreaterOrEqual(t, all, 3+1+2, "the parts, the editor, and what the bus has started")

	require.NoError(t, first.Close())
	assert.Empty(t, having(markOf(t, first.Env)))
	_ = editor.Wait()
	assert.NoDirExists(t, first.Dir)
	shows(t, second)
	require.NoError(t, second.Close())
	require.NoError(t, second.Close())
	nothingLeft(t, dir, dir)
	assert.Eventually(t, func() bool { return goroutines() == before }, 2*time.Minute, time.Millisecond)
}

// LibreOffice is a script that starts a program that starts another one.
func TestRealOffice(t *testing.T) {
	realpartstest.Desktop(t, headless.Missing("soffice"))
	dir := short(t)
	s := started(t, &headless.Options{Dir: dir})
	for _, kind := range []string{"--writer", "--calc"} {
		office := exec.Command("soffice", "--norestore", "--nologo", kind) //nolint:noctx // Close ends it
		office.Env = s.Env
		require.NoError(t, office.Start())
		defer func() { _ = office.Wait() }()
		shows(t, s, "soffice")
	}
	require.NoError(t, s.Close())
	assert.Empty(t, having(markOf(t, s.Env)))
	nothingLeft(t, dir, dir)
}

func TestRealKilled(t *testing.T) {
	realpartstest.Desktop(t, headless.Missing("mousepad"))
	dir := short(t)
	for i := range 10 {
		scripts := []string{stubborn, "mousepad & echo; wait"}
		if i%2 == 0 { // killed when all runs, and else while it starts
			scripts = append(scripts, "until [ -e $XDG_CACHE_HOME/at-spi ] || [ -e $XDG_RUNTIME_DIR/at-spi ]; do sleep 0.02; done; echo; wait")
		}
		cmd, env := victim(t, dir, os.Environ(), scripts...)
		require.GreaterOrEqual(t, len(having(markOf(t, env))), 3+2)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		nothingLeft(t, markOf(t, env), dir)
	}
}

// Wherever Start is when its context ends, it leaves nothing behind.
func TestRealContext(t *testing.T) {
	realpartstest.Desktop(t, headless.Missing())
	dir := short(t)
	failed := 0
	for i := range 25 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*8*time.Millisecond)
		s, err := headless.Start(ctx, &headless.Options{Dir: dir})
		if err == nil {
			err = s.Close()
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, context.DeadlineExceeded)
			failed++
		}
		cancel()
		nothingLeft(t, dir, dir)
	}
	assert.Positive(t, failed)
}

// Another user of the machine sees neither what is on the display nor what is typed.
func TestRealOtherUsers(t *testing.T) {
	realpartstest.Desktop(t, headless.Missing())
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user") // as CI is; on a laptop nobody else can look
	}
	s := started(t, nil)
	const nobody = 65534
	for uid, want := range map[int]byte{0: 1, nobody: 0} {
		answer := make(chan string, 1)
		go func() {
			runtime.LockOSThread() // for good: the thread ends with the goroutine
			answer <- greeting(uid, "/tmp/.X11-unix/X"+strings.TrimPrefix(s.Display, ":"))
		}()
		assert.Equal(t, fmt.Sprint(want), <-answer, "user %d", uid)
	}
}

// greeting is the first byte of what a display says to a user without a cookie: 1 if it lets
// them in.
func greeting(uid int, socket string) string {
	if _, _, no := syscall.RawSyscall(syscall.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid)); no != 0 {
		return no.Error()
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = syscall.Close(fd) }()
	// Not by package net, which may go on in another thread.
	if err := syscall.Connect(fd, &syscall.SockaddrUnix{Name: socket}); err != nil {
		return err.Error()
	}
	first := []byte{'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	if _, err := syscall.Write(fd, first); err != nil {
		return err.Error()
	}
	if _, err := syscall.Read(fd, first[:1]); err != nil {
		return err.Error()
	}
	return fmt.Sprint(first[0])
}
