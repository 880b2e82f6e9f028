package builtin

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/plainjson"
)

// Aim completes args with the control that a decision names beside them: a tool with a
// parameter id, or name, that it was not given, gets label, or text. Arguments that say
// something else are an error for the model, and so is a label or a text that the tool has no
// parameter for.
//
// The name of a control among shown is what the desktop says. text must be that name, spaces
// and case aside, and the desktop's spelling replaces it. click_input and set_edit_text always
// get the name. A tool of the desktop's own may use name for something else, so what it was
// given stays.
//
// args must not be nil; those of [acting.Resolve] never are.
func Aim(box *desktop.Toolbox, tool string, args map[string]any, label, text string, shown []desktop.Control) error {
	types, _ := box.Parameters(tool)
	takes := func(name string) bool {
		_, ok := types[name]
		return ok
	}
	if id := args["id"]; id != nil && label != "" {
		if given := idText(id); given != label {
			return fmt.Errorf("ControlLabel is %q, but the argument \"id\" is %q: write the same id into both", label, given)
		}
	}
	fill := func(name, value string) {
		if takes(name) && args[name] == nil && value != "" {
			args[name] = value
		}
	}
	bare := len(args) == 0
	said := func(arg any) bool { return idText(arg) == label }
	if label != "" && !takes("id") && !slices.ContainsFunc(slices.Collect(maps.Values(args)), said) {
		return fmt.Errorf("ControlLabel is %q, but %q has no argument \"id\": write its target into another argument, and leave ControlLabel empty", label, tool)
	}
	fill("id", label)
	switch {
	case takes("name"):
		var err error
		if text, err = nameOf(tool, args, text, shown); err != nil {
			return err
		}
	case bare && label == "" && text != "":
		return fmt.Errorf("ControlText is %q, but %q has no argument \"name\": write its target into another argument, and leave ControlText empty", text, tool)
	}
	fill("name", text)
	return nil
}

// nameOf returns what the parameter name of a tool is filled with: the name that
// the desktop shows, whatever the model calls the control.
func nameOf(tool string, args map[string]any, text string, shown []desktop.Control) (string, error) {
	always := tool == desktop.ClickInput || tool == desktop.DoubleClick || tool == desktop.SetEditText
	id := args["id"]
	switch {
	case id == nil, !always && (text == "" || args["name"] != nil):
		return text, nil
	case tool == desktop.SelectApplicationWindow: // by the id and the title of a window
		return text, nil
	}
	control, seen := FindControl(shown, idText(id))
	if !seen {
		return text, nil
	}
	if given := args["name"]; given != nil {
		if name, ok := given.(string); !ok || !SameText(name, control.Name) {
			return "", fmt.Errorf("the control %q is called %q, but the argument \"name\" is %q: write the same name into both", control.ID, control.Name, fmt.Sprint(given))
		}
		delete(args, "name") // in the desktop's letters instead
	}
	// Of a control without a name models write what it looks like.
	if text != "" && control.Name != "" && !SameText(text, control.Name) {
		return "", fmt.Errorf("the control %q is called %q, but ControlText is %q: write id and name of one control", control.ID, control.Name, text)
	}
	return control.Name, nil
}

// idText is an id as the model wrote it: a number, too, and without exponent.
func idText(id any) string {
	if text, ok := id.(string); ok {
		return text
	}
	text, err := plainjson.Encode(id)
	if err != nil {
		return fmt.Sprint(id)
	}
	return string(text)
}

// FindControl returns the control with that id, at any depth of the tree. No control has
// the id "".
func FindControl(controls []desktop.Control, id string) (desktop.Control, bool) {
	path := PathTo(controls, id)
	if len(path) == 0 {
		return desktop.Control{}, false
	}
	return path[len(path)-1], true
}

// PathTo returns the control with that id behind those that it is inside of, the outermost
// first; nil where there is none.
func PathTo(controls []desktop.Control, id string) []desktop.Control {
	if id == "" {
		return nil
	}
	path := pathTo(controls, id)
	slices.Reverse(path)
	return path
}

// pathTo is the path from the inside to the outside, so that nothing in it moves.
func pathTo(controls []desktop.Control, id string) (path []desktop.Control) {
	for i := range controls {
		if controls[i].ID != id {
			if path = pathTo(controls[i].Children, id); path == nil {
				continue
			}
		}
		return append(path, controls[i])
	}
	return nil
}

// AtPoint returns the path to the innermost control at a point, nil where there is none, and the
// controls that may be there as well, since nobody knows their place: in front of it, or inside of it.
// Where no control has a place, both are nil.
//
// A dialog is in front of everything beside it, the first one in front of the others; elsewhere a
// later control is in front of an earlier one. A control without a place is somewhere inside of the
// innermost one around it that has a place, or around those inside of it that have one.
func AtPoint(controls []desktop.Control, p Point) (path, perhaps []desktop.Control) {
	s := search{Point: p, placed: map[*desktop.Control]bool{}}
	if !s.places(controls) {
		return nil, nil
	}
	path = s.under(controls)
	slices.Reverse(path)
	return path, s.perhaps
}

// search looks for what is at a point, from the front to the back.
type search struct {
	Point
	placed  map[*desktop.Control]bool // its place is known, or that of one inside of it
	perhaps []desktop.Control
}

// places fills placed, and reports whether one of the controls is in it.
func (s *search) places(controls []desktop.Control) (some bool) {
	for i := range controls {
		c := &controls[i]
		s.placed[c] = s.places(c.Children) || c.Bounds != [4]int{}
		some = some || s.placed[c]
	}
	return some
}

// under returns the path from the inside to the outside.
func (s *search) under(controls []desktop.Control) []desktop.Control {
	for i := range controls {
		if commands.IsDialog(controls[i]) {
			if path := s.covers(&controls[i]); path != nil {
				return path
			}
		}
	}
	for i := range slices.Backward(controls) {
		if !commands.IsDialog(controls[i]) {
			if path := s.covers(&controls[i]); path != nil {
				return path
			}
		}
	}
	return nil
}

// covers is under, of one control; nil where c and what is inside are not there.
func (s *search) covers(c *desktop.Control) []desktop.Control {
	place, before := c.Bounds != [4]int{}, len(s.perhaps)
	if !s.placed[c] {
		s.unplaced(c)
		return nil
	}
	if inner := s.under(c.Children); inner != nil {
		return append(inner, *c)
	}
	left, top, width, height := float64(c.Bounds[0]), float64(c.Bounds[1]), float64(c.Bounds[2]), float64(c.Bounds[3])
	if s.x >= left && s.x < left+width && s.y >= top && s.y < top+height {
		return []desktop.Control{*c}
	}
	if place {
		s.perhaps = s.perhaps[:before] // they are inside of c
	}
	return nil
}

// unplaced notes a control that may be at the point, and what is inside of it.
func (s *search) unplaced(c *desktop.Control) {
	if slices.Contains(c.State, "offscreen") {
		return
	}
	s.perhaps = append(s.perhaps, *c)
	for i := range c.Children {
		s.unplaced(&c.Children[i])
	}
}

// Point is a place in the picture of a window.
type Point struct{ x, y float64 }

func (p Point) String() string { return fmt.Sprintf("point %v, %v", p.x, p.y) }

// Points returns where a command acts that names points instead of controls: of a drag where it
// begins, and where it ends.
func Points(cmd desktop.Command) (list []Point) {
	var names [][2]string
	switch cmd.ToolName {
	case desktop.ClickOnCoordinates:
		names = [][2]string{{"x", "y"}}
	case desktop.DragOnCoordinates:
		names = [][2]string{{"start_x", "start_y"}, {"end_x", "end_y"}}
	}
	for _, name := range names {
		x, okX := number(cmd.Parameters[name[0]])
		y, okY := number(cmd.Parameters[name[1]])
		if !okX || !okY {
			break // the second alone would pass for the first
		}
		list = append(list, Point{x, y})
	}
	return list
}

// number is an argument as a number, in any of the types that JSON can have in Go.
func number(v any) (float64, bool) {
	text := idText(v)
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}
