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

// Providers are the rules of each provider.
var Providers = map[string]func(json.RawMessage) []string{"OpenAI": OpenAI, "Anthropic": Anthropic}

const both = "type properties required additionalProperties items anyOf enum const " +
	"$ref $defs description title pattern format "

// OpenAI returns what its strict mode does not accept in a schema. It does not check the size: see [closed.Fits].
func OpenAI(schema json.RawMessage) []string {
	more := "multipleOf maximum exclusiveMaximum minimum exclusiveMinimum minItems maxItems"
	c := &check{openAI: true, keywords: strings.Fields(both + more)}
	c.document(schema)
	c.most("properties that are not required", c.optional, 0)
	return c.problems
}

// Anthropic returns what its structured outputs do not accept in a schema. Unions are counted
// where they are written, as in its error "… parameters with type arrays or anyOf".
func Anthropic(schema json.RawMessage) []string {
	c := &check{keywords: strings.Fields(both + "allOf default definitions")}
	c.document(schema)
	c.most("optional parameters", c.optional, 24)
	c.most("parameters with union types", c.unions, 16)
	return c.problems
}

type check struct {
	openAI           bool
	keywords         []string
	root             loosejson.Value
	optional, unions int
	problems         []string
}

func (c *check) say(at, format string, args ...any) {
	c.problems = append(c.problems, at+": "+fmt.Sprintf(format, args...))
}

func (c *check) most(what string, n, most int) {
	if n > most {
		c.say("#", "%d %s; there may be %d", n, what, most)
	}
}

func (c *check) document(schema json.RawMessage) {
	var err error
	if c.root, err = loosejson.Parse(string(schema)); err != nil || !json.Valid(schema) {
		c.say("#", "it is not JSON")
		return
	}
	if typed(c.root) != "object" || has(c.root, "anyOf") {
		c.say("#", "the root is no object")
	}
	c.schema(c.root, "#")
	for _, def := range get(c.root, "$defs").Members {
		c.schema(def.Value, "#/$defs/"+def.Name)
	}
}

// parts calls f for each schema that is directly in a schema.
func parts(v loosejson.Value, f func(at string, part loosejson.Value)) {
	for _, p := range get(v, "properties").Members {
		f("/properties/"+p.Name, p.Value)
	}
	for i, branch := range get(v, "anyOf").Items {
		f(fmt.Sprint("/anyOf/", i), branch)
	}
	if items, ok := v.Get("items"); ok {
		f("/items", items)
	}
}

// schema checks a schema where it is written.
func (c *check) schema(v loosejson.Value, at string) {
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
		if !strings.HasPrefix(ref.Text, "#/$defs/") || of(c.root, v).Kind != loosejson.Object {
			c.say(at, "%s leads nowhere", ref.Text)
		}
		return
	}
	c.types(v, at)
	if slices.Contains(typesOf(v), "object") || has(v, "properties") {
		c.object(v, at)
	}
	for _, value := range get(v, "enum").Items {
		if value.Kind == loosejson.Array || value.Kind == loosejson.Object {
			c.say(at, "a value of the enum is no scalar")
		}
	}
	if c.openAI {
		c.beginnings(get(v, "anyOf").Items, at)
	}
	parts(v, func(inner string, part loosejson.Value) { c.schema(part, at+inner) })
}

func (c *check) types(v loosejson.Value, at string) {
	if has(v, "anyOf") || get(v, "type").Kind == loosejson.Array {
		c.unions++
	}
	if len(typesOf(v)) == 0 && !has(v, "anyOf") {
		c.say(at, "it has no type")
	}
	for _, name := range typesOf(v) {
		if !slices.Contains([]string{"string", "number", "integer", "boolean", "object", "array", "null"}, name) {
			c.say(at, "the type %q is not taken", name)
		}
		if name == "array" && !has(v, "items") {
			c.say(at, "the elements have no schema")
		}
	}
}

func (c *check) object(v loosejson.Value, at string) {
	if get(v, "additionalProperties").Text != "false" || !has(v, "properties") {
		c.say(at, "the object is open")
	}
	properties := get(v, "properties")
	c.optional += len(properties.Members)
	for _, name := range get(v, "required").Items {
		if has(properties, name.Text) {
			c.optional--
		} else {
			c.say(at, "%s is required, and is no property", name.Text)
		}
	}
}

// beginnings compares the first properties of the objects in a choice. Words tell two of one name apart.
func (c *check) beginnings(branches []loosejson.Value, at string) {
	var earlier []loosejson.Member
	for _, branch := range branches {
		properties := propertiesOf(of(c.root, branch))
		if len(properties) == 0 {
			continue
		}
		first := properties[0]
		words := get(first.Value, "enum").Items
		for _, other := range earlier {
			others := get(other.Value, "enum").Items
			shared := func(word loosejson.Value) bool { return contains(others, word) }
			apart := len(words) > 0 && len(others) > 0 && !slices.ContainsFunc(words, shared)
			if first.Name == other.Name && !apart {
				c.say(at, "two objects begin with %s", first.Name)
			}
		}
		earlier = append(earlier, first)
	}
}

// of is a schema, or the shared part that it refers to.
func of(root, schema loosejson.Value) loosejson.Value {
	name, shared := strings.CutPrefix(get(schema, "$ref").Text, "#/$defs/")
	if !shared {
		return schema
	}
	return get(get(root, "$defs"), name)
}

func typed(schema loosejson.Value) string { return get(schema, "type").Text }

// typesOf are the types of a schema, one or several.
func typesOf(schema loosejson.Value) (names []string) {
	typ := get(schema, "type")
	for _, t := range append(typ.Items, typ) {
		if t.Kind == loosejson.String {
			names = append(names, t.Text)
		}
	}
	return names
}

func propertyOf(schema loosejson.Value, name string) loosejson.Value {
	return get(get(schema, "properties"), name)
}

func propertiesOf(schema loosejson.Value) []loosejson.Member {
	return get(schema, "properties").Members
}

func contains(values []loosejson.Value, value loosejson.Value) bool {
	return slices.ContainsFunc(values, func(v loosejson.Value) bool { return loosejson.Equal(v, value) })
}

func has(v loosejson.Value, name string) bool {
	_, ok := v.Get(name)
	return ok
}

func get(v loosejson.Value, name string) loosejson.Value {
	value, _ := v.Get(name)
	return value
}
