// Package closedtest checks schemas against the rules that providers publish. It shares
// nothing with the package that makes them.
//
// OpenAI's are those of its guide to structured outputs
// (platform.openai.com/docs/guides/structured-outputs, "Supported schemas"), with one that
// only its error says: "Objects provided via 'anyOf' must not share identical first keys".
// Anthropic's are those of its guide to structured outputs
// (platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations"
// and "Schema complexity limits"). Both as they were in autumn 2026.
package closedtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// OpenAI returns what its strict mode would not take of a schema.
func OpenAI(schema json.RawMessage) []string {
	c := &check{keywords: []string{
		"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref", "$defs", "description", "title",
		"pattern", "format", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "minItems", "maxItems",
	}, recursive: true, firstKeys: true}
	c.document(schema)
	c.most("object properties", c.properties, 5000)
	c.most("levels of nesting", c.levels, 10)
	c.most("letters of names and of values of enums", c.letters, 120_000)
	c.most("values of enums", c.values, 1000)
	if c.optional > 0 {
		c.say("#", "%d properties are not required", c.optional)
	}
	return c.problems
}

// Anthropic returns what its structured outputs would not take of a schema. Unions are counted
// where they are written, as in its error "… parameters with type arrays or anyOf".
func Anthropic(schema json.RawMessage) []string {
	c := &check{keywords: []string{
		"type", "properties", "required", "additionalProperties", "items", "anyOf", "allOf", "enum", "const", "default", "$ref", "$defs", "definitions",
		"description", "title", "pattern", "format", "minItems",
	}}
	c.document(schema)
	c.most("optional parameters", c.optional, 24)
	c.most("parameters with union types", c.unions, 16)
	return c.problems
}

type check struct {
	keywords             []string
	recursive, firstKeys bool

	root     loosejson.Value
	open     []string
	written  bool // what follows stands elsewhere, and was counted
	problems []string

	properties, levels, letters, values, optional, unions int
}

func (c *check) say(at, format string, args ...any) {
	problem := at + ": " + fmt.Sprintf(format, args...)
	if !slices.Contains(c.problems, problem) {
		c.problems = append(c.problems, problem)
	}
}

func (c *check) most(what string, n, most int) {
	if n > most {
		c.say("#", "%d %s; there may be %d", n, what, most)
	}
}

func (c *check) document(schema json.RawMessage) {
	root, err := loosejson.Parse(string(schema))
	if err != nil || !json.Valid(schema) {
		c.say("#", "it is not JSON")
		return
	}
	c.root = root
	if typ, _ := root.Get("type"); typ.Text != "object" {
		c.say("#", "the root is no object")
	}
	if has(root, "anyOf") {
		c.say("#", "the root is a choice")
	}
	c.schema(root, "#", 0)
	defs, _ := root.Get("$defs")
	for _, def := range defs.Members { // once more, for what nobody refers to, and where it is written
		c.letters += len(def.Name)
		before := *c
		c.schema(def.Value, "#/$defs/"+def.Name, 0)
		c.properties, c.levels, c.letters, c.values = before.properties, before.levels, before.letters, before.values
	}
}

func (c *check) schema(v loosejson.Value, at string, levels int) {
	if v.Kind != loosejson.Object {
		c.say(at, "it is no object")
		return
	}
	for _, m := range v.Members {
		if !slices.Contains(c.keywords, m.Name) {
			c.say(at, "%s is not taken", m.Name)
		}
	}
	if ref, ok := v.Get("$ref"); ok {
		c.follow(ref.Text, at, levels)
		return
	}
	c.types(v, at)
	if choice, ok := v.Get("anyOf"); ok {
		for i, branch := range choice.Items {
			c.schema(branch, fmt.Sprintf("%s/anyOf/%d", at, i), levels)
		}
		c.first(choice.Items, at)
	}
	if items, ok := v.Get("items"); ok {
		c.levels = max(c.levels, levels+1)
		c.schema(items, at+"/items", levels+1)
	}
	if enum, ok := v.Get("enum"); ok {
		c.enum(enum.Items, at)
	}
	if least, ok := v.Get("minItems"); ok && !c.firstKeys && least.Text != "0" && least.Text != "1" {
		c.say(at, "minItems is %s", least.Text)
	}
	if typ, _ := v.Get("type"); typ.Text == "object" || has(v, "properties") || slices.ContainsFunc(typ.Items, func(t loosejson.Value) bool { return t.Text == "object" }) {
		c.object(v, at, levels+1)
	}
}

func (c *check) types(v loosejson.Value, at string) {
	typ, typed := v.Get("type")
	_, of := v.Get("anyOf")
	if of || len(typ.Items) > 0 {
		if !c.written {
			c.unions++
		}
	}
	if !typed && !of && !has(v, "enum") && !has(v, "const") && !has(v, "allOf") {
		c.say(at, "it has no type")
	}
	names := typ.Items
	if typ.Kind == loosejson.String {
		names = append(names, typ)
	}
	for _, name := range names {
		if !slices.Contains([]string{"string", "number", "integer", "boolean", "object", "array", "null"}, name.Text) {
			c.say(at, "the type %q is not taken", name.Text)
		}
		if name.Text == "array" && !has(v, "items") {
			c.say(at, "the elements have no schema")
		}
	}
}

func (c *check) object(v loosejson.Value, at string, levels int) {
	c.levels = max(c.levels, levels)
	if more, ok := v.Get("additionalProperties"); !ok || more.Text != "false" {
		c.say(at, "the object is open")
	}
	properties, ok := v.Get("properties")
	if !ok {
		c.say(at, "the object has no properties")
	}
	required, _ := v.Get("required")
	for _, name := range required.Items {
		if !has(properties, name.Text) {
			c.say(at, "%s is required, and is no property", name.Text)
		}
	}
	for _, p := range properties.Members {
		c.properties++
		c.letters += len(p.Name)
		if !slices.ContainsFunc(required.Items, func(r loosejson.Value) bool { return r.Text == p.Name }) && !c.written {
			c.optional++
		}
		c.schema(p.Value, at+"/properties/"+p.Name, levels)
	}
}

func (c *check) enum(values []loosejson.Value, at string) {
	letters := 0
	for _, value := range values {
		if value.Kind == loosejson.Array || value.Kind == loosejson.Object {
			c.say(at, "a value of the enum is no scalar")
		}
		letters += len(value.Text)
	}
	c.values, c.letters = c.values+len(values), c.letters+letters
	if c.firstKeys && len(values) > 250 && letters > 15_000 {
		c.say(at, "%d letters in an enum of %d values", letters, len(values))
	}
}

func (c *check) follow(ref, at string, levels int) {
	name, ok := strings.CutPrefix(ref, "#/$defs/")
	defs, _ := c.root.Get("$defs")
	to, there := defs.Get(name)
	switch {
	case !ok || !there:
		c.say(at, "%s leads nowhere", ref)
	case !slices.Contains(c.open, ref):
		written := c.written
		c.open, c.written = append(c.open, ref), true
		c.schema(to, ref, levels)
		c.open, c.written = c.open[:len(c.open)-1], written
	case !c.recursive:
		c.say(at, "%s contains itself", ref)
	}
}

// first looks at how the objects of a choice begin.
func (c *check) first(branches []loosejson.Value, at string) {
	if !c.firstKeys {
		return
	}
	begun := map[string][]loosejson.Value{} // the values of an enum, nil for any
	for _, branch := range branches {
		if ref, ok := branch.Get("$ref"); ok {
			defs, _ := c.root.Get("$defs")
			branch, _ = defs.Get(strings.TrimPrefix(ref.Text, "#/$defs/"))
		}
		properties, _ := branch.Get("properties")
		if len(properties.Members) == 0 {
			continue
		}
		first := properties.Members[0]
		enum, told := first.Value.Get("enum")
		others, again := begun[first.Name]
		shared := !told || slices.ContainsFunc(enum.Items, func(v loosejson.Value) bool {
			return slices.ContainsFunc(others, func(o loosejson.Value) bool { return loosejson.Equal(o, v) })
		})
		if again && (shared || others == nil) {
			c.say(at, "two objects begin with %s", first.Name)
		}
		begun[first.Name] = append(others, enum.Items...)
	}
}

func has(v loosejson.Value, name string) bool {
	_, ok := v.Get(name)
	return ok
}
