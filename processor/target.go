package processor

import (
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
)

// Aim completes args with the control that a decision names beside them: a
// tool that has a parameter id, or name, and was not given it, gets label, or
// text. An id that is another one than label is an error for the model. args
// must not be nil; those of [Resolve] never are.
func Aim(tool desktop.Tool, args map[string]any, label, text string) error {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if len(tool.InputSchema) > 0 {
		// A schema that cannot be read was refused when the toolbox was made.
		_ = json.Unmarshal(tool.InputSchema, &schema)
	}
	if id := args["id"]; id != nil && label != "" {
		if given := idText(id); given != label {
			return fmt.Errorf("ControlLabel is %q, but the argument id is %q", label, given)
		}
	}
	fill := func(name, value string) {
		if _, takes := schema.Properties[name]; takes && args[name] == nil && value != "" {
			args[name] = value
		}
	}
	fill("id", label)
	fill("name", text)
	return nil
}

// idText is an id as the model wrote it: a number, too, and without exponent.
func idText(id any) string {
	if text, ok := id.(string); ok {
		return text
	}
	text, err := encode(id)
	if err != nil {
		return fmt.Sprint(id)
	}
	return string(text)
}

// FindControl returns the control of that id, wherever it is in the tree.
func FindControl(controls []desktop.Control, id string) (desktop.Control, bool) {
	for _, c := range controls {
		if c.ID == id {
			return c, true
		}
		if found, ok := FindControl(c.Children, id); ok {
			return found, true
		}
	}
	return desktop.Control{}, false
}

// Offer returns the tools that a model is told of: all but those by which
// agents observe in every step anyway.
func Offer(tools []desktop.Tool) []desktop.Tool {
	offered := []desktop.Tool{}
	for _, tool := range tools {
		switch tool.Name {
		case desktop.CaptureDesktopScreenshot, desktop.CaptureWindowScreenshot, desktop.GetDesktopAppInfo,
			desktop.GetAppWindow, desktop.GetUITree, desktop.ListTools:
		default:
			offered = append(offered, tool)
		}
	}
	return offered
}
