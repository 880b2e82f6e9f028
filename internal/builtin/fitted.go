package builtin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// fitted returns the arguments of a call under the names that its tool has, and whether that changed something. They
// may stand one object deeper, or in other letters. The error names arguments that the tool does not have: it would act
// without them, and delete everything if one of them says what to delete.
func fitted(box *desktop.Toolbox, function string, args map[string]any) (fit map[string]any, changed bool, err error) {
	types, others := box.Parameters(function)
	if others || len(types) == 0 || len(args) == 0 {
		return args, false, nil
	}
	strange := false
	for name := range args {
		_, known := types[name]
		strange = strange || !known
	}
	if !strange {
		return args, false, nil
	}
	names := slices.Sorted(maps.Keys(types))
	fit = args
	const deepest = 3
	for range deepest {
		inner, ok := wrapped(box, function, fit, names)
		if !ok {
			break
		}
		fit, changed = inner, true
	}
	spelt := map[string]string{} // by the folded name
	for _, name := range names {
		if other, there := spelt[Fold(name)]; there && other != name {
			name = "" // nobody knows which
		}
		spelt[Fold(name)] = name
	}
	known := make(map[string]any, len(fit))
	for _, name := range slices.Sorted(maps.Keys(fit)) {
		as := name
		if !slices.Contains(names, name) {
			if as = spelt[Fold(name)]; as == "" && fit[name] == nil { // it says nothing
				changed = true
				continue
			}
			_, both := fit[as]
			switch _, twice := known[as]; {
			case as != "" && !both && !twice:
				changed = true
			case closesObject(box, function): // the schema refuses it, unless it is of the agent
				as = name
			default:
				return args, false, noArgument(function, name, names)
			}
		}
		known[as] = fit[name]
	}
	return known, changed, nil
}

// closesObject reports whether the schema of a tool itself forbids arguments that it does not name.
func closesObject(box *desktop.Toolbox, function string) bool {
	tool, _ := box.Tool(function)
	var schema struct {
		AdditionalProperties any `json:"additionalProperties"`
	}
	err := json.Unmarshal(tool.InputSchema, &schema)
	return err == nil && schema.AdditionalProperties == false
}

func noArgument(function, name string, names []string) error {
	shown := make([]string, 0, promptsize.Listed)
	for _, known := range names[:min(len(names), promptsize.Listed)] {
		shown = append(shown, clip.Name(known, promptsize.Name))
	}
	return fmt.Errorf("%s has no argument %q, and nothing was called: its arguments are %s", clip.Name(function, promptsize.Name), clip.Name(name, promptsize.Name), strings.Join(shown, ", "))
}

// wrapped returns the one object in arguments that holds the arguments, as in {"arguments": {"id": "1"}},
// {"name": "click", "parameters": {"id": "1"}} and {"type": "object", "properties": {"id": "1"}}. The tool has none of
// these names itself.
func wrapped(box *desktop.Toolbox, function string, args map[string]any, names []string) (inner map[string]any, ok bool) {
	for name, v := range args {
		folded := Fold(name)
		object := objectOf(v)
		switch {
		case slices.Contains(names, name):
			return nil, false
		case (argNames[folded] || name == "properties") && object != nil && inner == nil:
			inner = object
		case callNames[folded] || folded == "name":
			called, _ := v.(string)
			if as, _ := ToolName(box, called); as != function {
				return nil, false
			}
		case name == "type" && (v == "object" || v == "function"), name == "required", name == "$schema":
		default:
			return nil, false
		}
	}
	for _, v := range inner { // a schema is no argument
		if part := objectOf(v); part != nil && args["properties"] != nil && part["type"] != nil {
			return nil, false
		}
	}
	return inner, inner != nil
}

// objectOf returns an object, also that in a text; else nil.
func objectOf(v any) map[string]any {
	if text, ok := v.(string); ok {
		parsed, err := loosejson.Parse(text)
		if err != nil || parsed.Kind != loosejson.Object {
			return nil
		}
		v = parsed.Any()
	}
	object, _ := v.(map[string]any)
	return object
}
