package headless_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
)

// The test's binary is also the Xvfb and the openbox of the tests without real parts, and
// the process that is killed.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "Xvfb":
		serve()
	case "openbox":
		manage()
	case "victim":
		run()
	default:
		m.Run()
	}
}

// manage is as much of openbox as Start needs: it says that it is there.
func manage() {
	fmt.Fprintln(os.Stderr, "openbox has begun")
	if os.Getenv("FAKE_OPENBOX") != "idle" {
		must(os.WriteFile(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "managed"), nil, 0o600))
	}
	select {}
}

// serve is as much of an X server as Start needs: one that knows a cookie.
func serve() {
	cookie, err := os.ReadFile(os.Args[slices.Index(os.Args, "-auth")+1])
	must(err)
	cookie = cookie[len(cookie)-16:]
	if os.Mkdir("/tmp/.X11-unix", 0o700) == nil {
		must(os.Chmod("/tmp/.X11-unix", 0o777|os.ModeSticky)) // as X servers make it
	}
	number := 100000 + os.Getpid()
	listener, err := new(net.ListenConfig).Listen(context.Background(), "unix", fmt.Sprintf("/tmp/.X11-unix/X%d", number))
	must(err)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	go func() {
		<-stop
		_ = listener.Close() // removes the socket
		os.Exit(0)           //nolint:forbidigo // of a program
	}()
	fmt.Fprintln(os.Stderr, strings.Join(os.Args, " "))
	_, err = fmt.Fprintln(os.NewFile(3, "displayfd"), number)
	must(err)
	for {
		conn, err := listener.Accept()
		if err != nil {
			select {} // until the process ends
		}
		go func() {
			defer func() { _ = conn.Close() }()
			answer(conn, cookie)
		}()
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "fake:", err)
		os.Exit(1) //nolint:forbidigo // of a program
	}
}

var order = binary.LittleEndian

// answer talks to a client until that has enough.
func answer(conn net.Conn, cookie []byte) {
	setup := make([]byte, 12+20+16)
	if _, err := io.ReadFull(conn, setup); err != nil {
		return
	}
	if os.Getenv("FAKE_XVFB") == "refuse" || !bytes.Equal(setup[32:], cookie) {
		_, _ = conn.Write(append([]byte{0, 9, 11, 0, 0, 0, 3, 0}, "no access\x00\x00\x00"...))
		return
	}
	_, _ = conn.Write(append(order.AppendUint16([]byte{1, 0, 11, 0, 0, 0}, 10), make([]byte, 40)...))
	user := "localuser\x00#" + strconv.Itoa(os.Getuid())
	hosts := make([]byte, 8+(len(user)+3)/4*4+4) // and GetInputFocus
	if _, err := io.ReadFull(conn, hosts); err != nil {
		return
	}
	_, _ = conn.Write(append([]byte{34}, make([]byte, 31)...)) // MappingNotify, before the reply
	if os.Getenv("FAKE_XVFB") == "strict" || !strings.HasPrefix(string(hosts[8:]), user) {
		_, _ = conn.Write(append([]byte{0, 10, 1, 0, 0, 0, 0, 0, 0, 0, 109}, make([]byte, 21)...)) // BadAccess
	}
	for number := byte(2); ; number++ { // replies to GetInputFocus
		_, _ = conn.Write(append([]byte{1, 0, number, 0}, make([]byte, 28)...))
		if _, err := io.ReadFull(conn, hosts[:4]); err != nil {
			return
		}
	}
}

const daemon = "echo unix:path=/nowhere,guid=1 >&3; exec 3>&-; exec /bin/sleep 1000"

// machine is one with these programs and no others: scripts for sh, and "" for the fake
// of that name. It returns a folder for sessions.
func machine(t *testing.T, programs map[string]string) (dir string) {
	t.Helper()
	all := map[string]string{"Xvfb": "", "openbox": "", "dbus-daemon": daemon}
	maps.Copy(all, programs)
	path, data := t.TempDir(), t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	for name, script := range all {
		switch file := filepath.Join(path, name); script {
		case "":
			require.NoError(t, os.Symlink(self, file))
		case missing:
		default:
			require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o700))
		}
	}
	t.Setenv("PATH", path)
	t.Setenv("XDG_DATA_DIRS", data)
	services := filepath.Join(data, "dbus-1", "services")
	require.NoError(t, os.MkdirAll(services, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(services, "org.a11y.Bus.service"), nil, 0o600))
	return short(t)
}

const missing = "missing"

// short is a folder with a short path, which one of the test's name need not have.
func short(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hl") //nolint:usetesting // t.TempDir has a long path
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

// started starts a session that is closed with the test.
func started(t *testing.T, opts *headless.Options) *headless.Session {
	t.Helper()
	s, err := headless.Start(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// markOf is the variable that all programs of a session have.
func markOf(t *testing.T, env []string) string {
	t.Helper()
	i := slices.IndexFunc(env, func(v string) bool { return strings.HasPrefix(v, "AGENTFSM_HEADLESS=") })
	require.GreaterOrEqual(t, i, 0)
	return env[i]
}

// having lists the processes whose environment has a text in it, apart from the test's.
func having(text string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if environ, readErr := os.ReadFile(file); err == nil && readErr == nil && pid != os.Getpid() && bytes.Contains(environ, []byte(text)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// nothingLeft waits until no process has the text in its environment and the folder is empty.
// A look that finds none may have missed one that became another right then.
func nothingLeft(t *testing.T, text, dir string) {
	t.Helper()
	quiet := 0
	if !assert.Eventually(t, func() bool {
		left, err := os.ReadDir(dir)
		if len(having(text)) == 0 && (os.IsNotExist(err) || err == nil && len(left) == 0) {
			quiet++
		} else {
			quiet = 0
		}
		return quiet > 5
	}, 2*time.Minute, 10*time.Millisecond) {
		for _, pid := range having(text) { // nothing else would
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			t.Logf("left is %d: %q", pid, line)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		left, _ := filepath.Glob(filepath.Join(dir, "*"))
		require.FailNow(t, "something is left", "in the folder: %q", left)
	}
}

// goroutines counts funcs of the package on stacks.
func goroutines() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "linuxdesktop/headless.")
}
