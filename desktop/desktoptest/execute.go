package desktoptest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// execute runs one command and fills in its entry. scope nil: the window with the focus.
func (d *Desktop) execute(ctx context.Context, scope *window, cmd desktop.Command, entry *Entry) (desktop.Result, error) {
	if err := ctx.Err(); err != nil {
		return desktop.Result{}, err
	}
	params, err := wire(cmd.Parameters)
	if err != nil {
		return desktop.Result{}, fmt.Errorf("desktoptest: the parameters of %s are no JSON: %w", cmd.ToolName, err)
	}
	cmd.Parameters = params
	call := Call{Tool: cmd.ToolName, Params: params}
	d.arrive(scope, &call, cmd, entry)
	res, err := d.perform(ctx, call, entry, func() (desktop.Result, error) { return d.carryOut(ctx, scope, call, entry) })
	if err == nil && res.CallID == "" {
		res.CallID = cmd.CallID
	}
	defer d.lock()()
	entry.Result, entry.Err = res, err
	return cloneResult(res), err
}

// arrive opens the entry of a command.
func (d *Desktop) arrive(scope *window, call *Call, cmd desktop.Command, entry *Entry) {
	defer d.lock()()
	w := d.resolve(scope, call)
	entry.Command, entry.Window, entry.Err, entry.shown = cmd, call.Window, errUnfinished, cmd.Parameters
	if t := d.find(cmd.ToolName, w); t != nil {
		entry.shown = t.box.Mask(cmd).Parameters
		entry.looks = t.desc.Annotations.ReadOnlyHint
	}
	if !entry.method {
		d.log = append(d.log, entry)
	}
}

// listTools is list_tools as a method: the same rules, no entry in the log.
func (d *Desktop) listTools(ctx context.Context, scope *window) ([]desktop.Tool, error) {
	res, err := d.execute(ctx, scope, desktop.Command{ToolName: desktop.ListTools}, &Entry{method: true})
	if err != nil {
		return nil, err
	}
	var tools []desktop.Tool
	if err = res.Err(); err == nil {
		err = res.Decode(&tools)
	}
	if err != nil {
		return nil, fmt.Errorf("desktoptest: list_tools: %w", err)
	}
	return tools, nil
}

// perform takes a call through hooks, delays and faults to its work.
func (d *Desktop) perform(ctx context.Context, call Call, entry *Entry, work func() (desktop.Result, error)) (res desktop.Result, err error) {
	for _, r := range d.take(before, call.Tool) {
		if _, err := r.do(ctx, call); err != nil {
			return desktop.Result{}, err
		}
	}
	faults, hooks := d.take(instead, call.Tool), d.take(after, call.Tool)
	if len(faults) == 0 || faults[0].late {
		if res, err = work(); err != nil {
			return desktop.Result{}, err
		}
	}
	for _, fault := range faults { // one at most
		res, err = fault.do(ctx, call)
		if fault.works && err == nil && res.Status == desktop.Success {
			d.executed(entry)
		}
	}
	if err == nil || ctx.Err() == nil {
		for _, r := range hooks {
			_, _ = r.do(ctx, call)
		}
	}
	return res, err
}

// executed notes that a command took effect, before anything else goes wrong.
func (d *Desktop) executed(entry *Entry) {
	d.mu.Lock()
	entry.Executed = true
	d.mu.Unlock()
}

// carryOut does what the command says, in the window that it means by now.
func (d *Desktop) carryOut(ctx context.Context, scope *window, call Call, entry *Entry) (desktop.Result, error) {
	found, w, err := d.meant(scope, &call, entry)
	var v any
	switch {
	case err != nil:
	case found.run != nil:
		v, err = found.run(ctx, call)
	default:
		unlock := d.lock()
		v, err = found.builtin(d, w, call)
		unlock()
	}
	res, err := outcome(ctx, v, err)
	if err == nil && res.Status == desktop.Success {
		d.executed(entry)
	}
	return res, err
}

// meant returns the tool that a command means and the window that it acts on, or why it is refused.
func (d *Desktop) meant(scope *window, call *Call, entry *Entry) (*tool, *window, error) {
	defer d.lock()()
	w := d.resolve(scope, call)
	entry.Window = call.Window
	found := d.find(call.Tool, w)
	switch {
	case entry.method: // also where it is taken away as a command
		return &tool{builtin: listAll}, w, nil
	case found != nil:
		return found, w, found.box.Check(desktop.Command{ToolName: call.Tool, Parameters: call.Params})
	case w != nil && w.closed:
		return nil, w, w.gone()
	}
	return nil, w, fmt.Errorf("there is no tool %q", call.Tool)
}

// resolve finds the window that a command acts on, open or not, and writes it
// into the call. The lock is held.
func (d *Desktop) resolve(scope *window, call *Call) *window {
	id := call.text("id")
	w := scope
	if w == nil {
		w = d.focus
	}
	call.App, call.Window = nil, desktop.Window{}
	switch call.Tool {
	case desktop.GetDesktopAppInfo, desktop.CaptureDesktopScreenshot:
		w = nil
	case desktop.SelectApplicationWindow, desktop.CloseApplication:
		w = d.windowByID(id)
	case desktop.LaunchApplication:
		w = nil
		if call.App = d.launched(*call); call.App != nil {
			w = call.App.window
		}
	}
	if w != nil {
		at := w
		if inside, _, err := d.having(w, id); err == nil { // a dialog's own control
			at = inside
		}
		call.App = at.app
		if !at.hidden {
			call.Window = d.describe(at)
		}
	}
	return w
}

// find returns the tool of that name for a command that acts on w.
func (d *Desktop) find(name string, w *window) *tool {
	for _, t := range d.offered(w) {
		if t.desc.Name == name {
			return t
		}
	}
	return nil
}

// offered lists the tools for commands that act on w: an App's own take the
// place of those of the desktop.
func (d *Desktop) offered(w *window) []*tool {
	if w == nil || w.closed {
		return d.tools
	}
	list := slices.DeleteFunc(slices.Clone(d.tools), func(t *tool) bool {
		return slices.ContainsFunc(w.app.tools, func(o *tool) bool { return o.desc.Name == t.desc.Name })
	})
	return append(list, w.app.tools...)
}

// lock locks the desktop and shows the windows whose time has come. The last of them takes the
// focus.
func (d *Desktop) lock() (unlock func()) {
	d.mu.Lock()
	var last *window
	for _, app := range d.apps {
		w := app.window
		if w == nil || !w.hidden || w.showsAt.IsZero() || time.Now().Before(w.showsAt) {
			continue
		}
		w.hidden = false
		if last == nil || !w.showsAt.Before(last.showsAt) {
			last, d.focus = w, w
		}
	}
	return d.mu.Unlock
}

func (d *Desktop) windowByID(id string) *window {
	for _, w := range d.shown() {
		if w.id == id {
			return w
		}
	}
	return nil
}

func (d *Desktop) describe(w *window) desktop.Window {
	seen := desktop.Window{ID: w.id, Root: w.app.Root, Process: w.process, Title: w.title, Description: w.app.Description, Focused: d.focus == w}
	if owner := w.app.Owner; owner != nil && owner.window != nil {
		seen.Owner = owner.window.id
	}
	return seen
}

// close closes the window of an App and those that belong to it. An Owner gets the focus back.
func (d *Desktop) close(app *App) {
	if app.window == nil {
		return
	}
	for _, w := range d.withOwned(app.window) {
		w.closed, w.app.window = true, nil
		if d.focus != w {
			continue
		}
		d.focus = nil
		if app.Owner != nil {
			d.focus = app.Owner.window
		}
	}
}

func (w *window) gone() error { return closedError(fmt.Sprintf("the window %q is closed", w.id)) }

// closedError is a [desktop.ErrWindowGone] in words of its own.
type closedError string

func (e closedError) Error() string { return string(e) }
func (e closedError) Unwrap() error { return desktop.ErrWindowGone }

// wire returns parameters as they come off a wire.
func wire(params map[string]any) (map[string]any, error) {
	if params == nil {
		return map[string]any{}, nil
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	var read map[string]any
	return read, json.Unmarshal(raw, &read)
}

func cloneResult(res desktop.Result) desktop.Result {
	res.Content = slices.Clone(res.Content)
	for i := range res.Content {
		c := &res.Content[i]
		c.JSON = slices.Clone(c.JSON)
		if c.Image != nil {
			c.Image = &desktop.Image{MediaType: c.Image.MediaType, Data: slices.Clone(c.Image.Data)}
		}
	}
	return res
}
