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
// only those among shown count: another text may be no id. A tool of an application's own may call an argument for
// a control anything, so there each text counts that is an id, or a name: of several controls of that name the first.
// It takes time linear in all of them.
func Named(cmd desktop.Command, label string, shown []desktop.Control) (list []NamedControl) {
	exact, texts, loose, words := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, id := range []string{ID(cmd), label} {
		if id != "" {
			exact[id] = true
		}
	}
	for name, value := range cmd.Parameters {
		if name != "id" {
			idsIn(value, marksControl, marksControl(name), texts)
		}
	}
	for text := range texts {
		loose[TextKey(text)] = true
	}
	if _, known := desktop.ToolNamed(cmd.ToolName); !known {
		clear(texts)
		idsIn(cmd.Parameters, func(name string) bool { return !contents[Fold(name)] }, false, texts)
		for text := range texts {
			if _, numeric := number(text); !numeric {
				words[TextKey(text)] = true
			}
		}
		delete(words, "")
	}
	if len(exact)+len(loose)+len(words) == 0 {
		return nil
	}
	var path []*desktop.Control
	var walk func([]desktop.Control)
	walk = func(controls []desktop.Control) {
		for i := range controls {
			c := &controls[i]
			path = append(path, c)
			id, name := "", ""
			if len(loose)+len(words) > 0 {
				id, name = TextKey(c.ID), TextKey(c.Name)
			}
			if c.ID != "" && (exact[c.ID] || loose[id] || words[id] || words[name]) {
				named := NamedControl{ID: c.ID}
				for _, around := range path {
					named.Path = append(named.Path, *around)
				}
				list = append(list, named)
				delete(exact, c.ID)
				delete(words, name)
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

// Unseen reports whether an argument for the id of a control, at any depth of the arguments, is the id of
// none of those shown. An argument called element describes a control in words: it does not count.
func Unseen(cmd desktop.Command, shown []desktop.Control) bool {
	ids := map[string]bool{}
	idsIn(cmd.Parameters, func(name string) bool {
		return forControl(name) && !strings.HasSuffix(strings.TrimSuffix(Fold(name), "s"), "element")
	}, false, ids)
	delete(ids, "")
	var see func([]desktop.Control)
	see = func(controls []desktop.Control) {
		for i := range controls {
			delete(ids, controls[i].ID)
			see(controls[i].Children)
		}
	}
	if len(ids) > 0 {
		see(shown)
	}
	return len(ids) > 0
}

// idsIn collects the texts in an argument that may be ids of controls: those whose name is accepted, or of
// which control says so.
func idsIn(v any, names func(string) bool, control bool, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			idsIn(inner, names, names(name), into)
		}
	case []any:
		for _, inner := range v {
			idsIn(inner, names, control, into)
		}
	case nil, bool:
	default:
		if control {
			into[idText(v)] = true
		}
	}
}

// forControl reports whether a parameter of that name is for a control: ref, startRef, control_id.
func forControl(name string) bool {
	words := spelling.Words(name)
	if n := len(words); n > 1 && (marks[words[n-1]] || words[n-1] == "id" || words[n-1] == "ids" || words[n-1] == "number") {
		words = words[:n-1]
	}
	return targets[Fold(name)] || len(words) > 0 && things[strings.TrimSuffix(words[len(words)-1], "s")]
}

// marksControl reports whether a parameter of that name may be for a control, or for something else.
func marksControl(name string) bool { return forControl(name) || marks[Fold(name)] }

var (
	marks = set("index", "indexes", "indices", "label", "labels", "mark", "marks")
	// contents are what parameters are called for a text that is written or looked for.
	contents = set("content", "key", "keys", "message", "query", "text", "value", "values")
)

// things are what parameters for controls are called, with other words before them.
var things = set("control", "element", "locator", "node", "ref", "selector", "target", "uid", "widget")

// Presses reports whether the keys of a command press what has the focus, as a click does, and whether a tab moves
// that elsewhere just before.
func Presses(cmd desktop.Command) (presses, elsewhere bool) {
	if !typing(cmd.ToolName) {
		return false, false
	}
	for name, value := range cmd.Parameters {
		keys, text := value.(string)
		switch {
		case value == true: // such as press_enter
			keys = name
		case !text:
			keys = spoken(value)
		}
		presses = presses || pressing.MatchString(keys)
		elsewhere = elsewhere || tabbing.MatchString(keys)
	}
	return presses, presses && elsewhere
}

// Keys have many names: {ENTER}, ^{ENTER}, <Control>Return, KEY_ENTER, NumpadEnter, VK_SPACE, "Ctrl + Enter".
const (
	press = `(?:enter|return|ret|space|spc|cr|lf|linefeed|newline)`
	other = `[^a-z{}<>"]|\b[a-z]\b|keys?|kp|vk|xk|iso|num|pad|press|hit|hold|alt|altgr|cmd|command|control|ctrl|meta|option|shift|super|win|left|right|tab|esc|escape|up|down|bar`
)

var (
	pressing = regexp.MustCompile(`(?i)[\r\n\x{e006}\x{e007}\x{e00d}]|(?:^|")(?:\s* \s*|\\[nr])(?:$|")|\} +$|^[\^%+]*~$|[{<"](?:` + other + `)*` + press + `(?:[^a-z]|key|bar)|^(?:[{}<>]|` + other + `|` + press + `)*` + press + `(?:[}>]|` + other + `)*$`)
	tabbing  = regexp.MustCompile(`(?i)(?:\t|\btab\b[ \d]*)(?:[\s{}<>"+^%,_.-]|keys?|kp|vk|xk|num|pad|press)*(?:[\r\n]| (?:$|")|` + press + `\b)`)
)
