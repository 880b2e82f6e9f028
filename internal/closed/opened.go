package closed

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// ForGrammars returns a schema in which a reference is {"$reference": its path}. llama.cpp,
// and what is built on it, takes every member called $ref for one of the schema itself, and
// fails.
func ForGrammars(schema json.RawMessage) json.RawMessage {
	renamed := Object(loosejson.Member{Name: Reference, Value: Text})
	return bytes.ReplaceAll(schema, reference.Append(nil), renamed.Append(nil))
}

// Reference is how [Ref] is called in a schema [ForGrammars].
const Reference = "$reference"

// Opened returns arguments in the open form of their tool's schema: without nulls where the
// schema takes none and asks for nothing, and with every reference as [Ref]. It changes
// nothing in what it is given; what needs no change is returned as it is.
func Opened(schema json.RawMessage, args map[string]any) map[string]any {
	if !Marked(args) {
		return args
	}
	root, ok := read(schema)
	if !ok {
		return args
	}
	c := &closer{root: root}
	v, _ := c.opened(root, args, 0).(map[string]any)
	for name, arg := range v {
		if to, ok := arg.(map[string]any); ok && len(to) == 1 && to[Reference] != nil {
			v[name] = map[string]any{Ref: to[Reference]}
		}
	}
	return v
}

// Marked reports whether arguments have something that may be there only in the closed form.
func Marked(args map[string]any) bool {
	for name, arg := range args {
		if name == Reference || marked(arg) {
			return true
		}
	}
	return false
}

func marked(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return Marked(v)
	case []any:
		return slices.ContainsFunc(v, marked)
	}
	return false
}

func (c *closer) opened(schema loosejson.Value, value any, depth int) any {
	if depth > maxDepth {
		return value
	}
	switch value := value.(type) {
	case map[string]any:
		value = maps.Clone(value)
		for name, item := range value {
			object, found := c.find(schema, 0, func(v loosejson.Value) bool { return has(get(v, "properties"), name) })
			if !found {
				continue
			}
			property, asked := get(get(object, "properties"), name), asks(object, name)
			if item != nil {
				value[name] = c.opened(property, item, depth+1)
			} else if !asked && !c.takesNull(property, 0) {
				delete(value, name)
			}
		}
		return value
	case []any:
		list, found := c.find(schema, 0, func(v loosejson.Value) bool { return has(v, "items") })
		if !found {
			return value
		}
		value = slices.Clone(value)
		for i := range value {
			value[i] = c.opened(get(list, "items"), value[i], depth+1)
		}
		return value
	}
	return value
}

// branches are the schemas that a schema may stand for.
func (c *closer) branches(v loosejson.Value) []loosejson.Value {
	if has(v, Ref) {
		to, ok := c.resolve(v)
		if !ok {
			return nil
		}
		return []loosejson.Value{to}
	}
	var list []loosejson.Value
	for _, word := range choices {
		list = append(list, get(v, word).Items...)
	}
	return list
}

// find returns the first of a schema and those that it may stand for which is wanted.
func (c *closer) find(v loosejson.Value, depth int, wanted func(loosejson.Value) bool) (loosejson.Value, bool) {
	if wanted(v) || depth == maxDepth {
		return v, wanted(v)
	}
	for _, branch := range c.branches(v) {
		if found, ok := c.find(branch, depth+1, wanted); ok {
			return found, true
		}
	}
	return v, false
}

// takesNull reports whether null may be a value of a schema. In doubt it is.
func (c *closer) takesNull(v loosejson.Value, depth int) bool {
	if depth > maxDepth {
		return true
	}
	isNull := func(item loosejson.Value) bool { return item.Kind == loosejson.Null }
	if enum, ok := v.Get("enum"); ok {
		return slices.ContainsFunc(enum.Items, isNull)
	}
	if value, ok := v.Get("const"); ok {
		return isNull(value)
	}
	if types := typesOf(v); len(types) > 0 {
		return slices.Contains(types, "null")
	}
	branches := c.branches(v)
	return len(branches) == 0 || slices.ContainsFunc(branches, func(b loosejson.Value) bool { return c.takesNull(b, depth+1) })
}
