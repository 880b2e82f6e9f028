package builtin

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/jsonschema"
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
func Aim(tool desktop.Tool, args map[string]any, label, text string, shown []desktop.Control) error {
	takes := func(string) bool { return false }
	if schema, err := jsonschema.Remembered(tool.InputSchema); err == nil { // else it was refused when the toolbox was made
		takes = schema.Place().Names
	}
	if id := args["id"]; id != nil && label != "" {
		if given := idText(id); given != label {
			return fmt.Errorf("ControlLabel is %q, but the argument id is %q", label, given)
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
		return fmt.Errorf("ControlLabel is %q, but %s has no parameter id for it: write what it acts on into Args, and leave ControlLabel out", label, tool.Name)
	}
	fill("id", label)
	switch {
	case takes("name"):
		var err error
		if text, err = nameOf(tool.Name, args, text, shown); err != nil {
			return err
		}
	case bare && label == "" && text != "":
		return fmt.Errorf("ControlText is %q, but %s has no parameter name for it: write what it acts on into Args, and leave ControlText out", text, tool.Name)
	}
	fill("name", text)
	return nil
}

// nameOf returns what the parameter name of a tool is filled with: the name that
// the desktop shows, whatever the model calls the control.
func nameOf(tool string, args map[string]any, text string, shown []desktop.Control) (string, error) {
	always := tool == desktop.ClickInput || tool == desktop.SetEditText
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
		if name, ok := given.(string); !ok || !sameName(name, control.Name) {
			return "", fmt.Errorf("the control %s is called %q, but the argument name is %q", control.ID, control.Name, fmt.Sprint(given))
		}
		delete(args, "name") // in the desktop's letters instead
	}
	// Of a control without a name models write what it looks like.
	if text != "" && control.Name != "" && !sameName(text, control.Name) {
		return "", fmt.Errorf("the control %s is called %q, but ControlText is %q", control.ID, control.Name, text)
	}
	return control.Name, nil
}

// sameName compares names as people do who copy one.
func sameName(a, b string) bool {
	fold := func(name string) string { return strings.Join(strings.Fields(name), " ") }
	return strings.EqualFold(fold(a), fold(b))
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
	for _, c := range controls {
		if c.ID == id && id != "" {
			return c, true
		}
		if found, ok := FindControl(c.Children, id); ok {
			return found, true
		}
	}
	return desktop.Control{}, false
}
