package desktoptest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// App is one scripted application: a program with one window. The exported
// fields are the script; fill them in before the App is given to a [Desktop] and
// leave them alone afterwards. What happens to the application later does not
// change them, the methods tell and change it.
type App struct {
	// Root is the program, such as winword, by which launch_application calls it in
	// any case of letters. It must be set.
	Root string
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

	// Controls are what is in the window. Every launch starts with a copy. No two have the same id,
	// also not one of a dialog and one of its Owner.
	Controls []desktop.Control
	// Tools are offered where commands act on this App's window. One of the
	// same name as a well-known one replaces it there.
	Tools []Tool

	desktop  *Desktop // set once
	id       string   // of the first window
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
	hidden   bool      // launched, and does not show yet
	showsAt  time.Time // zero: it never does by itself
	closed   bool
}

// open makes the App's window. The Desktop's lock is held.
func (a *App) open() *window {
	a.launches++
	w := &window{app: a, id: a.id, process: a.Process, title: cmp.Or(a.Title, a.Root), controls: cloneControls(a.Controls)}
	if a.launches > 1 {
		w.id = fmt.Sprintf("%s-%d", a.id, a.launches)
	}
	if w.process == "" && a.Owner != nil && a.Owner.window != nil {
		w.process = a.Owner.window.process
	}
	w.process = cmp.Or(w.process, w.id)
	a.window = w
	return w
}

func (a *App) shows() bool { return a.window != nil && !a.window.hidden }

// Window returns the App's window as it is now; false when none shows.
func (a *App) Window() (desktop.Window, bool) {
	defer a.desktop.lock()()
	if !a.shows() {
		return desktop.Window{}, false
	}
	return a.desktop.describe(a.window), true
}

// Value returns the value of the control of that id, "" when there is none.
func (a *App) Value(id string) string {
	defer a.desktop.lock()()
	if a.shows() {
		if c := findControl(a.window.controls, id); c != nil {
			return c.Value
		}
	}
	return ""
}

// ChangeWindow calls change with the window, whose Title, Dialog and Focus it may
// change; it stays the same window. This, like the other changes, fails the test
// when the App has no window. A change must not call the Desktop or an App.
func (a *App) ChangeWindow(change func(w *desktop.Window)) {
	a.change(func(w *window) {
		now := a.desktop.describe(w)
		now.Dialog, now.Focus = w.dialog, w.focus
		change(&now)
		w.title, w.dialog, w.focus = now.Title, now.Dialog, now.Focus
	})
}

// SetControls replaces what is in the window.
func (a *App) SetControls(controls ...desktop.Control) {
	a.change(func(w *window) { w.controls = cloneControls(controls) })
}

// ChangeControl calls change with the control of that id. An id that the window
// does not have fails the test.
func (a *App) ChangeControl(id string, change func(c *desktop.Control)) {
	a.change(func(w *window) {
		if c := findControl(w.controls, id); c != nil {
			change(c)
		} else {
			a.desktop.t.Errorf("desktoptest: the window of %s has no control %q", a.Root, id)
		}
	})
}

// change calls f under the lock with the window that shows.
func (a *App) change(f func(w *window)) {
	defer a.desktop.lock()()
	if a.shows() {
		f(a.window)
	} else {
		a.desktop.t.Errorf("desktoptest: %s has no window now", a.Root)
	}
}

// Gone closes the App's window without a command, as a crash or a person does.
// An App that is not running stays so.
func (d *Desktop) Gone(app *App) {
	defer d.with(app)()
	d.close(app)
}

// Show opens the App's window at once, without a command and without the
// focus, as a person does. The window of an App that is being launched shows. One
// that has an Owner with the focus takes the focus.
func (d *Desktop) Show(app *App) {
	defer d.with(app)()
	if app.window == nil {
		app.open()
	}
	app.window.hidden = false
	if owner := app.Owner; owner != nil && owner.window != nil && d.focus == owner.window {
		d.focus = app.window // as it takes the input of the window that it belongs to
	}
}

// with locks the desktop. It panics if the App is not on it: nothing that the test says about it
// could come true.
func (d *Desktop) with(app *App) (unlock func()) {
	if app.desktop != d {
		panic("desktoptest: the App " + app.Root + " is not on this desktop")
	}
	return d.lock()
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
