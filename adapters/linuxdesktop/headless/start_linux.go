package headless

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/wait"
)

// mark is the variable by which a session knows its programs.
const mark = "AGENTFSM_HEADLESS"

// passed are the variables of our process that programs get.
var passed = []string{
	"PATH", "USER", "LOGNAME", "TZ", "LD_LIBRARY_PATH", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "SSL_CERT_FILE", "SSL_CERT_DIR",
}

// folders of a session, by the variable that names them; log has none.
var folders = map[string]string{
	"HOME": "home", "TMPDIR": "tmp", "XDG_RUNTIME_DIR": "run", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data",
	"XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "": "log",
}

// longest is the socket with the longest path that is known to be made in the folder of a
// session. A path of more than 107 bytes is none.
const (
	longest   = "/run/at-spi/bus_99999"
	maxSocket = 107
)

// running is a session from within.
type running struct {
	Session

	marker string // mark with its value
	cookie []byte // who knows it may use the display
	hold   *os.File
	reaper *part
	parts  []*part // Xvfb, dbus-daemon, openbox
}

func start(ctx context.Context, o Options) (*Session, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("headless: %w", context.Cause(ctx))
	}
	if err := missing(nil); err != nil {
		return nil, err
	}
	r := &running{marker: mark + "=" + rand.Text(), cookie: make([]byte, 16)}
	_, _ = rand.Read(r.cookie) // never fails
	if o.Size.X < 0 || o.Size.Y < 0 {
		return nil, fmt.Errorf("headless: a screen cannot have the size %v", o.Size)
	}
	if i := slices.IndexFunc(o.Env, func(v string) bool { return strings.Index(v, "=") < 1 }); i >= 0 {
		return nil, fmt.Errorf("headless: Options.Env: %q is not NAME=value", o.Env[i])
	}
	if o.Dir == "" {
		o.Dir = os.TempDir()
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("headless: %w", err)
	}
	r.Dir = filepath.Join(dir, "agentfsm-"+strings.ToLower(rand.Text()[:8]))
	if most := maxSocket - len(longest) - len(r.Dir) + len(dir); len(dir) > most {
		return nil, fmt.Errorf("headless: the path %s is too long for the sockets of a session: set Options.Dir to one of at most %d bytes", dir, most)
	}
	if err := os.Mkdir(r.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("headless: %w", err)
	}
	if err := r.watch(); err != nil {
		_ = os.Remove(r.Dir)
		return nil, err
	}
	if err := r.begin(ctx, o); err != nil {
		return nil, errors.Join(err, r.quit())
	}
	r.Env = slices.Clip(r.Env) // what two callers append is not in one array
	r.end = sync.OnceValue(r.close)
	return &r.Session, nil
}

// begin makes the folder and starts the parts, one after another.
func (r *running) begin(ctx context.Context, o Options) error {
	for _, v := range passed {
		if value := os.Getenv(v); value != "" {
			r.set(v + "=" + value)
		}
	}
	for v, name := range folders {
		folder := filepath.Join(r.Dir, name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			return fmt.Errorf("headless: %w", err)
		}
		if v != "" {
			r.set(v + "=" + folder)
		}
	}
	slices.Sort(r.Env)
	r.set("LANG=C.UTF-8", "GTK_USE_PORTAL=0", "GSETTINGS_BACKEND=memory")
	r.set(o.Env...)
	r.set(r.marker)
	if err := r.display(ctx, o); err != nil {
		return err
	}
	if err := r.bus(ctx); err != nil {
		return err
	}
	return r.manager(ctx)
}

// set puts variables into the environment of programs, in place of others of that name.
func (r *running) set(variables ...string) {
	for _, v := range variables {
		name, _, _ := strings.Cut(v, "=")
		r.Env = slices.DeleteFunc(r.Env, func(old string) bool { return strings.HasPrefix(old, name+"=") })
		r.Env = append(r.Env, v)
	}
}

// display starts Xvfb, which chooses a number that is free and says it when it listens.
func (r *running) display(ctx context.Context, o Options) error {
	authority := filepath.Join(r.Dir, "run", "Xauthority")
	if err := os.WriteFile(authority, authorityOf(r.cookie), 0o600); err != nil {
		return fmt.Errorf("headless: %w", err)
	}
	number, err := r.said(ctx, "Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", cmp.Or(o.Size.X, 1280), cmp.Or(o.Size.Y, 1024)),
		"-dpi", "96", "-auth", authority, "-nolisten", "tcp", "-noreset")
	if err != nil {
		return err
	}
	r.Display = ":" + number
	r.set("DISPLAY="+r.Display, "XAUTHORITY="+authority)
	return nil
}

// bus starts a dbus-daemon, which says its address when it listens.
func (r *running) bus(ctx context.Context) error {
	address, err := r.said(ctx, "dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=3",
		"--address=unix:path="+dbus.EscapeBusAddressValue(filepath.Join(r.Dir, "run", "bus")))
	if err != nil {
		return err
	}
	r.Bus = address
	r.set("DBUS_SESSION_BUS_ADDRESS=" + address)
	return nil
}

// manager starts openbox and waits until it says that it manages the windows.
func (r *running) manager(ctx context.Context) error {
	if err := admit(ctx, r.Display, r.cookie, os.Geteuid()); err != nil {
		return r.failed(ctx, r.parts[0], err)
	}
	openbox, err := r.run(nil, "openbox", "--sm-disable", "--startup", `sh -c '>"$XDG_RUNTIME_DIR/managed"'`)
	if err != nil {
		return err
	}
	for !exists(filepath.Join(r.Dir, "run", "managed")) {
		if err := wait.Sleep(ctx, 10*time.Millisecond); err != nil || slices.ContainsFunc(r.parts, (*part).hasEnded) {
			return r.failed(ctx, openbox, err)
		}
	}
	return nil
}
