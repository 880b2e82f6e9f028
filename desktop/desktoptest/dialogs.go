package desktoptest

import (
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
)

// owned are the windows that belong to w and to those, modal ones first.
func (d *Desktop) owned(w *window) []*window {
	var modal, others []*window
	for _, app := range d.apps {
		if !app.shows() || app.Owner == nil || app.Owner.window != w {
			continue
		}
		group := append([]*window{app.window}, d.owned(app.window)...)
		if app.Modal {
			modal = append(group, modal...)
		} else {
			others = append(others, group...)
		}
	}
	return append(modal, others...)
}

// withOwned are the windows that belong to w, in front of it, and then w.
func (d *Desktop) withOwned(w *window) []*window { return append(d.owned(w), w) }

// having returns the control of that id, and which window has it: w, or one that w owns.
func (d *Desktop) having(w *window, id string) (*window, *desktop.Control) {
	for _, at := range d.withOwned(w) {
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

// under returns the innermost control at the point that two parameters name, if it takes input.
func (d *Desktop) under(w *window, call Call, x, y string) (*desktop.Control, error) {
	px, py := call.number(x), call.number(y)
	for _, at := range d.withOwned(w) {
		if c := controlAt(at.controls, px, py); c != nil {
			return c, d.reachable(at)
		}
	}
	return nil, fmt.Errorf("there is no control at %d, %d", px, py)
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

func clickOn(d *Desktop, w *window, call Call) (any, error) {
	c, err := d.under(w, call, "x", "y")
	if err != nil {
		return nil, err
	}
	return "clicked on the control " + c.ID, nil
}

func drag(d *Desktop, w *window, call Call) (any, error) {
	c, err := d.under(w, call, "start_x", "start_y")
	if err == nil {
		c.Bounds[0] += call.number("end_x") - call.number("start_x")
		c.Bounds[1] += call.number("end_y") - call.number("start_y")
	}
	return nil, err
}
