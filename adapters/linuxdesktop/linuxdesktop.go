package linuxdesktop

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// Options of [Open].
type Options struct {
	// Display is the X display, such as ":0". There is no default: nobody's own screen is
	// driven by mistake.
	Display string
	// Bus is the address of the session bus, such as "unix:path=/run/user/1000/bus".
	Bus string
	// Env is the environment of programs that are launched, but for DISPLAY and
	// DBUS_SESSION_BUS_ADDRESS, which are Display and Bus. Nil: that of this process.
	Env []string
	// Dir is the folder in which they start. "": that of this process.
	Dir string
	// Programs says how to start what launch_application names, such as
	// {"libreoffice-calc": {"soffice", "--calc", "--norestore"}}.
	Programs map[string][]string
	// Extensions do commands in a way of their own for one kind of program. Package libreoffice has one.
	Extensions []Extension
}

// Extension adds tools for one kind of program. It works with internal parts of this module, so extensions are packages of it.
type Extension = screen.Extension

// OptionsError says that an option of [Open] or [Policy] cannot be used.
type OptionsError struct {
	Field string
	Err   error
}

func (e *OptionsError) Error() string { return fmt.Sprintf("linuxdesktop: %s: %v", e.Field, e.Err) }

// Unwrap returns the reason.
func (e *OptionsError) Unwrap() error { return e.Err }

var errClosed = errors.New("linuxdesktop: the desktop is closed")

// Desktop is one screen with its programs, or a window of it. It is a [desktop.Desktop] and a [desktop.Scoper], and
// safe for concurrent use: those who act wait for one another.
type Desktop struct {
	*session

	only  x11.WindowID          // 0: the window with the focus
	shown map[string]shown      // the controls that were shown, by id
	seen  map[x11.WindowID]bool // the windows that were shown; nil: nobody has looked yet
}

// session is what a Desktop and those of its windows share.
type session struct {
	opts     Options
	x        *x11.Display
	tree     *atspi.Client
	box      *desktop.Toolbox
	clicked  clicked
	input    chan struct{}  // who fills it has the pointer and the keyboard
	closing  chan struct{}  // closed when the Desktop is
	end      func() error   // closes it, once
	launched sync.WaitGroup // of programs that end with the Desktop

	mu       sync.Mutex                 // of what follows, of closing, and of what was shown
	frames   map[x11.WindowID]atspi.Ref // the objects of windows, as far as they are sure
	ready    map[x11.WindowID]bool      // windows that have shown their controls
	unfolded map[string]bool            // controls that are shown with what is inside them
}

// Open connects to a screen. Whoever opens a Desktop closes it. The error is an [*OptionsError],
// or says what does not answer.
func Open(ctx context.Context, opts Options) (*Desktop, error) {
	if opts.Programs = maps.Clone(opts.Programs); opts.Env == nil {
		opts.Env = os.Environ()
	}
	opts.Env = append(slices.Clone(opts.Env), "DISPLAY="+opts.Display, "DBUS_SESSION_BUS_ADDRESS="+opts.Bus) // the last of a name counts
	switch {
	case opts.Display == "":
		return nil, &OptionsError{"Display", errors.New("there is none")}
	case opts.Bus == "":
		return nil, &OptionsError{"Bus", errors.New("there is none")}
	}
	for name, argv := range opts.Programs {
		if name == "" || len(argv) == 0 || argv[0] == "" {
			return nil, &OptionsError{"Programs", fmt.Errorf("%q: a name or a command is empty", name)}
		}
	}
	d := &Desktop{shown: map[string]shown{}, session: &session{
		opts: opts, input: make(chan struct{}, 1), closing: make(chan struct{}),
		frames: map[x11.WindowID]atspi.Ref{}, ready: map[x11.WindowID]bool{}, unfolded: map[string]bool{},
	}}
	d.end = sync.OnceValue(d.close)
	var err error
	if d.box, err = desktop.NewToolbox(tools(opts.Extensions), nil); err != nil {
		return nil, fmt.Errorf("linuxdesktop: %w", err)
	}
	if d.x, err = x11.Open(ctx, opts.Display); err != nil {
		return nil, fmt.Errorf("linuxdesktop: %w", err)
	}
	managed, err := d.x.Managed(ctx)
	if err == nil && !managed {
		err = x11.ErrNoManager
	}
	if err == nil {
		d.tree, err = atspi.Dial(ctx, opts.Bus, 0)
	}
	if err != nil {
		d.x.Close()
		return nil, fmt.Errorf("linuxdesktop: %w", err)
	}
	return d, nil
}

// Close ends the programs that this Desktop launched, and its connections. Calls that are running
// end with an error.
func (d *Desktop) Close() error { return d.end() }

func (d *Desktop) close() error {
	d.mu.Lock()
	close(d.closing)
	d.mu.Unlock()
	d.launched.Wait()
	d.x.Close()
	if err := d.tree.Close(); err != nil {
		return fmt.Errorf("linuxdesktop: %w", err)
	}
	return nil
}

// Tools lists what the Desktop can do. Not each program can do all of it: the package comment says which
// cannot do what.
func (d *Desktop) Tools(ctx context.Context) ([]desktop.Tool, error) {
	if err := d.open(ctx); err != nil {
		return nil, err
	}
	return d.box.Tools(), nil
}

// Scope narrows the Desktop to a window and those that it owns.
func (d *Desktop) Scope(ctx context.Context, windowID string) (desktop.Desktop, error) {
	if err := d.open(ctx); err != nil {
		return nil, err
	}
	s, err := d.look(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.named(windowID)
	if err != nil {
		return nil, fmt.Errorf("linuxdesktop: %w", err)
	}
	return &Desktop{session: d.session, only: w.ID, shown: map[string]shown{}}, nil
}

// open says why nothing can be done.
func (d *Desktop) open(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-d.closing:
		return errClosed
	default:
		return nil
	}
}
