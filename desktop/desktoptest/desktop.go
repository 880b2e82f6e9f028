package desktoptest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// errBroken is the error of [Desktop.Break] when the test names none.
var errBroken = errors.New("desktoptest: the transport is broken")

var (
	_ desktop.Desktop = (*Desktop)(nil)
	_ desktop.Scoper  = (*Desktop)(nil)
)

// Desktop is a [desktop.Desktop] in memory. Make one with [New].
type Desktop struct {
	t testing.TB

	mu    sync.Mutex
	apps  []*App
	tools []*tool   // well-known ones that are not taken away, then those of AddTools
	focus *window   // nil: no window has the focus
	rules []*Rule   // oldest first
	log   []*record // in the order in which commands came

	listed listing // what was listed last
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
	names := slices.AppendSeq(slices.Collect(maps.Keys(builtins)), maps.Keys(waiting))
	for _, name := range slices.Sorted(slices.Values(names)) {
		if extra[name] {
			continue
		}
		made, err := d.known(Tool{Name: name})
		if err != nil {
			d.t.Fatalf("%v", err)
		}
		d.tools = append(d.tools, made)
	}
	d.Add(apps...)
	return d
}

// known returns a well-known command, nil where the script is more than the name of one.
func (d *Desktop) known(script Tool) (*tool, error) {
	desc, ok := desktop.ToolNamed(script.Name)
	if !ok || script.Description+script.Schema != "" || script.Annotations != (desktop.Annotations{}) || script.Returns != nil || script.Run != nil {
		return nil, nil //nolint:nilnil // it is one of the test's own
	}
	made, err := newTool(desc)
	if err != nil {
		return nil, err
	}
	if made.builtin, made.run = builtins[script.Name], waiting[script.Name]; script.Name == desktop.WaitFor {
		made.run = d.waitFor
	}
	return made, nil
}

// Add installs more applications. Those that are Running show their window.
func (d *Desktop) Add(apps ...*App) {
	d.t.Helper()
	d.mu.Lock()
	var err error
	for _, app := range apps {
		if err = d.install(app); err != nil {
			break
		}
	}
	d.mu.Unlock()
	if err != nil {
		d.t.Fatalf("%v", err)
	}
}

func (d *Desktop) install(app *App) error {
	switch {
	case app == nil:
		return errors.New("desktoptest: nil App")
	case app.Owner != nil && app.Owner.desktop.Load() != d:
		return fmt.Errorf("desktoptest: the Owner of the App %q is not on this desktop", app.Title)
	}
	if app.Root == "" && app.Owner != nil {
		app.Root = app.Owner.Root
	}
	if app.Root == "" {
		return fmt.Errorf("desktoptest: the App with the title %q has no Root", app.Title)
	}
	id := app.ID
	if id == "" {
		id = strconv.Itoa(len(d.apps) + 1)
	}
	for _, other := range d.apps {
		if other.id == id {
			return fmt.Errorf("desktoptest: the Apps %s and %s have the same id %q", other.Root, app.Root, id)
		}
	}
	if err := app.ambiguous(app.Controls); err != nil {
		return err
	}
	var tools []*tool
	for _, script := range app.Tools {
		made, err := script.make()
		if err != nil {
			return err
		}
		tools = append(tools, made)
	}
	if err := unique(tools); err != nil {
		return err
	}
	if !app.desktop.CompareAndSwap(nil, d) {
		return fmt.Errorf("desktoptest: the App %s is in a desktop already; make one for each", app.Root)
	}
	app.id, app.tools = id, tools
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
// same name is replaced. A [Tool] that is nothing but the name of a well-known command
// is that command: get_control, double_click, click_on_coordinates, drag_on_coordinates,
// select_menu, read_table and wait_for are not offered otherwise.
func (d *Desktop) AddTools(tools ...Tool) {
	d.t.Helper()
	for _, script := range tools {
		made, err := d.known(script)
		if made == nil && err == nil {
			made, err = script.make()
		}
		if err != nil {
			d.t.Fatalf("%v", err)
			return
		}
		d.mu.Lock()
		d.tools = slices.DeleteFunc(d.tools, func(t *tool) bool { return t.desc.Name == script.Name })
		d.tools = append(d.tools, made)
		d.mu.Unlock()
	}
}

// Without takes tools away: they are not listed, and a command of theirs fails
// as one of an unknown tool. A name that is not offered fails the test.
func (d *Desktop) Without(tools ...string) {
	d.t.Helper()
	for _, name := range tools {
		d.mu.Lock()
		before := len(d.tools)
		d.tools = slices.DeleteFunc(d.tools, func(t *tool) bool { return t.desc.Name == name })
		found := len(d.tools) < before
		d.mu.Unlock()
		if !found {
			d.t.Errorf("desktoptest: Without: there is no tool %q", name)
		}
	}
}

// Tools lists the tools of the desktop, then those of the App whose window has
// the focus; the App's count where both have one of the same name. Rules for
// list_tools apply. It is not logged.
func (d *Desktop) Tools(ctx context.Context) ([]desktop.Tool, error) { return d.listTools(ctx, nil) }

// Execute runs one command in the window that has the focus. The error is that
// of ctx, that of a [Desktop.Break], or says that the parameters are no JSON.
func (d *Desktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return d.execute(ctx, nil, cmd)
}

// Scope returns a desktop whose commands act on the window of that id, also
// when another has the focus. Once the
// window is closed, whatever needs it fails, also when its App runs again.
func (d *Desktop) Scope(ctx context.Context, windowID string) (desktop.Desktop, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settle(time.Now())
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
	return s.desktop.execute(ctx, s.window, cmd)
}

// nobody stands for a test that is not there, as in an Example.
type nobody struct{ testing.TB }

func (nobody) Helper()                           {}
func (nobody) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (nobody) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
