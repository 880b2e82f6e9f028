package closed

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

var asRef, asReference = renamed(Ref), renamed(Reference)

// renamed is the reference of a schema, under a name, as it stands in one.
func renamed(name string) []byte {
	v := Object(loosejson.Member{Name: name, Value: Text})
	return v.Append(nil)
}

// ForGrammars returns a schema in which a reference is {"$reference": its path}. llama.cpp,
// and what is built on it, takes every member called $ref for one of the schema itself, and
// fails.
func ForGrammars(schema json.RawMessage) json.RawMessage {
	return bytes.ReplaceAll(schema, asRef, asReference)
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
			property, asked, found := c.property(schema, name, 0)
			switch {
			case !found:
			case item == nil:
				if !asked && !c.takesNull(property, 0) {
					delete(value, name)
				}
			default:
				value[name] = c.opened(property, item, depth+1)
			}
		}
		return value
	case []any:
		items, ok := c.items(schema, 0)
		if !ok {
			return value
		}
		value = slices.Clone(value)
		for i := range value {
			value[i] = c.opened(items, value[i], depth+1)
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
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		of, _ := v.Get(word)
		list = append(list, of.Items...)
	}
	return list
}

// property finds the schema of a property, and whether it is required.
func (c *closer) property(v loosejson.Value, name string, depth int) (property loosejson.Value, asked, found bool) {
	properties, _ := v.Get("properties")
	if property, found = properties.Get(name); found {
		required, _ := v.Get("required")
		asked = slices.ContainsFunc(required.Items, func(r loosejson.Value) bool { return r.Text == name })
		return property, asked, true
	}
	for _, branch := range c.branches(v) {
		if depth < maxDepth {
			if property, asked, found = c.property(branch, name, depth+1); found {
				return property, asked, true
			}
		}
	}
	return property, false, false
}

func (c *closer) items(v loosejson.Value, depth int) (loosejson.Value, bool) {
	if items, ok := v.Get("items"); ok {
		return items, true
	}
	for _, branch := range c.branches(v) {
		if depth < maxDepth {
			if items, ok := c.items(branch, depth+1); ok {
				return items, true
			}
		}
	}
	return loosejson.Value{}, false
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
	if types := c.types(v); len(types) > 0 {
		return slices.Contains(types, "null")
	}
	branches := c.branches(v)
	return len(branches) == 0 || slices.ContainsFunc(branches, func(b loosejson.Value) bool { return c.takesNull(b, depth+1) })
}
