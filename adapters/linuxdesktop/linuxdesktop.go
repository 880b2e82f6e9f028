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

// Desktop is one screen with its programs. It is a [desktop.Desktop] and a [desktop.Scoper], and
// safe for concurrent use: those who act wait for one another.
type Desktop struct {
	opts    Options
	x       *x11.Display
	tree    *atspi.Client
	box     *desktop.Toolbox
	clicked clicked
	all     *view // acts on the window that has the focus

	input chan struct{} // who fills it has the pointer and the keyboard

	mu       sync.Mutex // of what follows
	closed   bool
	programs programs
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
	d := &Desktop{
		opts: opts, input: make(chan struct{}, 1), frames: map[x11.WindowID]atspi.Ref{}, ready: map[x11.WindowID]bool{},
		unfolded: map[string]bool{},
	}
	d.all = newView(d, 0)
	var err error
	if d.box, err = desktop.NewToolbox(tools(opts.Extensions), nil); err != nil {
		return nil, fmt.Errorf("linuxdesktop: %w", err)
	}
	if d.x, err = x11.Open(ctx, opts.Display); err != nil {
		return nil, fmt.Errorf("linuxdesktop: %w", err)
	}
	if err := d.managed(ctx); err != nil {
		d.x.Close()
		return nil, fmt.Errorf("linuxdesktop: %w", err)
	}
	if d.tree, err = atspi.Dial(ctx, opts.Bus, 0); err != nil {
		d.x.Close()
		return nil, fmt.Errorf("linuxdesktop: %w", err)
	}
	return d, nil
}

func (d *Desktop) managed(ctx context.Context) error {
	ok, err := d.x.Managed(ctx)
	if err == nil && !ok {
		err = x11.ErrNoManager
	}
	return err
}

// Close ends the programs that this Desktop launched, and its connections. Calls that are running
// end with an error.
func (d *Desktop) Close() error {
	d.mu.Lock()
	was := d.closed
	d.closed = true
	d.mu.Unlock()
	if was {
		return nil
	}
	d.programs.end()
	d.x.Close()
	if err := d.tree.Close(); err != nil {
		return fmt.Errorf("linuxdesktop: %w", err)
	}
	return nil
}

// Calls returns how many calls were made to the accessibility tree so far: most of the time of
// a look goes there.
func (d *Desktop) Calls() int64 { return d.tree.Calls() }

// Tools lists what the Desktop can do. Not each program can do all of it: the package comment says which
// cannot do what.
func (d *Desktop) Tools(ctx context.Context) ([]desktop.Tool, error) { return d.all.Tools(ctx) }

// Execute runs one command. One that is for a window acts on that with the focus.
func (d *Desktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return d.all.Execute(ctx, cmd)
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
	id, ok := parseWindowID(windowID)
	if _, there := s.window(id); !ok || !there {
		return nil, errors.New("linuxdesktop: there is no such window")
	}
	return newView(d, id), nil
}

// Tree is the accessibility tree.
func (v *view) Tree() *atspi.Client { return v.tree }

// Display is the X display.
func (v *view) Display() *x11.Display { return v.x }

// Find returns the control of an id, and its window.
func (v *view) Find(ctx context.Context, id string) (*atspi.Node, x11.Window, error) {
	g, err := v.group(ctx)
	if err != nil {
		return nil, x11.Window{}, err
	}
	return v.find(ctx, g, id)
}

// Aim returns the control that an act is for, and its window.
func (v *view) Aim(ctx context.Context, id string) (*atspi.Node, x11.Window, error) {
	t, err := v.aim(ctx, id, nil)
	if err != nil {
		return nil, x11.Window{}, err
	}
	return t.Node, t.window, nil
}

// Controls reads a window.
func (v *view) Controls(ctx context.Context, w x11.Window) (*atspi.Node, error) {
	s, err := v.look(ctx)
	if err != nil {
		return nil, err
	}
	top, err := v.frameOf(ctx, s, w)
	if err != nil {
		return nil, err
	}
	n, _, err := v.tree.Read(ctx, top)
	return n, err
}

// open says why nothing can be done.
func (d *Desktop) open(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case d.closed:
		return errClosed
	}
	return nil
}
