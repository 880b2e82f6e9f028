package builtin

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/llm"
)

func noFunction(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "none", "null", "nil", "n/a":
		return true
	}
	return false
}

// ToolName returns the name that the desktop has for what the model calls a tool,
// and whether that is another one: "" for a word such as none, click_input for
// functions.click-input. Nothing else is changed: a name that is trimmed, or in
// other letters, is no tool.
func ToolName(box *desktop.Toolbox, name string) (string, bool) {
	if name == "" {
		return "", false
	}
	if _, ok := box.Tool(name); ok {
		return name, false
	}
	if name == SelectApplication {
		return desktop.SelectApplicationWindow, true
	}
	if noFunction(name) {
		return "", true
	}
	short := withoutSpace(name)
	var known []string
	for _, tool := range box.Tools() {
		if tool.Name == short {
			return short, true
		}
		if len(tool.Name) == len(short) && hyphens.Replace(tool.Name) == hyphens.Replace(short) {
			known = append(known, tool.Name)
		}
	}
	if len(known) != 1 {
		return name, false
	}
	return known[0], true
}

// withoutSpace is a name without the spaces of names that models put before it.
func withoutSpace(name string) string {
	for _, space := range []string{"functions.", "function.", "tools.", "tool.", "default_api."} {
		name = strings.TrimPrefix(name, space)
	}
	return name
}

var hyphens = strings.NewReplacer("-", "_")

// Arguments returns the arguments of a call with the types that its tool wants, and
// whether that changed something: the id 1 is "1" for a tool that takes texts
// only, "10" is 10, "true" is true for one that takes only those. A number that is a
// text, and no id, stays: 1.50 and 1.5 are two texts.
func Arguments(box *desktop.Toolbox, function string, args map[string]any) (map[string]any, bool) {
	var changed map[string]any
	types, _ := box.Parameters(function)
	for name, v := range args {
		typ, ok := types[name]
		if !ok {
			continue
		}
		if as, ok := typed(v, typ, strings.HasSuffix(Fold(name), "id")); ok {
			if changed == nil {
				changed = map[string]any{}
			}
			changed[name] = as
		}
	}
	if len(changed) == 0 {
		return args, false
	}
	args = maps.Clone(args) // of a decision that may be kept elsewhere
	maps.Copy(args, changed)
	return args, true
}

// openArguments returns arguments as the open form of their tool's schema has them. That is
// what was asked for, and no repair.
func openArguments(box *desktop.Toolbox, function string, args map[string]any) map[string]any {
	if !closed.Marked(args) {
		return args
	}
	tool, ok := box.Tool(function)
	if !ok {
		return args
	}
	return closed.Opened(tool.InputSchema, args)
}

// typed returns a scalar as the one type that is wanted, where it has one meaning
// as that.
func typed(v any, typ string, id bool) (any, bool) {
	switch v := v.(type) {
	case float64:
		if typ == "string" && id && v == math.Trunc(v) {
			return strconv.FormatFloat(v, 'f', -1, 64), true
		}
	case json.Number:
		if typ == "string" && id {
			return v.String(), true
		}
	case string:
		text := strings.TrimSpace(v)
		switch typ {
		case "boolean":
			if strings.EqualFold(text, "true") || strings.EqualFold(text, "false") {
				return strings.EqualFold(text, "true"), true
			}
		case "number", "integer":
			n, err := loosejson.Parse(text)
			if err == nil && n.Kind == loosejson.Number {
				return n.Any(), true
			}
		}
	}
	return nil, false
}

// ArrangeCall gives a call the names and types that the desktop knows, before a
// policy or a person sees it. The error is that of arguments that its tool does not have.
func ArrangeCall(made *[]llm.Repair, box *desktop.Toolbox, function *string, args *map[string]any, at string) error {
	if name, other := ToolName(box, *function); other {
		*function = name
		Note(made, repair.Tool, at+"Function")
	}
	if *function == "" {
		return nil
	}
	*args = openArguments(box, *function, *args)
	fit, changed, err := fitted(box, *function, *args)
	if err != nil {
		return err
	}
	typed, other := Arguments(box, *function, fit)
	if *args = typed; changed || other {
		Note(made, repair.Argument, at+"Args")
	}
	return nil
}

// Spoken returns the questions that say something, and whether there were others.
func Spoken(questions []string) ([]string, bool) {
	said := slices.DeleteFunc(slices.Clone(questions), legible.Blank)
	if len(said) == len(questions) {
		return questions, false
	}
	return said, true
}

// Note counts a repair; its place is that of the first.
func Note(made *[]llm.Repair, kind string, where string) {
	for i := range *made {
		if (*made)[i].Kind == kind {
			(*made)[i].Count++
			return
		}
	}
	*made = append(*made, llm.Repair{Kind: kind, Where: where, Count: 1})
}
