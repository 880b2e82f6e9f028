package builtin

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/spelling"
)

// NamedControl is a control that a command names.
type NamedControl struct {
	ID   string
	Path []desktop.Control // to it, the outermost first; nil: it is not shown
}

// Named returns the controls that a command names: by its argument id, by label, which the model wrote
// beside the arguments, and by each argument for a control, at any depth of the arguments. Of the last
// only those among shown count: another text may be no id. It takes time linear in all of them.
func Named(cmd desktop.Command, label string, shown []desktop.Control) (list []NamedControl) {
	exact, loose := map[string]bool{}, map[string]bool{}
	for _, id := range []string{ID(cmd), label} {
		if id != "" {
			exact[id] = true
		}
	}
	for name, value := range cmd.Parameters {
		if name != "id" {
			idsIn(value, forControl(name), loose)
		}
	}
	if len(exact)+len(loose) == 0 {
		return nil
	}
	var path []*desktop.Control
	var walk func([]desktop.Control)
	walk = func(controls []desktop.Control) {
		for i := range controls {
			c := &controls[i]
			path = append(path, c)
			if c.ID != "" && (exact[c.ID] || len(loose) > 0 && loose[TextKey(c.ID)]) {
				named := NamedControl{ID: c.ID}
				for _, around := range path {
					named.Path = append(named.Path, *around)
				}
				list = append(list, named)
				delete(exact, c.ID)
			}
			walk(c.Children)
			path = path[:len(path)-1]
		}
	}
	walk(shown)
	for _, id := range slices.Sorted(maps.Keys(exact)) {
		list = append(list, NamedControl{ID: id})
	}
	return list
}

// idsIn collects the keys of the texts in an argument that may be ids of controls.
func idsIn(v any, control bool, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			idsIn(inner, forControl(name), into)
		}
	case []any:
		for _, inner := range v {
			idsIn(inner, control, into)
		}
	case nil, bool:
	default:
		if control {
			into[TextKey(idText(v))] = true
		}
	}
}

// forControl reports whether a parameter of that name is for a control: ref, startRef, control_id.
func forControl(name string) bool {
	words := spelling.Words(name)
	if n := len(words); n > 1 && (words[n-1] == "id" || words[n-1] == "ids") {
		words = words[:n-1]
	}
	return targets[Fold(name)] || len(words) > 0 && things[strings.TrimSuffix(words[len(words)-1], "s")]
}

// things are what parameters for controls are called, with other words before them.
var things = set("control", "element", "locator", "node", "ref", "selector", "target", "uid", "widget")

// Presses reports whether the keys of a command press what has the focus, as a click does.
func Presses(cmd desktop.Command) bool {
	if !typing(cmd.ToolName) {
		return false
	}
	for _, value := range cmd.Parameters {
		if text, ok := value.(string); ok && pressing.MatchString(text) {
			return true
		}
	}
	return false
}

var pressing = regexp.MustCompile(`(?i)[\r\n]|^ +$|\{(?:enter|return|space)\b|^(?:\w+[+-])*(?:enter|return|space|spacebar|numpadenter|kp_enter)$`)
