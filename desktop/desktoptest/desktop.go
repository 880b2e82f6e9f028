package desktoptest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/agentfsm/agentfsm/desktop"
)

var (
	_ desktop.Desktop = (*Desktop)(nil)
	_ desktop.Scoper  = (*Desktop)(nil)
)

// Desktop is a [desktop.Desktop] in memory. Make one with [New].
type Desktop struct {
	t testing.TB

	mu    sync.Mutex
	apps  []*App
	tools []*tool  // well-known ones that are not taken away, then those of AddTools
	focus *window  // nil: no window has the focus
	rules []*Rule  // oldest first
	log   []*Entry // in the order in which commands came
}

// New returns a desktop with these applications. A script that cannot work (an
// App without Root or in two desktops, ids used twice, a tool with a bad
// schema) ends the test. A nil t is for examples: what would fail a test
// panics.
func New(t testing.TB, apps ...*App) *Desktop {
	if t == nil {
		t = nobody{}
	}
	t.Helper()
	d := &Desktop{t: t}
	for _, name := range slices.Sorted(maps.Keys(builtins)) {
		if name != desktop.GetControl && name != desktop.DoubleClick {
			d.AddTools(Tool{Name: name})
		}
	}
	d.Add(apps...)
	return d
}

// Add installs more applications. Those that are Running show their window.
func (d *Desktop) Add(apps ...*App) {
	d.t.Helper()
	defer d.lock()()
	for _, app := range apps {
		if err := d.install(app); err != nil {
			d.t.Fatalf("desktoptest: the App %q (%s): %v", app.Title, app.Root, err)
		}
	}
}

func (d *Desktop) install(app *App) error {
	if app.desktop != nil {
		return errors.New("it is in a desktop already")
	}
	if app.Owner != nil {
		app.Root = cmp.Or(app.Root, app.Owner.Root)
	}
	app.id = cmp.Or(app.ID, strconv.Itoa(len(d.apps)+1))
	switch {
	case app.Owner != nil && app.Owner.desktop != d:
		return errors.New("its Owner is not on this desktop")
	case app.Root == "":
		return errors.New("it has no Root")
	case slices.ContainsFunc(d.apps, func(other *App) bool { return other.id == app.id }):
		return fmt.Errorf("another one has the id %q", app.id)
	}
	for _, script := range app.Tools {
		made, err := script.make()
		if err != nil {
			return err
		}
		app.tools = append(app.tools, made)
	}
	app.desktop = d
	d.apps = append(d.apps, app)
	if app.Running {
		app.open()
		if d.focus == nil {
			d.focus = app.window
		}
	}
	return nil
}

// AddTools offers more tools, in every window and without one. A tool of the
// same name is replaced. Of the well-known commands that New does not offer,
// get_control and double_click do what they say; the others only succeed.
func (d *Desktop) AddTools(tools ...Tool) {
	d.t.Helper()
	for _, script := range tools {
		made, err := script.make()
		if err != nil {
			d.t.Fatalf("%v", err)
		}
		d.remove(script.Name)
		d.mu.Lock()
		d.tools = append(d.tools, made)
		d.mu.Unlock()
	}
}

// Without takes tools away: they are not listed, and a command of theirs fails
// as one of an unknown tool. A name that is not offered fails the test.
func (d *Desktop) Without(tools ...string) {
	d.t.Helper()
	for _, name := range tools {
		if !d.remove(name) {
			d.t.Errorf("desktoptest: Without: there is no tool %q", name)
		}
	}
}

func (d *Desktop) remove(name string) (found bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := len(d.tools)
	d.tools = slices.DeleteFunc(d.tools, func(t *tool) bool { return t.desc.Name == name })
	return len(d.tools) < before
}

// Tools lists the tools of the desktop, then those of the App whose window has
// the focus; the App's count where both have one of the same name. Rules for
// list_tools apply. It is not logged.
func (d *Desktop) Tools(ctx context.Context) ([]desktop.Tool, error) { return d.listTools(ctx, nil) }

// Execute runs one command in the window that has the focus. The error is that
// of ctx, that of a [Desktop.Break], or says that the parameters are no JSON.
func (d *Desktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return d.execute(ctx, nil, cmd, &Entry{})
}

// Scope returns a desktop whose commands act on the window of that id, also
// when another has the focus. Once the window is closed, whatever needs it
// fails, also when its App runs again.
func (d *Desktop) Scope(ctx context.Context, windowID string) (desktop.Desktop, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer d.lock()()
	w := d.windowByID(windowID)
	if w == nil {
		return nil, fmt.Errorf("desktoptest: no such window: %q", windowID)
	}
	return &scoped{d, w}, nil
}

type scoped struct {
	desktop *Desktop
	window  *window
}

func (s *scoped) Tools(ctx context.Context) ([]desktop.Tool, error) {
	return s.desktop.listTools(ctx, s.window)
}

func (s *scoped) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return s.desktop.execute(ctx, s.window, cmd, &Entry{})
}

// nobody stands for a test that is not there, as in an Example.
type nobody struct{ testing.TB }

func (nobody) Helper()                           {}
func (nobody) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (nobody) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
