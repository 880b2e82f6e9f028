package closed

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

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

// Parameters returns the closed form of the parameters of a tool, whole in itself, and whether
// there is one.
func Parameters(schema json.RawMessage) (json.RawMessage, bool) {
	v, ok := arguments(schema)
	if !ok {
		return nil, false
	}
	return Share(v).Append(nil), true
}

// Has reports whether the parameters of a tool have a closed form.
func Has(schema json.RawMessage) bool {
	_, ok := arguments(schema)
	return ok
}

// Described returns the closed form of the parameters of a tool with what the tool says of each, and
// whether there is one. Nothing in it is shared: vLLM reads the shared parts of all tools as those of one.
func Described(schema json.RawMessage) (json.RawMessage, bool) {
	v, ok := closeArguments(schema, true)
	if !ok || !Fits(v) {
		return nil, false
	}
	return v.Append(nil), true
}

// maxRemembered bounds how many closed forms are kept, and of how long a schema.
const maxRemembered, maxRememberedBytes = 256, 4 << 10

// remembered are closed forms by the text of their schemas. The tools of a host are those of its
// applications, and in each state a schema is made of them.
var remembered = struct {
	sync.Mutex
	forms map[string]form
}{forms: map[string]form{}}

type form struct {
	args loosejson.Value
	ok   bool
}

// arguments is the closed form of parameters, nothing in it shared. It is not changed.
func arguments(schema json.RawMessage) (loosejson.Value, bool) {
	if len(schema) > maxRememberedBytes {
		return closeArguments(schema, false)
	}
	remembered.Lock()
	defer remembered.Unlock()
	f, known := remembered.forms[string(schema)]
	if !known {
		f.args, f.ok = closeArguments(schema, false)
		if len(remembered.forms) == maxRemembered {
			clear(remembered.forms)
		}
		remembered.forms[string(schema)] = f
	}
	return f.args, f.ok
}

func closeArguments(schema json.RawMessage, tells bool) (loosejson.Value, bool) {
	root, ok := read(schema)
	if !ok {
		return root, false
	}
	c := &closer{root: root, tells: tells}
	top, ok := c.resolve(root)
	if !ok || !slices.Equal(c.types(top), []string{"object"}) {
		return top, false
	}
	v, ok := c.object(top, 1, true)
	return c.described(v, root), ok
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
	about, _ := of.Get("description")
	if to, ok := c.resolve(of); ok && about.Text == "" {
		about, _ = to.Get("description")
	}
	words := append(make([]string, 0, 1), about.Text)
	if words = c.unsaid(words, of, 0); words[0] == "" {
		words = words[1:]
	}
	if len(words) == 0 {
		return v
	}
	return with(v, "description", loosejson.Text(strings.Join(words, "; ")))
}

// said are the keywords that a closed form has, or that say nothing of a value.
var said = map[string]bool{
	"type": true, "properties": true, "required": true, "additionalProperties": true, "items": true, "enum": true, "const": true,
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
	choice := !has(of, "properties") && !has(of, "items")
	for _, m := range of.Members {
		one := m.Value.Kind == loosejson.Number && m.Value.Text == "1"
		switch {
		case said[m.Name] && (m.Name != "enum" || len(m.Value.Items) <= maxEnum), one && (m.Name == "minLength" || m.Name == "minItems"): // nobody writes an empty text who does not mean null
		case choice && (m.Name == "anyOf" || m.Name == "oneOf" || m.Name == "allOf"):
			for _, branch := range m.Value.Items {
				words = c.unsaid(words, branch, depth+1)
			}
		default:
			if word := m.Name + ": " + string(m.Value.Append(nil)); !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return words
}

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
	if !has(v, "properties") && !has(v, "items") {
		for _, word := range []string{"anyOf", "oneOf", "allOf"} {
			if of, ok := v.Get(word); ok {
				return c.combined(v, word, of.Items, depth)
			}
		}
	}
	var list []loosejson.Value
	for _, typ := range c.types(v) {
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

// types are those that a schema names, or that its keywords are about.
func (c *closer) types(v loosejson.Value) []string {
	typ, ok := v.Get("type")
	switch {
	case ok && typ.Kind == loosejson.String:
		return []string{typ.Text}
	case ok:
		var list []string
		for _, t := range typ.Items {
			list = append(list, t.Text)
		}
		return list
	case has(v, "properties"):
		return []string{"object"}
	case has(v, "items"):
		return []string{"array"}
	}
	return nil
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
		return with(typed(typ), "items", c.described(one, items)), ok
	case "object":
		return c.object(v, depth, false)
	}
	return v, false
}

// object closes an object. top says that its properties are the arguments of a tool.
func (c *closer) object(v loosejson.Value, depth int, top bool) (loosejson.Value, bool) {
	if depth > maxDepth || slices.ContainsFunc(unknown, func(word string) bool { return has(v, word) }) {
		return v, false
	}
	more, said := v.Get("additionalProperties")
	closed := said && more.Kind == loosejson.Bool && more.Text == "false"
	if said && !closed {
		return v, false
	}
	properties, there := v.Get("properties")
	if there == (properties.Kind != loosejson.Object) || !there && !closed {
		return v, false
	}
	required, _ := v.Get("required")
	if max(len(properties.Members), len(required.Items)) > maxNodes { // each is looked up among the others
		return v, false
	}
	asked := func(name string) bool {
		return slices.ContainsFunc(required.Items, func(r loosejson.Value) bool { return r.Text == name })
	}
	if !within(v, properties) {
		return v, false
	}
	var members []loosejson.Member
	for _, m := range properties.Members {
		if m.Name == Ref || m.Name == Reference {
			return v, false
		}
		if m.Value.Kind == loosejson.Bool && m.Value.Text == "false" && !asked(m.Name) {
			continue
		}
		list, ok := c.alternatives(m.Value, depth+1)
		if !ok {
			return v, false
		}
		if top && (!c.tells || slices.ContainsFunc(list, mayBeCut)) {
			list = append(list, reference)
		}
		if !asked(m.Name) {
			list = append(list, Null)
		}
		one, ok := union(list)
		if !ok {
			return v, false
		}
		members = append(members, loosejson.Member{Name: m.Name, Value: c.described(one, m.Value)})
	}
	return Object(members...), true
}
