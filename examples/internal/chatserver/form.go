package chatserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// schema is what of a JSON Schema says how a reply is written.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       kind               `json:"type"`
	Enum       []string           `json:"enum"`
	AnyOf      []*schema          `json:"anyOf"`
	Items      *schema            `json:"items"`
	Properties map[string]*schema `json:"properties"`
	Defs       map[string]*schema `json:"$defs"`
}

// kind is the type of a value; "" where there are several, as of a cell of a table.
type kind string

func (k *kind) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '[' {
		*k = ""
		return nil
	}
	return json.Unmarshal(raw, (*string)(k))
}

// inForm writes a reply as its schema wants it. Where that is closed, it has every property, its
// calls in Call or Actions, and JSON in texts.
func (f *format) inForm(text string) (string, error) {
	if f == nil || f.Schema == nil {
		return text, nil
	}
	var root schema
	var said map[string]any
	if err := json.Unmarshal(f.Schema.Schema, &root); err != nil {
		return "", err
	}
	if err := json.Unmarshal([]byte(text), &said); err != nil || root.Properties["Function"] != nil {
		return text, err
	}
	w := writer{root.Defs}
	out := map[string]any{}
	for name, property := range root.Properties {
		switch value := said[name]; name {
		case "Call":
			out[name] = w.call(property, said)
		case "Actions":
			list, actions := []any{}, items(value)
			if said["Function"] != nil {
				actions = []any{said}
			}
			for _, a := range actions {
				action, _ := a.(map[string]any)
				list = append(list, w.action(w.of(property).Items, action))
			}
			out[name] = list
		case "Open":
			answers, _ := value.(map[string]any)
			list := []any{}
			for _, id := range slices.Sorted(maps.Keys(answers)) {
				list = append(list, fmt.Sprintf("%s: %v", id, answers[id]))
			}
			out[name] = list
		default:
			out[name] = w.value(property, value)
		}
	}
	whole, err := json.Marshal(out)
	return string(whole), err
}

// writer knows the parts that a schema shares.
type writer struct{ defs map[string]*schema }

func (w writer) of(s *schema) *schema {
	const defs = len("#/$defs/")
	if s != nil && len(s.Ref) > defs {
		return w.defs[s.Ref[defs:]]
	}
	return s
}

// branches are the schemas of a choice, choices in it among them; none: anything goes.
func (w writer) branches(s *schema) (list []*schema) {
	if s = w.of(s); s == nil {
		return nil
	}
	if len(s.AnyOf) == 0 {
		return []*schema{s}
	}
	for _, branch := range s.AnyOf {
		list = append(list, w.branches(branch)...)
	}
	return list
}

// action is an action: a call, or a call and its control.
func (w writer) action(s *schema, said map[string]any) any {
	var call *schema
	if s = w.of(s); s != nil {
		call = s.Properties["Call"]
	}
	if call == nil {
		return w.call(s, said)
	}
	one := map[string]any{"Call": w.call(call, said)}
	for _, field := range []string{"ControlLabel", "ControlText"} {
		one[field], _ = said[field].(string)
	}
	return one
}

// call is the call of a reply or an action, null for none.
func (w writer) call(choice *schema, said map[string]any) any {
	name, _ := said["Function"].(string)
	for _, branch := range w.branches(choice) {
		if branch.Properties["Function"] == nil || !slices.Contains(branch.Properties["Function"].Enum, name) {
			continue
		}
		given, _ := said["Args"].(map[string]any)
		args := w.of(branch.Properties["Args"])
		switch {
		case args == nil: // it takes none
			return map[string]any{"Function": name}
		case args.Type == "string":
			return map[string]any{"Function": name, "Args": inText(given)}
		}
		whole := map[string]any{}
		for argument := range args.Properties {
			whole[argument] = referring(given[argument]) // null where it is left out
		}
		if label, _ := said["ControlLabel"].(string); args.Properties["id"] != nil && given["id"] == nil && label != "" {
			whole["id"] = label // of the control
		}
		return map[string]any{"Function": name, "Args": whole}
	}
	return nil
}

// referring is a value with its references as a closed reply has them: in a schema $ref means something else.
func referring(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = referring(value[i])
		}
	case map[string]any:
		if ref, ok := value["$ref"]; ok && len(value) == 1 {
			return map[string]any{"$reference": ref}
		}
		for name := range value {
			value[name] = referring(value[name])
		}
	}
	return value
}

// value is a value, or what stands for none.
func (w writer) value(s *schema, value any) any {
	branches := w.branches(s)
	if len(branches) != 1 { // a plan, of texts or items
		for _, branch := range branches {
			if list := items(value); list != nil && branch.Type == "array" {
				return w.value(branch, list)
			}
			if item, ok := value.(map[string]any); ok && branch.Type == "object" {
				return w.value(branch, item)
			}
		}
		return value
	}
	switch s = branches[0]; s.Type {
	case "array":
		list := []any{}
		for _, item := range items(value) {
			list = append(list, w.value(s.Items, item))
		}
		return list
	case "object":
		item, _ := value.(map[string]any)
		whole := map[string]any{}
		for name, property := range s.Properties {
			whole[name] = w.value(property, item[name])
		}
		return whole
	case "string":
		if text, ok := value.(string); ok {
			return text
		}
		if value == nil {
			return ""
		}
		return inText(value)
	}
	return value
}

func items(value any) []any {
	list, _ := value.([]any)
	return list
}

func inText(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // it came out of JSON
	}
	return string(raw)
}
