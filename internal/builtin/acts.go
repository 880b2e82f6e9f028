package builtin

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/llm"
)

// Unread says which of the names that no field of a decision has may mean an act.
// What is dropped in silence would not be done, and the model believe that it was.
// function is the tool that is called beside them, "" for none. In a call of its own,
// such as an element of a list, every name may be an argument, but for words about
// the call. Beside one that is bare of arguments, an object or a list may be them,
// and a value of the type of a parameter that one, whatever it is called.
func Unread(names map[string]json.RawMessage, box *desktop.Toolbox, function string, bare, call bool) error {
	if len(names) == 0 {
		return nil
	}
	tools := map[string]bool{}
	for _, name := range box.Names() {
		tools[Fold(name)] = true
	}
	takes, types := map[string]bool{}, map[string]bool{}
	for name, typ := range properties(box, function) {
		if typ == "integer" {
			typ = "number"
		}
		takes[Fold(name)], types[typ] = true, true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		v, err := loosejson.Parse(string(names[name]))
		if err != nil || empty(v) {
			continue
		}
		shown := strconv.Quote(clip.Name(name, maxName))
		if takes[Fold(name)] {
			return fmt.Errorf("%s stands beside Args, and the tool would not get it: write it into Args", shown)
		}
		if (call || bare && (structured(v) || types[""] || types[scalarType(v)])) && !remarks[Fold(name)] || means(name, tools) || Fold(name) == "name" || speaks(v, tools) {
			return fmt.Errorf("%s is no field of this reply and looks as if it meant a call, which was not made: write the tool's name into Function, "+
				"its arguments into Args, and leave %s out", shown, shown)
		}
	}
	return nil
}

// structured reports whether a value is an object or a list, or a text that is one.
func structured(v loosejson.Value) bool {
	if v.Kind == loosejson.String {
		inner, err := loosejson.Parse(v.Text)
		return err == nil && structured(inner) && inner.Kind != loosejson.String
	}
	return v.Kind == loosejson.Object || v.Kind == loosejson.Array
}

// scalarType is the type of a schema that takes a value.
func scalarType(v loosejson.Value) string {
	switch v.Kind {
	case loosejson.String:
		return "string"
	case loosejson.Bool:
		return "boolean"
	case loosejson.Number:
		return "number"
	default:
		return "null"
	}
}

// remarks are what models write beside a call, about it.
var remarks = set("thought", "thoughts", "comment", "reason", "reasoning", "description", "explanation", "note", "observation", "rationale", "purpose",
	"step", "index", "confidence", "risk", "priority", "language", "summary", "goal", "intent", "analysis", "evaluation", "memory", "nextgoal")

// maxName is how long a name may be that is shown to the model.
const maxName = 64

func means(name string, tools map[string]bool) bool {
	folded := Fold(name)
	return callNames[folded] || argNames[folded] || listNames[folded] || others[folded] || tools[folded]
}

// speaks reports whether a value names an act at any depth.
func speaks(v loosejson.Value, tools map[string]bool) bool {
	switch v.Kind {
	case loosejson.String:
		if tools[Fold(v.Text)] && v.Text != "" {
			return true
		}
		inner, err := loosejson.Parse(v.Text)
		return err == nil && (inner.Kind == loosejson.Object || inner.Kind == loosejson.Array) && speaks(inner, tools)
	case loosejson.Array:
		return slices.ContainsFunc(v.Items, func(item loosejson.Value) bool { return speaks(item, tools) })
	case loosejson.Object:
		return slices.ContainsFunc(v.Members, func(m loosejson.Member) bool {
			return !empty(m.Value) && (means(m.Name, tools) || speaks(m.Value, tools))
		})
	default:
		return false
	}
}

// empty reports whether a value says nothing, as models fill in what they do not
// use.
func empty(v loosejson.Value) bool {
	switch v.Kind {
	case loosejson.Null:
		return true
	case loosejson.Bool:
		return v.Text == "false"
	case loosejson.String:
		return noFunction(v.Text)
	default:
		return v.Kind != loosejson.Number && len(v.Items)+len(v.Members) == 0
	}
}

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
	short := name
	for _, space := range []string{"functions.", "function.", "tools.", "tool.", "default_api."} {
		short = strings.TrimPrefix(short, space)
	}
	var known []string
	for _, tool := range box.Names() {
		if tool == short {
			return tool, true
		}
		if hyphens.Replace(tool) == hyphens.Replace(short) {
			known = append(known, tool)
		}
	}
	if len(known) != 1 {
		return name, false
	}
	return known[0], true
}

var hyphens = strings.NewReplacer("-", "_")

// Arguments returns the arguments of a call with the types that its tool wants, and
// whether that changed something: the id 1 is "1" for a tool that takes texts
// only, "10" is 10, "true" is true for one that takes only those. A number that is a
// text, and no id, stays: 1.50 and 1.5 are two texts.
func Arguments(box *desktop.Toolbox, function string, args map[string]any) (map[string]any, bool) {
	changed := map[string]any{}
	for name, typ := range properties(box, function) {
		if v, ok := args[name]; ok {
			if as, ok := typed(v, typ, strings.HasSuffix(Fold(name), "id")); ok {
				changed[name] = as
			}
		}
	}
	if len(changed) == 0 {
		return args, false
	}
	args = maps.Clone(args) // of a decision that may be kept elsewhere
	maps.Copy(args, changed)
	return args, true
}

// properties are the parameters of a tool, with the one type that each takes, or ""
// where it takes several or says none.
func properties(box *desktop.Toolbox, function string) map[string]string {
	tool, ok := box.Tool(function)
	if !ok || len(tool.InputSchema) == 0 {
		return nil
	}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(tool.InputSchema, &schema) != nil {
		return nil
	}
	list := make(map[string]string, len(schema.Properties))
	for name, raw := range schema.Properties {
		var property struct {
			Type any `json:"type"`
		}
		_ = json.Unmarshal(raw, &property) // a schema may be true
		list[name], _ = property.Type.(string)
	}
	return list
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
// policy or a person sees it.
func ArrangeCall(made *[]llm.Repair, box *desktop.Toolbox, function *string, args *map[string]any, at string) {
	if name, other := ToolName(box, *function); other {
		*function = name
		Note(made, llm.RepairTool, at+"Function")
	}
	if *function == "" {
		return
	}
	if typed, other := Arguments(box, *function, *args); other {
		*args = typed
		Note(made, llm.RepairArgument, at+"Args")
	}
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
func Note(made *[]llm.Repair, kind llm.RepairKind, where string) {
	for i := range *made {
		if (*made)[i].Kind == kind {
			(*made)[i].Count++
			return
		}
	}
	*made = append(*made, llm.Repair{Kind: kind, Where: where, Count: 1})
}
