package builtin

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// listedTool is a tool as a prompt lists it. The arguments of most tools are texts, numbers and
// lists of them, and fit into a line:
//
//	{"name": "click", "args": {"id": "string: of the control", "button": "string?: one of left, right"}}
//
// Behind the type of an argument that may be left out stands a "?". A schema that says more than a
// line can is listed whole.
type listedTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Args        json.RawMessage `json:"args,omitempty"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
	Destructive bool            `json:"destructive,omitempty"`
	Origin      string          `json:"origin,omitempty"`
}

func listed(tools []desktop.Tool) []listedTool {
	list := make([]listedTool, len(tools))
	for i, t := range tools {
		list[i] = listedTool{t.Name, t.Description, nil, t.InputSchema, t.Annotations.DestructiveHint, t.Origin}
		if args, ok := argsOf(t.InputSchema); ok {
			list[i].Args, list[i].InputSchema = args, nil
		}
	}
	return list
}

// argsOf says in a line for each argument what a schema says, if that is all that it says.
func argsOf(schema json.RawMessage) (json.RawMessage, bool) {
	if len(schema) == 0 {
		return nil, false
	}
	root, err := loosejson.Parse(string(schema))
	if err != nil || root.Kind != loosejson.Object {
		return nil, false
	}
	typ, _ := root.Get("type")
	others, closes := root.Get("additionalProperties")
	properties, _ := root.Get("properties")
	if typ.Text != "object" || closes && others.Text != "false" || !saysOnly(root, "type", "properties", "required", "additionalProperties", "$schema") {
		return nil, false
	}
	names, _ := root.Get("required")
	required := make(map[string]bool, len(names.Items)) // to look each up in a list would be quadratic
	for _, name := range names.Items {
		required[name.Text] = true
	}
	args := loosejson.Value{Kind: loosejson.Object}
	for _, p := range properties.Members {
		line, ok := argLine(p.Value, required[p.Name])
		if !ok {
			return nil, false
		}
		delete(required, p.Name)
		args.Members = append(args.Members, loosejson.Member{Name: p.Name, Value: loosejson.Text(line)})
	}
	if len(required) > 0 {
		return nil, false // no line would say what must be there, too
	}
	return args.Append(nil), true
}

func argLine(v loosejson.Value, required bool) (string, bool) {
	line, ok := typeWord(v)
	if !ok || !saysOnly(v, "type", "description", "enum", "items", "minLength", "minItems") || !atMostOne(v) {
		return "", false
	}
	if !required {
		line += "?"
	}
	about, _ := v.Get("description")
	words, ok := enumWords(v)
	if !ok {
		return "", false
	}
	if about.Text != "" || words != "" {
		line += ": " + strings.TrimPrefix(about.Text+words, "; ")
	}
	return line, true
}

// atMostOne reports whether a schema asks of a text or a list no more than that it is not empty. Nobody
// writes an empty one who does not mean null.
func atMostOne(v loosejson.Value) bool {
	for _, least := range []string{"minLength", "minItems"} {
		if n, there := v.Get(least); there && string(n.Append(nil)) != "1" {
			return false
		}
	}
	return true
}

// typeWord is the type of an argument in a word: string, or list of string.
func typeWord(v loosejson.Value) (string, bool) {
	typ, there := v.Get("type")
	items, list := v.Get("items")
	switch {
	case !there && !list:
		return "any", v.Kind == loosejson.Object
	case typ.Kind != loosejson.String || typ.Text == "object" || list != (typ.Text == "array"):
		return "", false
	case !list:
		return typ.Text, true
	}
	inner, ok := typeWord(items)
	return "list of " + inner, ok && saysOnly(items, "type", "items")
}

// enumWords are the values of an enum of texts. One that is no plain word would not be told from
// the commas.
func enumWords(v loosejson.Value) (string, bool) {
	enum, there := v.Get("enum")
	if !there {
		return "", true
	}
	words := make([]string, len(enum.Items))
	for i, item := range enum.Items {
		if words[i] = item.Text; item.Kind != loosejson.String || item.Text == "" || strings.ContainsAny(item.Text, ", ;") {
			return "", false
		}
	}
	return "; one of " + strings.Join(words, ", "), len(words) > 0
}

// saysOnly reports whether a schema has no other keywords than these.
func saysOnly(v loosejson.Value, keywords ...string) bool {
	return !slices.ContainsFunc(v.Members, func(m loosejson.Member) bool { return !slices.Contains(keywords, m.Name) })
}
