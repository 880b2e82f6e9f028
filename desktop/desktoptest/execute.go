package desktoptest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

var errPanicked = errors.New("desktoptest: the call panicked")

// execute runs one command and logs it. scope nil: the window with the focus.
func (d *Desktop) execute(ctx context.Context, scope *window, cmd desktop.Command) (desktop.Result, error) {
	if err := ctx.Err(); err != nil {
		return desktop.Result{}, err
	}
	raw, err := wire(cmd.Parameters)
	if err != nil {
		return desktop.Result{}, fmt.Errorf("desktoptest: the parameters of %s are no JSON: %w", cmd.ToolName, err)
	}
	call, entry := d.arrive(scope, cmd, raw)
	ending := answer{err: errPanicked}
	defer func() { d.leave(entry, ending) }()
	done := d.perform(ctx, scope, call, entry)
	if done.err == nil && done.result.CallID == "" {
		done.result.CallID = cmd.CallID
	}
	ending = done
	return done.result, done.err
}

// listTools is list_tools as a method: the same rules, no entry in the log.
func (d *Desktop) listTools(ctx context.Context, scope *window) ([]desktop.Tool, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	call := Call{Tool: desktop.ListTools, raw: json.RawMessage("{}")}
	d.mu.Lock()
	d.resolve(scope, &call)
	d.mu.Unlock()
	done := d.perform(ctx, scope, call, nil)
	if done.err != nil {
		return nil, done.err
	}
	if err := done.result.Err(); err != nil {
		return nil, fmt.Errorf("desktoptest: list_tools: %w", err)
	}
	return d.decodeTools(&done.result)
}

// decodeTools reads a list of tools. Mostly it is the one before, of which it returns a copy.
func (d *Desktop) decodeTools(r *desktop.Result) ([]desktop.Tool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	same := len(r.Content) == 1 && len(d.listed.raw) > 0 && bytes.Equal(r.Content[0].JSON, d.listed.raw)
	if !same {
		var tools []desktop.Tool
		if err := r.Decode(&tools); err != nil {
			return nil, fmt.Errorf("desktoptest: list_tools: %w", err)
		}
		d.listed = listing{tools: tools}
		if len(r.Content) == 1 {
			d.listed.raw = bytes.Clone(r.Content[0].JSON)
		}
	}
	tools := slices.Clone(d.listed.tools)
	for i := range tools {
		tools[i].InputSchema = bytes.Clone(tools[i].InputSchema)
	}
	return tools, nil
}

// listing is a list of tools, and the JSON that it was read from.
type listing struct {
	raw   []byte
	tools []desktop.Tool
}

// answer is how a command ended.
type answer struct {
	result   desktop.Result
	err      error
	executed bool // the application carried it out, whatever result says
}

// perform takes a command through hooks, delays and faults to its tool. entry
// is nil for a listing.
func (d *Desktop) perform(ctx context.Context, scope *window, call Call, entry *record) answer {
	for _, r := range d.take(before, call) {
		r.hook(call.own())
	}
	wait, faults, hooks := d.take(delays, call), d.take(instead, call), d.take(after, call)
	if err := pause(ctx, wait, false); err != nil {
		return answer{err: err}
	}
	var done answer
	fault := len(faults) > 0
	if !fault || faults[0].late {
		done = d.carryOut(ctx, scope, call, entry)
		d.executed(entry, done.executed) // now: a panic below must not hide it
		if done.err == nil {
			done.err = pause(ctx, wait, true)
		}
		if done.err != nil {
			return answer{err: done.err, executed: done.executed}
		}
	}
	if fault {
		done.result, done.err = faults[0].do(ctx, call.own())
		if faults[0].works && done.err == nil && done.result.Status == desktop.Success {
			done.executed = true
		}
	}
	if done.err == nil || ctx.Err() == nil {
		for _, r := range hooks {
			r.hook(call.own())
		}
	}
	return done
}

// carryOut does what the command says, in the window that it means by now.
func (d *Desktop) carryOut(ctx context.Context, scope *window, call Call, entry *record) answer {
	d.mu.Lock()
	d.settle(time.Now())
	w := d.resolve(scope, &call)
	if entry != nil {
		entry.window = call.Window
	}
	found := d.find(call.Tool, w)
	if found == nil && call.Tool == desktop.ListTools && entry == nil {
		found = &tool{builtin: listAll} // taken away as a command, not as a method
	}
	var refused error
	switch {
	case found == nil && w != nil && w.closed:
		refused = w.gone()
	case found == nil:
		refused = fmt.Errorf("there is no tool %q", call.Tool)
	case found.box != nil:
		if err := found.box.Check(desktop.Command{ToolName: call.Tool, Parameters: call.own().Params}); err != nil {
			refused = err
		}
	}
	if refused != nil || found.builtin != nil {
		defer d.mu.Unlock()
		if refused != nil {
			return answer{result: failure(refused)}
		}
		v, err := found.builtin(d, w, call.own())
		return finish(ctx, v, err)
	}
	d.mu.Unlock()
	v, err := found.run(ctx, call.own())
	return finish(ctx, v, err)
}

func finish(ctx context.Context, v any, err error) answer {
	res, err := outcome(ctx, v, err)
	return answer{result: cloneResult(res), err: err, executed: err == nil && res.Status == desktop.Success}
}

// resolve finds the window that a command acts on, open or not, and writes it
// into the call. The lock is held.
func (d *Desktop) resolve(scope *window, call *Call) *window {
	params := call.own().Params
	id, _ := params["id"].(string)
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
		if inside, _ := d.having(w, id); inside != nil { // a dialog's own control
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
	var own []*tool
	if w != nil && !w.closed {
		own = w.app.tools
	}
	list := slices.DeleteFunc(slices.Clone(d.tools), func(t *tool) bool {
		return slices.ContainsFunc(own, func(o *tool) bool { return o.desc.Name == t.desc.Name })
	})
	return append(list, own...)
}

// settle shows the windows whose time has come. Each takes the focus, in the
// order in which they show. The lock is held.
func (d *Desktop) settle(now time.Time) {
	var due []*window
	for _, app := range d.apps {
		if w := app.window; w != nil && w.hidden && !w.never && !now.Before(w.showsAt) {
			due = append(due, w)
		}
	}
	slices.SortStableFunc(due, func(a, b *window) int { return a.showsAt.Compare(b.showsAt) })
	for _, w := range due {
		w.hidden = false
		d.focus = w
	}
}

func (d *Desktop) windowByID(id string) *window {
	for _, app := range d.apps {
		if w := app.window; w != nil && !w.hidden && w.id == id {
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

func (d *Desktop) close(app *App) {
	w := app.window
	if w == nil {
		return
	}
	for _, o := range d.owned(w) {
		o.closed = true
		o.app.window = nil
		if d.focus == o {
			d.focus = nil
		}
	}
	w.closed = true
	app.window = nil
	if d.focus == w {
		d.focus = nil
		if app.Owner != nil { // it gives the focus back
			d.focus = app.Owner.window
		}
	}
}

func (w *window) gone() error { return closedError(fmt.Sprintf("the window %q is closed", w.id)) }

// closedError is a [desktop.ErrWindowGone] in words of its own.
type closedError string

func (e closedError) Error() string { return string(e) }
func (e closedError) Unwrap() error { return desktop.ErrWindowGone }

// wire is the form in which parameters travel.
func wire(params map[string]any) (json.RawMessage, error) {
	if params == nil {
		return json.RawMessage("{}"), nil
	}
	return json.Marshal(params)
}

// own returns the call with parameters that nobody else has.
func (c Call) own() Call {
	c.Params = nil
	_ = json.Unmarshal(c.raw, &c.Params) // what wire wrote
	return c
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
