package closed

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

const (
	// maxDepth is how many objects and lists are in one another, the arguments themselves among
	// them. OpenAI takes ten; five are around the arguments of an action.
	maxDepth = 5
	// maxNodes bounds what references may make of a schema: each is written out.
	maxNodes = 2000
	// maxEnum is how many words a choice may have. OpenAI bounds the letters of a longer one.
	maxEnum = 250
)

// Ref is the name in a reference to the blackboard.
const Ref = "$ref"

// Has reports whether the parameters of a tool have a closed form.
func Has(schema json.RawMessage) bool {
	_, ok := arguments(schema, false)
	return ok
}

// Described returns the closed form of the parameters of a tool with what the tool says of each, and
// whether there is one. Nothing in it is shared: vLLM reads the shared parts of all tools as those of one.
func Described(schema json.RawMessage) (json.RawMessage, bool) {
	v, ok := arguments(schema, true)
	if !ok || !Fits(v) {
		return nil, false
	}
	return v.Append(nil), true
}

// arguments is the closed form of parameters, nothing in it shared. tells keeps what is said of each part.
func arguments(schema json.RawMessage, tells bool) (loosejson.Value, bool) {
	root, ok := read(schema)
	if !ok {
		return root, false
	}
	c := &closer{root: root, tells: tells}
	list, ok := c.alternatives(root, 1)
	if !ok || len(list) != 1 || !has(list[0], "properties") {
		return root, false
	}
	return c.described(list[0], root), true
}

// read parses strict JSON.
func read(schema json.RawMessage) (loosejson.Value, bool) {
	if !json.Valid(schema) {
		return loosejson.Value{}, false
	}
	v, err := loosejson.Parse(string(schema))
	return v, err == nil && v.Kind == loosejson.Object
}

// closer closes one schema.
type closer struct {
	root  loosejson.Value
	open  []string // the references that are being followed
	nodes int
	tells bool // what is said of each part is kept
	told  int  // parts of which it was
}

// described adds what a schema says of itself, and what its closed form does not say: a model that is sent this form
// alone would not know of a maximum.
func (c *closer) described(v, of loosejson.Value) loosejson.Value {
	if !c.tells {
		return v
	}
	about := get(of, "description")
	if to, ok := c.resolve(of); ok && about.Text == "" {
		about = get(to, "description")
	}
	var words []string
	if about.Text != "" {
		words = append(words, about.Text)
	}
	if words = c.unsaid(words, of, 0); len(words) == 0 {
		return v
	}
	return v.With("description", loosejson.Text(strings.Join(words, "; ")))
}

// said are the keywords that a closed form has, or that say nothing of a value.
var said = map[string]bool{
	"type": true, "properties": true, "required": true, "additionalProperties": true, "items": true, "const": true,
	"description": true, "title": true, "$schema": true, "$comment": true, "$defs": true, "definitions": true, Ref: true,
}

// unsaid adds what a schema asks for, or says, that its closed form does not, such as "maximum: 3".
func (c *closer) unsaid(words []string, of loosejson.Value, depth int) []string {
	if c.told++; c.told > maxNodes || depth > maxDepth {
		return words
	}
	if to, ok := c.resolve(of); ok && has(of, Ref) {
		words = c.unsaid(words, to, depth+1)
	}
	for _, m := range of.Members {
		switch m.Name {
		case "minLength", "minItems":
			if m.Value.Text == "1" {
				continue // nobody writes an empty text who does not mean null
			}
		case "enum":
			if len(m.Value.Items) <= maxEnum {
				continue
			}
		case "anyOf", "oneOf", "allOf":
			if isChoice(of) {
				for _, branch := range m.Value.Items {
					words = c.unsaid(words, branch, depth+1)
				}
				continue
			}
		}
		if word := m.Name + ": " + string(m.Value.Append(nil)); !said[m.Name] && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

var choices = []string{"anyOf", "oneOf", "allOf"}

// isChoice reports whether a schema with anyOf, oneOf or allOf says nothing but what they say.
func isChoice(v loosejson.Value) bool { return !has(v, "properties") && !has(v, "items") }

// unknown are keywords that let in more than the others say, or say where a reference leads.
var unknown = []string{"patternProperties", "prefixItems", "$dynamicRef", "$recursiveRef", "$id", "unevaluatedItems", "contains"}

// alternatives returns what a value of a schema may be, none of it a choice. false: it cannot
// be closed.
func (c *closer) alternatives(v loosejson.Value, depth int) ([]loosejson.Value, bool) {
	if c.nodes++; c.nodes > maxNodes || v.Kind != loosejson.Object {
		return nil, false
	}
	if ref, ok := v.Get(Ref); ok {
		if slices.Contains(c.open, ref.Text) {
			return nil, false
		}
		c.open = append(c.open, ref.Text)
		defer func() { c.open = c.open[:len(c.open)-1] }()
		to, ok := c.resolve(v)
		if !ok {
			return nil, false
		}
		return c.alternatives(to, depth)
	}
	if slices.ContainsFunc(unknown, func(word string) bool { return has(v, word) }) {
		return nil, false
	}
	if values, ok := v.Get("enum"); ok {
		return choice(values.Items)
	}
	if value, ok := v.Get("const"); ok {
		return choice([]loosejson.Value{value})
	}
	if isChoice(v) {
		for _, word := range choices {
			if of, ok := v.Get(word); ok {
				return c.combined(v, word, of.Items, depth)
			}
		}
	}
	var list []loosejson.Value
	for _, typ := range typesOf(v) {
		one, ok := c.kind(v, typ, depth)
		if !ok {
			return nil, false
		}
		list = append(list, one)
	}
	return list, len(list) > 0
}

// combined are the alternatives of a schema that says nothing but what others say.
func (c *closer) combined(v loosejson.Value, word string, of []loosejson.Value, depth int) ([]loosejson.Value, bool) {
	if word == "allOf" && len(of) != 1 {
		return nil, false
	}
	typ, said := v.Get("type")
	var list []loosejson.Value
	for _, branch := range of {
		if said && !has(branch, "type") && !has(branch, Ref) {
			branch = branch.With("type", typ)
		}
		more, ok := c.alternatives(branch, depth)
		if !ok {
			return nil, false
		}
		list = append(list, more...)
	}
	return list, len(list) > 0
}

// typesOf are those that a schema names, or that its keywords are about.
func typesOf(v loosejson.Value) (list []string) {
	typ, ok := v.Get("type")
	switch {
	case ok && typ.Kind == loosejson.String:
		return []string{typ.Text}
	case !ok && has(v, "properties"):
		return []string{"object"}
	case !ok && has(v, "items"):
		return []string{"array"}
	}
	for _, t := range typ.Items {
		list = append(list, t.Text)
	}
	return list
}

func (c *closer) kind(v loosejson.Value, typ string, depth int) (loosejson.Value, bool) {
	switch typ {
	case "string", "number", "integer", "boolean", "null":
		return typed(typ), true
	case "array":
		items, ok := v.Get("items")
		if !ok || depth > maxDepth {
			return v, false
		}
		list, ok := c.alternatives(items, depth+1)
		if !ok {
			return v, false
		}
		one, ok := union(list)
		return List(c.described(one, items)), ok
	case "object":
		return c.object(v, depth)
	}
	return v, false
}

// object closes an object. At depth 1 its properties are the arguments of a tool.
func (c *closer) object(v loosejson.Value, depth int) (loosejson.Value, bool) {
	more, said := v.Get("additionalProperties")
	closed := said && more.Kind == loosejson.Bool && more.Text == "false"
	properties, there := v.Get("properties")
	switch {
	case depth > maxDepth, said && !closed, there == (properties.Kind != loosejson.Object), !there && !closed:
		return v, false
	case max(len(properties.Members), len(get(v, "required").Items)) > maxNodes: // each is looked up among the others
		return v, false
	case !within(v, properties):
		return v, false
	}
	var members []loosejson.Member
	for _, m := range properties.Members {
		asked := asks(v, m.Name)
		switch {
		case m.Name == Ref, m.Name == Reference:
			return v, false
		case m.Value.Kind == loosejson.Bool && m.Value.Text == "false" && !asked:
			continue
		}
		list, ok := c.alternatives(m.Value, depth+1)
		if depth == 1 && (!c.tells || slices.ContainsFunc(list, mayBeCut)) {
			list = append(list, reference)
		}
		if !asked {
			list = append(list, Null)
		}
		one, alone := union(list)
		if !ok || !alone {
			return v, false
		}
		members = append(members, loosejson.Member{Name: m.Name, Value: c.described(one, m.Value)})
	}
	return Object(members...), true
}
