package office

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
)

// The programs, as the roots of their windows.
const (
	WordName  = "Word"
	ExcelName = "Excel"
)

var (
	// ErrNoWindow says that there is no window of that id.
	ErrNoWindow = errors.New("office: no such window")
	// ErrNoProgram says that a program cannot be launched, or not like that.
	ErrNoProgram = errors.New("office: cannot be launched")
	// ErrClosed says that the desktop was closed.
	ErrClosed = errors.New("office: the desktop is closed")
)

// Desktop is a screen with its applications. It is a desktop.Desktop and a
// desktop.Scoper. Make one with [New].
type Desktop struct {
	tools toolset

	mu     sync.Mutex
	apps   []application
	closed bool
}

// application is a window and what is behind it.
type application struct {
	window desktop.Window
	tools  toolset
	excel  *excel // nil: it is another program
}

// New returns a screen on which Word shows a document.
func New(doc Document) *Desktop {
	d := &Desktop{}
	w := &word{open: doc.Open}
	d.show(WordName, doc.Name, w.tools(), nil)

	known := func(name string) desktop.Tool {
		tool, _ := desktop.ToolNamed(name)
		return tool
	}
	d.tools = toolset{
		{known(desktop.GetDesktopAppInfo), func(context.Context, map[string]any) (any, error) { return d.windows(), nil }},
		{known(desktop.SelectApplicationWindow), func(_ context.Context, p map[string]any) (any, error) { return d.selectWindow(p) }},
		{known(desktop.LaunchApplication), func(_ context.Context, p map[string]any) (any, error) { return d.launch(p) }},
	}
	return d
}

// Excel is the program that makes the workbook of that path, for the list of
// those that a host may launch.
func Excel(path string) hostagent.Program {
	return hostagent.Program{Name: ExcelName, Command: []string{"excel", path}}
}

// Tools lists what the screen itself can do.
func (d *Desktop) Tools(ctx context.Context) ([]desktop.Tool, error) { return d.tools.Tools(ctx) }

// Execute runs a command of the screen.
func (d *Desktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	d.mu.Lock()
	closed := d.closed
	d.mu.Unlock()
	if closed {
		return desktop.Result{}, ErrClosed
	}
	return d.tools.Execute(ctx, cmd)
}

// Scope returns the application behind a window.
func (d *Desktop) Scope(_ context.Context, windowID string) (desktop.Desktop, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, a := range d.apps {
		if a.window.ID == windowID {
			return a.tools, nil
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrNoWindow, windowID)
}

// Close gives up what the applications hold; what is not saved is lost. A second
// Close does nothing.
func (d *Desktop) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	var errs []error
	for _, a := range d.apps {
		if a.excel != nil {
			errs = append(errs, a.excel.close())
		}
	}
	d.apps = nil
	return errors.Join(errs...)
}

// markSaved says that the workbook behind a window is saved.
func (d *Desktop) markSaved(id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, a := range d.apps {
		if a.window.ID == id && a.excel != nil {
			a.excel.markSaved()
			return nil
		}
	}
	return fmt.Errorf("%w: %q", ErrNoWindow, id)
}

func (d *Desktop) windows() []desktop.Window {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := make([]desktop.Window, len(d.apps))
	for i, a := range d.apps {
		list[i] = a.window
	}
	return list
}

// show opens a window, in front of the others.
func (d *Desktop) show(program, file string, tools toolset, e *excel) desktop.Window {
	d.mu.Lock()
	defer d.mu.Unlock()
	w := desktop.Window{
		ID: fmt.Sprintf("window-%d", len(d.apps)+1), Root: program, Process: file,
		Title: file + " - " + program,
	}
	d.apps = append(d.apps, application{window: w, tools: tools, excel: e})
	w, _ = d.focus(w.ID) // it is there
	return w
}

// focus brings a window to the front. An unknown one changes nothing.
func (d *Desktop) focus(id string) (desktop.Window, error) {
	at := slices.IndexFunc(d.apps, func(a application) bool { return a.window.ID == id })
	if at < 0 {
		return desktop.Window{}, fmt.Errorf("%w: %q", ErrNoWindow, id)
	}
	for i := range d.apps {
		d.apps[i].window.Focused = i == at
	}
	return d.apps[at].window, nil
}

func (d *Desktop) selectWindow(parameters map[string]any) (any, error) {
	var p struct {
		ID string `json:"id"`
	}
	if err := decode(parameters, &p); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.focus(p.ID)
}

func (d *Desktop) launch(parameters map[string]any) (any, error) {
	var p struct {
		Name    string   `json:"name"`
		Command []string `json:"command"`
	}
	if err := decode(parameters, &p); err != nil {
		return nil, err
	}
	if !strings.EqualFold(p.Name, ExcelName) || len(p.Command) != 2 {
		return nil, fmt.Errorf("%w: %s with the command %q", ErrNoProgram, p.Name, p.Command)
	}
	e := newExcel(p.Command[1])
	return d.show(ExcelName, e.name(), e.tools(), e), nil
}
