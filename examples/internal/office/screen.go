package office

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
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

// Desktop is a screen with its applications. Make one with [New]. It is safe for concurrent use.
type Desktop struct {
	mu      sync.Mutex
	windows []desktop.Window
	apps    map[string]desktop.Desktop // by the id of the window
	excels  map[string]*excel          // those of them that are Excel
}

// New returns a screen on which Word shows a document.
func New(doc Document) *Desktop {
	d := &Desktop{apps: map[string]desktop.Desktop{}, excels: map[string]*excel{}}
	d.show(WordName, doc.Name, TableTools(doc.Tables))
	return d
}

// Excel is the program that makes the workbook of that path, for the programs that a host may launch.
func Excel(path string) hostagent.Program {
	return hostagent.Program{Name: ExcelName, Command: []string{"excel", path}}
}

// Tools lists what the screen itself can do.
func (d *Desktop) Tools(context.Context) (list []desktop.Tool, _ error) {
	for _, name := range []string{desktop.GetDesktopAppInfo, desktop.SelectApplicationWindow, desktop.LaunchApplication} {
		tool, _ := desktop.ToolNamed(name) // it is a well-known one
		list = append(list, tool)
	}
	return list, nil
}

// Execute runs a command of the screen.
func (d *Desktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ctx.Err() != nil {
		return desktop.Result{}, context.Cause(ctx)
	}
	if d.apps == nil {
		return desktop.Result{}, ErrClosed
	}
	var p struct {
		ID      string
		Name    string
		Command []string
	}
	raw, err := json.Marshal(cmd.Parameters)
	if err = errors.Join(err, json.Unmarshal(raw, &p)); err != nil {
		return desktop.FailureResult("office: %v", err), nil
	}
	switch cmd.ToolName {
	case desktop.GetDesktopAppInfo:
		return desktop.JSONResult(d.windows)
	case desktop.SelectApplicationWindow:
		return d.focus(p.ID)
	case desktop.LaunchApplication:
		if !strings.EqualFold(p.Name, ExcelName) || len(p.Command) != 2 {
			return desktop.FailureResult("%v: %s with the command %q", ErrNoProgram, p.Name, p.Command), nil
		}
		e := newExcel(p.Command[1])
		w := d.show(ExcelName, filepath.Base(e.path), e.tools)
		d.excels[w.ID] = e
		return desktop.JSONResult(w)
	}
	return desktop.FailureResult("office: there is no tool %q here", cmd.ToolName), nil
}

// Scope returns the application behind a window.
func (d *Desktop) Scope(_ context.Context, id string) (desktop.Desktop, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.apps[id] == nil {
		return nil, fmt.Errorf("%w: %q", ErrNoWindow, id)
	}
	return d.apps[id], nil
}

// Saved says that the workbook behind a window is in its file already. It reports whether there is such a window.
func (d *Desktop) Saved(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.excels[id] == nil {
		return false
	}
	d.excels[id].mark()
	return true
}

// Close gives up what the applications hold. What is not saved is lost.
func (d *Desktop) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, e := range d.excels {
		errs = append(errs, e.book.Close())
	}
	d.apps, d.excels, d.windows = nil, nil, nil
	return errors.Join(errs...)
}

// show opens a window in front of the others.
func (d *Desktop) show(program, file string, tools desktop.Desktop) desktop.Window {
	w := desktop.Window{ID: fmt.Sprintf("window-%d", len(d.windows)+1), Root: program, Process: file, Title: file + " - " + program}
	d.windows, d.apps[w.ID] = append(d.windows, w), tools
	_, _ = d.focus(w.ID) // it is there
	return d.windows[len(d.windows)-1]
}

// focus brings a window to the front.
func (d *Desktop) focus(id string) (desktop.Result, error) {
	if d.apps[id] == nil {
		return desktop.FailureResult("%v: %q", ErrNoWindow, id), nil
	}
	var front desktop.Window
	for i := range d.windows {
		w := &d.windows[i]
		if w.Focused = w.ID == id; w.Focused {
			front = *w
		}
	}
	return desktop.JSONResult(front)
}
