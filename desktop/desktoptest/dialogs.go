package desktoptest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// owned are the windows that belong to w, also those of a dialog's own, a modal one first.
func (d *Desktop) owned(w *window) []*window {
	var list []*window
	for _, app := range d.apps {
		if o := app.window; o != nil && !o.hidden && app.Owner != nil && app.Owner.window == w {
			inner := append([]*window{o}, d.owned(o)...)
			if app.Modal {
				list = append(inner, list...)
			} else {
				list = append(list, inner...)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *window) int {
		switch {
		case a.app.Modal == b.app.Modal:
			return 0
		case a.app.Modal:
			return -1
		}
		return 1
	})
	return list
}

// having returns the control of that id, and which window has it: w, or one that w owns.
func (d *Desktop) having(w *window, id string) (*window, *desktop.Control) {
	for _, at := range append(d.owned(w), w) {
		if c := findControl(at.controls, id); c != nil && id != "" {
			return at, c
		}
	}
	return nil, nil
}

// reachable says that a modal dialog takes the input of w.
func (d *Desktop) reachable(w *window) error {
	for _, o := range d.owned(w) {
		if o.app.Modal {
			return fmt.Errorf("the dialog %q is in front of the window and takes its input", o.title)
		}
	}
	return nil
}

// under returns the innermost control at a point, and which window has it.
func (d *Desktop) under(w *window, x, y int) (*window, *desktop.Control) {
	for _, at := range append(d.owned(w), w) {
		if c := controlAt(at.controls, x, y); c != nil {
			return at, c
		}
	}
	return nil, nil
}

func controlAt(list []desktop.Control, x, y int) *desktop.Control {
	for i := range slices.Backward(list) { // what is drawn last is in front
		c := &list[i]
		if inner := controlAt(c.Children, x, y); inner != nil {
			return inner
		}
		if b := c.Bounds; x >= b[0] && x < b[0]+b[2] && y >= b[1] && y < b[1]+b[3] {
			return c
		}
	}
	return nil
}

func (c Call) number(name string) int {
	n, _ := c.Params[name].(float64)
	return int(n)
}

func clickOn(d *Desktop, w *window, call Call) (any, error) {
	at, c := d.under(w, call.number("x"), call.number("y"))
	if c == nil {
		return nil, fmt.Errorf("there is no control at %d, %d", call.number("x"), call.number("y"))
	}
	return "clicked on the control " + c.ID, d.reachable(at)
}

func drag(d *Desktop, w *window, call Call) (any, error) {
	at, c := d.under(w, call.number("start_x"), call.number("start_y"))
	if c == nil {
		return nil, fmt.Errorf("there is no control at %d, %d", call.number("start_x"), call.number("start_y"))
	}
	if err := d.reachable(at); err != nil {
		return nil, err
	}
	if c.Bounds != [4]int{} {
		c.Bounds[0] += call.number("end_x") - call.number("start_x")
		c.Bounds[1] += call.number("end_y") - call.number("start_y")
	}
	return nil, nil
}

func selectMenu(d *Desktop, w *window, call Call) (any, error) {
	path, _ := call.Params["path"].([]any)
	list := w.controls
	for _, step := range path {
		name, _ := step.(string)
		i := slices.IndexFunc(list, func(c desktop.Control) bool { return strings.EqualFold(c.Name, name) })
		if i < 0 {
			return nil, fmt.Errorf("there is no menu entry %q", name)
		}
		list = list[i].Children
	}
	return nil, d.reachable(w)
}

// readTable returns the rows of a table: the children of the control, whose children are cells.
func readTable(d *Desktop, w *window, call Call) (any, error) {
	_, c := d.having(w, call.text("id"))
	if c == nil {
		return nil, fmt.Errorf("the window %q has no control %q", w.id, call.text("id"))
	}
	rows := c.Children[min(len(c.Children), max(0, call.number("first_row")-1)):]
	if n := call.number("rows"); n > 0 {
		rows = rows[:min(n, len(rows))]
	}
	table := [][]string{}
	for _, row := range rows {
		cells := []string{}
		for _, cell := range row.Children {
			cells = append(cells, textOf(cell))
		}
		table = append(table, cells)
	}
	return table, nil
}

// pollEvery is how often wait_for looks.
const pollEvery = 50 * time.Millisecond

// waitFor looks until a text is in the window, or is not there any more.
func (d *Desktop) waitFor(ctx context.Context, call Call) (any, error) {
	seconds, given := call.Params["seconds"].(float64)
	if !given {
		seconds = 10
	}
	gone, _ := call.Params["gone"].(bool)
	text := call.text("text")
	for end := time.Now().Add(time.Duration(seconds * float64(time.Second))); ; {
		there, err := d.shows(call.App, text)
		if err != nil || there != gone {
			return nil, err
		}
		if !time.Now().Before(end) {
			return nil, fmt.Errorf("%q was not seen to change within %v seconds", text, seconds)
		}
		if err := sleep(ctx, pollEvery); err != nil {
			return nil, err
		}
	}
}

// shows reports whether a text is in the window of an App.
func (d *Desktop) shows(app *App, text string) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settle(time.Now())
	if app == nil || app.window == nil || app.window.hidden {
		return false, desktop.ErrWindowGone
	}
	for _, w := range append(d.owned(app.window), app.window) {
		lines := append([]string{w.title}, textsIn(desktop.Control{Children: w.controls})...)
		if strings.Contains(strings.Join(lines, "\n"), text) {
			return true, nil
		}
	}
	return false, nil
}
