package headless_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
)

func TestStart(t *testing.T) {
	dir := machine(t, nil)
	s := started(t, &headless.Options{Dir: dir, Size: image.Pt(800, 0)})
	assert.Regexp(t, `^:\d+$`, s.Display)
	assert.Equal(t, "unix:path=/nowhere,guid=1", s.Bus)
	assert.Equal(t, dir, filepath.Dir(s.Dir))
	info, err := os.Stat(s.Dir)
	require.NoError(t, err)
	assert.Equal(t, os.ModeDir|0o700, info.Mode())
	said, err := os.ReadFile(filepath.Join(s.Dir, "log", "Xvfb"))
	require.NoError(t, err)
	assert.Contains(t, string(said), " -screen 0 800x1024x24 ")
	assert.Contains(t, string(said), " -nolisten tcp")

	require.NoError(t, s.Close())
	nothingLeft(t, markOf(t, s.Env), dir)
	_, err = os.Stat("/tmp/.X11-unix/X" + s.Display[1:])
	assert.ErrorIs(t, err, os.ErrNotExist, "Xvfb was told to end, and not killed")
}

func TestEnv(t *testing.T) {
	dir := machine(t, nil)
	for _, name := range []string{"NO_AT_BRIDGE", "OPENAI_API_KEY", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "LC_ALL"} {
		t.Setenv(name, "of the process")
	}
	for _, name := range []string{"USER", "LOGNAME", "TZ", "XDG_CONFIG_DIRS"} {
		t.Setenv(name, "")
	}
	t.Setenv("LD_LIBRARY_PATH", "/opt/lib")
	t.Setenv("SSL_CERT_FILE", "/opt/cert")
	t.Setenv("SSL_CERT_DIR", "/opt/certs")
	s := started(t, &headless.Options{Dir: dir, Env: []string{"GTK_THEME=A", "HOME=/opt/home", "DISPLAY=:0", "GTK_THEME=B", "EMPTY="}})
	assert.ElementsMatch(t, []string{
		"PATH=" + os.Getenv("PATH"), "XDG_DATA_DIRS=" + os.Getenv("XDG_DATA_DIRS"),
		"LD_LIBRARY_PATH=/opt/lib", "SSL_CERT_FILE=/opt/cert", "SSL_CERT_DIR=/opt/certs",
		"HOME=/opt/home", "GTK_THEME=B", "EMPTY=",
		"TMPDIR=" + s.Dir + "/tmp", "XDG_RUNTIME_DIR=" + s.Dir + "/run", "XDG_CONFIG_HOME=" + s.Dir + "/config",
		"XDG_DATA_HOME=" + s.Dir + "/data", "XDG_CACHE_HOME=" + s.Dir + "/cache", "XDG_STATE_HOME=" + s.Dir + "/state",
		"LANG=C.UTF-8", "GTK_USE_PORTAL=0", "GSETTINGS_BACKEND=memory",
		"DISPLAY=" + s.Display, "XAUTHORITY=" + s.Dir + "/run/Xauthority", "DBUS_SESSION_BUS_ADDRESS=" + s.Bus,
		markOf(t, s.Env),
	}, s.Env)
	assert.Equal(t, len(s.Env), cap(s.Env), "whoever appends to it has a copy")
	for _, v := range s.Env {
		if name, folder, _ := strings.Cut(v, "="); strings.HasPrefix(folder, s.Dir) && name != "XAUTHORITY" {
			assert.DirExists(t, folder, name)
		}
	}
}

// begun starts a program of the session and returns when it has written a line.
func begun(t *testing.T, s *headless.Session, argv ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...) //nolint:noctx // Close ends it
	cmd.Env = s.Env
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return cmd
}

func TestCloseEndsPrograms(t *testing.T) {
	dir := machine(t, nil)
	for name, c := range map[string]struct{ script, how string }{
		"one that ends by itself": {`trap 'exit 3' TERM; echo; while :; do /bin/sleep 0.02; done`, "exit status 3"},
		"one that will not":       {`trap '' TERM; echo; while :; do /bin/sleep 0.02; done`, "signal: killed"},
		"one that stands still": {`(until /bin/grep -q '^State:.T' /proc/$$/status; do /bin/sleep 0.02; done; echo) &
			kill -s STOP $$`, "signal: killed"},
		"one whose children are alone": {`/usr/bin/setsid /bin/sh -c 'trap "" TERM HUP; /bin/sleep 1000 & echo'`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := started(t, &headless.Options{Dir: dir})
			cmd := begun(t, s, "/bin/sh", "-c", c.script)
			require.NoError(t, s.Close())
			assert.Empty(t, having(markOf(t, s.Env)))
			_ = cmd.Wait()
			if c.how != "" {
				assert.Equal(t, c.how, cmd.ProcessState.String())
			}
			assert.NoDirExists(t, s.Dir)
		})
	}
}

// A program that was told to end may still need its display and its bus to do so.
func TestCloseEndsProgramsBeforeTheDisplay(t *testing.T) {
	s := started(t, &headless.Options{Dir: machine(t, nil)})
	note := filepath.Join(t.TempDir(), "note")
	begun(t, s, "/bin/sh", "-c", `trap 'trap "" TERM; /bin/sleep 0.2; test -S /tmp/.X11-unix/X'"${DISPLAY#:}"' && echo there >"$0"; exit' TERM; echo; while :; do /bin/sleep 0.02; done`, note)
	require.NoError(t, s.Close())
	said, err := os.ReadFile(note)
	require.NoError(t, err)
	assert.Equal(t, "there\n", string(said))
}

func TestCloseIsForThisSessionOnly(t *testing.T) {
	dir := machine(t, nil)
	first, second := started(t, &headless.Options{Dir: dir}), started(t, &headless.Options{Dir: dir})
	assert.NotEqual(t, first.Display, second.Display)
	mine := begun(t, second, "/bin/sh", "-c", "echo; exec /bin/sleep 1000")
	require.NoError(t, first.Close())
	assert.NoError(t, mine.Process.Signal(syscall.Signal(0)))
	assert.DirExists(t, second.Dir)
	require.NoError(t, second.Close(), "all of its parts have run until now")
	nothingLeft(t, markOf(t, second.Env), dir)
}

func TestCloseAgain(t *testing.T) {
	before := goroutines()
	s := started(t, &headless.Options{Dir: machine(t, nil)})
	assert.Greater(t, goroutines(), before)
	begun(t, s, "/bin/sh", "-c", "echo; exec /bin/sleep 1000")
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() { assert.NoError(t, s.Close()) })
	}
	group.Wait()
	assert.NoError(t, s.Close())
	assert.Eventually(t, func() bool { return goroutines() == before }, 2*time.Minute, time.Millisecond)
}

// What ended too early is said at the end. So a test that failed without a display says why.
func TestCloseSaysWhatEnded(t *testing.T) {
	for _, name := range []string{"Xvfb", "dbus-daemon", "openbox"} {
		t.Run(name, func(t *testing.T) {
			dir := machine(t, map[string]string{"dbus-daemon": "echo dbus-daemon has begun >&2;" + daemon})
			s := started(t, &headless.Options{Dir: dir})
			mark, before := markOf(t, s.Env), goroutines()
			for _, pid := range having(mark) {
				line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				require.NoError(t, err)
				if strings.Contains(string(line), name) || name == "dbus-daemon" && strings.Contains(string(line), "sleep") {
					require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
				}
			}
			assert.Eventually(t, func() bool { return goroutines() < before }, 2*time.Minute, time.Millisecond, "its end was seen")
			err := s.Close()
			require.ErrorContains(t, err, "headless: "+name+" has ended (signal: killed):\n")
			assert.NotContains(t, err.Error()[1:], "headless:", "of it alone")
			assert.Equal(t, err, s.Close())
			nothingLeft(t, mark, dir)
			if name == "Xvfb" {
				_ = os.Remove("/tmp/.X11-unix/X" + s.Display[1:])
			}
		})
	}
}

var errGone = errors.New("the user has left")

func TestStartFails(t *testing.T) {
	const hang = "echo hangs >&2; exec /bin/sleep 1000"
	for name, c := range map[string]struct {
		programs map[string]string
		env      string
		cancel   bool // when everything has begun that will
		says     string
	}{
		"Xvfb dies":        {map[string]string{"Xvfb": "echo first >&2; echo no screens found; exit 1"}, "", false, "headless: Xvfb has ended (exit status 1):\nfirst\nno screens found"},
		"Xvfb says little": {map[string]string{"Xvfb": "exit 2"}, "", false, "headless: Xvfb has ended (exit status 2)"},
		"Xvfb says much": {map[string]string{"Xvfb": "i=0; while [ $i -lt 1000 ]; do echo line $i; i=$((i+1)); done; exit 1"}, "", false,
			"headless: Xvfb has ended (exit status 1):\nline 990\nline 991\nline 992\nline 993\nline 994\nline 995\nline 996\nline 997\nline 998\nline 999"},
		"Xvfb hangs":              {map[string]string{"Xvfb": hang}, "", true, "headless: Xvfb does not answer: the user has left:\nhangs"},
		"Xvfb does not listen":    {map[string]string{"Xvfb": "echo 99999999 >&3; " + hang}, "", false, "headless: Xvfb does not answer: dial unix /tmp/.X11-unix/X99999999: connect: no such file or directory:\nhangs"},
		"Xvfb refuses":            {nil, "FAKE_XVFB=refuse", false, "headless: Xvfb does not answer: x protocol authentication refused: no access:\n"},
		"Xvfb allows nobody":      {nil, "FAKE_XVFB=strict", false, "headless: Xvfb does not answer: BadAccess"},
		"dbus-daemon dies":        {map[string]string{"dbus-daemon": "echo no configuration >&2; exit 1"}, "", false, "headless: dbus-daemon has ended (exit status 1):\nno configuration"},
		"dbus-daemon hangs":       {map[string]string{"dbus-daemon": hang}, "", true, "headless: dbus-daemon does not answer: the user has left:\nhangs"},
		"openbox dies":            {map[string]string{"openbox": "echo no theme >&2; exit 1"}, "", false, "headless: openbox has ended (exit status 1):\nno theme"},
		"openbox does not manage": {nil, "FAKE_OPENBOX=idle", true, "headless: openbox does not answer: the user has left:\nopenbox has begun"},
		"Xvfb dies later":         {map[string]string{"openbox": "kill -s KILL $(/bin/grep -lsF \"$XAUTHORITY\" /proc/[0-9]*/cmdline | /usr/bin/tr -dc '0-9\\n'); /bin/rm -f /tmp/.X11-unix/X${DISPLAY#:}; " + hang}, "", false, "headless: Xvfb has ended (signal: killed):\n"},
	} {
		t.Run(name, func(t *testing.T) {
			before := goroutines()
			dir := machine(t, c.programs)
			opts := &headless.Options{Dir: dir, Env: []string{"IGNORED=1"}}
			if c.env != "" {
				opts.Env = []string{c.env}
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if c.cancel {
				go func() {
					assert.Eventually(t, func() bool { return spoken(dir, c.says) }, 2*time.Minute, time.Millisecond)
					cancel(errGone)
				}()
			}
			s, err := headless.Start(ctx, opts)
			assert.Nil(t, s)
			require.Error(t, err)
			assert.Equal(t, c.cancel, errors.Is(err, errGone))
			if strings.HasSuffix(c.says, "\n") || c.env == "FAKE_XVFB=strict" {
				assert.Contains(t, err.Error(), c.says)
			} else {
				assert.EqualError(t, err, c.says)
			}
			nothingLeft(t, dir, dir)
			assert.Eventually(t, func() bool { return goroutines() == before }, 2*time.Minute, time.Millisecond)
		})
	}
}

// spoken reports whether a part has written the last line of a text into its log.
func spoken(dir, text string) bool {
	line := text[strings.LastIndex(text, "\n")+1:]
	files, _ := filepath.Glob(filepath.Join(dir, "*", "log", "*"))
	for _, file := range files {
		if said, err := os.ReadFile(file); err == nil && strings.Contains(string(said), line) {
			return true
		}
	}
	return false
}

func TestStartRefuses(t *testing.T) {
	dir := machine(t, nil)
	long := filepath.Join(dir, strings.Repeat("x", 69-len(dir)-1))
	require.NoError(t, os.Mkdir(long, 0o700))
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errGone)
	for name, c := range map[string]struct {
		ctx  context.Context //nolint:containedctx // of a case
		opts headless.Options
		says string
	}{
		"a long path":      {t.Context(), headless.Options{Dir: long}, "headless: the path " + long + " is too long for the sockets of a session: set Options.Dir to one of at most 68 bytes"},
		"no folder":        {t.Context(), headless.Options{Dir: filepath.Join(dir, "none")}, "no such file or directory"},
		"a negative size":  {t.Context(), headless.Options{Dir: dir, Size: image.Pt(1, -1)}, "headless: a screen cannot have the size (1,-1)"},
		"a variable":       {t.Context(), headless.Options{Dir: dir, Env: []string{"A=", "B"}}, `headless: Options.Env: "B" is not NAME=value`},
		"a nameless one":   {t.Context(), headless.Options{Dir: dir, Env: []string{"=C"}}, `"=C" is not NAME=value`},
		"an ended context": {ended, headless.Options{Dir: dir}, "headless: the user has left"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := headless.Start(c.ctx, &c.opts)
			assert.ErrorContains(t, err, c.says)
		})
	}
	require.NoError(t, os.Remove(long))
	nothingLeft(t, dir, dir)
}

// A path that is just short enough, with a byte in it that addresses of D-Bus escape.
func TestStartInAFolderWithASpace(t *testing.T) {
	dir := machine(t, map[string]string{"dbus-daemon": `for word; do case $word in --address=*) echo "${word#--address=}" >&3;; esac; done; exec 3>&-; exec /bin/sleep 1000`})
	dir = filepath.Join(dir, "a "+strings.Repeat("x", 68-len(dir)-3))
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.Len(t, dir, 68)
	s := started(t, &headless.Options{Dir: dir})
	assert.Equal(t, "unix:path="+strings.ReplaceAll(s.Dir, " ", "%20")+"/run/bus", s.Bus)
	require.NoError(t, s.Close())
	nothingLeft(t, dir, dir)
}
