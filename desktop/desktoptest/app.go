package desktoptest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// App is one scripted application: a program with one window. The exported
// fields are the script; fill them in before the App is given to a [Desktop] and
// leave them alone afterwards. What happens to the application later does not
// change them, the methods tell and change it.
type App struct {
	// Root is the program, such as winword. It must be set.
	Root string
	// Name is what launch_application may call it besides Root, in any case of
	// letters.
	Name string
	// Command is what launch_application must pass to launch this App: the
	// program and its arguments, such as a document. Nil: any.
	Command []string
	// Process is what the desktop calls this instance. "": the id of its window.
	Process string
	// Title of the window. "": Root.
	Title string
	// Description is what the desktop says that it is for.
	Description string
	// ID of the first window. "": the number of the App, from 1.
	ID string

	// Owner is the App whose window this one's belongs to: a dialog, a sheet or a pop-up. It
	// must be on the desktop already. Root and Process are then the Owner's when they are
	// empty. It closes with the Owner's window.
	Owner *App
	// Modal says that the Owner's window takes no input while this one shows.
	Modal bool

	// Running says that the window shows from the start.
	Running bool
	// LaunchDelay is the time from the launch to the window. Negative: it never
	// shows.
	LaunchDelay time.Duration

	// Controls are what is in the window. Every launch starts with a copy. No two have the same id, also
	// not one of a dialog and one of its Owner: a command means one control by it.
	Controls []desktop.Control
	// Tools are offered where commands act on this App's window. One of the
	// same name as a well-known one replaces it there.
	Tools []Tool

	desktop  atomic.Pointer[Desktop] // set once
	id       string                  // of the first window
	tools    []*tool
	launches int     // windows so far
	window   *window // nil: not running
}

// window is an open window, or one that is about to show. The Desktop's lock
// guards it.
type window struct {
	app      *App
	id       string
	process  string
	title    string
	dialog   string
	focus    string
	controls []desktop.Control
	hidden   bool // launched, and does not show yet
	never    bool // and will not
	showsAt  time.Time
	closed   bool
}

// open makes the App's window. The Desktop's lock is held.
func (a *App) open() *window {
	a.launches++
	w := &window{app: a, id: a.id, process: a.Process, title: a.Title, controls: cloneControls(a.Controls)}
	if a.launches > 1 {
		w.id = fmt.Sprintf("%s-%d", a.id, a.launches)
	}
	if w.process == "" && a.Owner != nil && a.Owner.window != nil {
		w.process = a.Owner.window.process
	}
	if w.process == "" {
		w.process = w.id
	}
	if w.title == "" {
		w.title = a.Root
	}
	a.window = w
	return w
}

// answersTo reports whether a launch of that name and command means this App.
func (a *App) answersTo(name string, command []string) bool {
	named := strings.EqualFold(name, a.Root) || (a.Name != "" && strings.EqualFold(name, a.Name))
	return named && (a.Command == nil || slices.Equal(a.Command, command))
}

// Window returns the App's window as it is now; false when none shows.
func (a *App) Window() (desktop.Window, bool) {
	var seen desktop.Window
	ok := a.withWindow("Window", false, func(d *Desktop, w *window) { seen = d.describe(w) })
	return seen, ok
}

// Value returns the value of the control of that id, "" when there is none.
func (a *App) Value(id string) string {
	value := ""
	a.withWindow("Value", false, func(_ *Desktop, w *window) {
		if c := findControl(w.controls, id); c != nil {
			value = c.Value
		}
	})
	return value
}

// ChangeWindow calls change with the window, whose Title, Dialog and Focus it may
// change; it stays the same window. This, like the other changes, fails the test
// when the App has no window.
func (a *App) ChangeWindow(change func(w *desktop.Window)) {
	var now desktop.Window
	shows := a.withWindow("ChangeWindow", true, func(d *Desktop, w *window) {
		now = d.describe(w)
		now.Dialog, now.Focus = w.dialog, w.focus
	})
	if !shows {
		return
	}
	change(&now) // without the lock: it may look at the Desktop
	a.withWindow("ChangeWindow", true, func(_ *Desktop, w *window) {
		w.title, w.dialog, w.focus = now.Title, now.Dialog, now.Focus
	})
}

// SetControls replaces what is in the window. Two controls of one id fail the test.
func (a *App) SetControls(controls ...desktop.Control) {
	var err error
	a.withWindow("SetControls", true, func(_ *Desktop, w *window) {
		w.controls, err = cloneControls(controls), a.ambiguous(controls)
	})
	a.fail(err)
}

// fail fails the test.
func (a *App) fail(err error) {
	if err != nil {
		a.desktop.Load().t.Errorf("%v", err)
	}
}

// ambiguous says which id two controls of the window have, or one of them and one of a window that
// it belongs to: both show at once.
func (a *App) ambiguous(controls []desktop.Control) (err error) {
	seen := map[string]*App{}
	for owner := a.Owner; owner != nil; owner = owner.Owner {
		theirs := owner.Controls
		if owner.window != nil {
			theirs = owner.window.controls
		}
		each(theirs, func(c desktop.Control) { seen[c.ID] = owner })
	}
	each(controls, func(c desktop.Control) {
		switch in := seen[c.ID]; {
		case c.ID == "" || err != nil:
		case in == a:
			err = fmt.Errorf("desktoptest: two controls of the App %q have the id %q", cmp.Or(a.Title, a.Root), c.ID)
		case in != nil:
			err = fmt.Errorf("desktoptest: a control of the dialog %q and one of its Owner %q have the id %q: give the dialog's an id of its own",
				cmp.Or(a.Title, a.Root), cmp.Or(in.Title, in.Root), c.ID)
		}
		seen[c.ID] = a
	})
	return err
}

// ChangeControl calls change with the control of that id. An id that the window
// does not have fails the test.
func (a *App) ChangeControl(id string, change func(c *desktop.Control)) {
	var now []desktop.Control
	found := func(use func(c *desktop.Control)) bool {
		var c *desktop.Control
		var err error
		shows := a.withWindow("ChangeControl", true, func(_ *Desktop, w *window) {
			if c = findControl(w.controls, id); c != nil {
				use(c)
				err = a.ambiguous(w.controls)
			}
		})
		a.fail(err)
		if shows && c == nil {
			a.desktop.Load().t.Errorf("desktoptest: ChangeControl: the window of %s has no control %q", a.Root, id)
		}
		return c != nil
	}
	if found(func(c *desktop.Control) { now = cloneControls([]desktop.Control{*c}) }) {
		change(&now[0]) // without the lock: it may look at the Desktop
		found(func(c *desktop.Control) { *c = cloneControls(now)[0] })
	}
}

// withWindow calls f under the lock with the window that shows. When none
// does it returns false, and fails the test if the caller needs one.
func (a *App) withWindow(method string, needed bool, f func(*Desktop, *window)) bool {
	d := a.desktop.Load()
	if d == nil {
		panic(fmt.Sprintf("desktoptest: %s of the App %s, which is in no desktop", method, a.Root))
	}
	d.mu.Lock()
	d.settle(time.Now())
	w := a.window
	ok := w != nil && !w.hidden
	if ok {
		f(d, w)
	}
	d.mu.Unlock()
	if !ok && needed {
		d.t.Errorf("desktoptest: %s: %s has no window now", method, a.Root)
	}
	return ok
}

// Gone closes the App's window without a command, as a crash or a person does.
// An App that is not running stays so.
func (d *Desktop) Gone(app *App) {
	d.mine("Gone", app)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settle(time.Now())
	d.close(app)
}

// Show opens the App's window at once, without a command and without the
// focus, as a person does. The window of an App that is being launched shows. One
// that has an Owner with the focus takes the focus.
func (d *Desktop) Show(app *App) {
	d.mine("Show", app)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settle(time.Now())
	if app.window == nil {
		app.open()
	}
	app.window.hidden, app.window.never = false, false
	if owner := app.Owner; owner != nil && owner.window != nil && d.focus == owner.window {
		d.focus = app.window // as it takes the input of the window that it belongs to
	}
}

// mine panics when app is not on this desktop: nothing that the test says
// about it could come true.
func (d *Desktop) mine(method string, app *App) {
	if app == nil || app.desktop.Load() != d {
		panic(fmt.Sprintf("desktoptest: %s of an App that is not on this desktop", method))
	}
}

func cloneControls(list []desktop.Control) []desktop.Control {
	list = slices.Clone(list)
	for i := range list {
		list[i].Children = cloneControls(list[i].Children)
	}
	return list
}

func findControl(list []desktop.Control, id string) *desktop.Control {
	for i := range list {
		if list[i].ID == id {
			return &list[i]
		}
		if c := findControl(list[i].Children, id); c != nil {
			return c
		}
	}
	return nil
}
