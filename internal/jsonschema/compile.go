package jsonschema

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

type compiler struct {
	document  any
	all       traits           // of the document
	nodes     map[string]*node // by pointer, so that a reference finds what is there already
	done      map[*node]bool   // whether a schema surely ends, false while that is checked
	unchecked string           // the first pointer of a keyword that is not checked
}

// traits are what the package knows of a part of a document without understanding it.
type traits struct {
	secret  bool     // a schema in it may mark a secret
	refs    bool     // there are references, which may lead anywhere in the document
	names   bool     // there is propertyNames
	ids     int      // how many $id there are: they change what references mean
	formats []string // in lower case
}

func (t *traits) add(v any) {
	switch v := v.(type) {
	case map[string]any:
		t.secret = t.secret || v["writeOnly"] == true
		t.refs = t.refs || v["$ref"] != nil || v["$dynamicRef"] != nil || v["$recursiveRef"] != nil
		t.names = t.names || v["propertyNames"] != nil
		if id, ok := v["$id"].(string); ok && id != "" {
			t.ids++
		}
		if format, ok := v["format"].(string); ok {
			format = strings.ToLower(format)
			t.secret = t.secret || format == password
			t.formats = append(t.formats, format)
		}
		for _, item := range v {
			t.add(item)
		}
	case []any:
		for _, item := range v {
			t.add(item)
		}
	}
}

// password is the format of secrets, in lower case.
const password = "password"

// schema compiles the schema v at a pointer.
func (c *compiler) schema(v any, at string, depth int) (*node, error) {
	if n, ok := c.nodes[at]; ok {
		return n, nil
	}
	if depth > maxSchemaDepth {
		return nil, wrong(at, "is nested deeper than %d", maxSchemaDepth)
	}
	n := &node{pointer: at}
	c.nodes[at] = n
	switch v := v.(type) {
	case bool:
		n.never = !v
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if err := c.keyword(n, name, v[name], depth+1); err != nil {
				return nil, err
			}
		}
	default:
		return nil, wrong(at, "must be an object or a boolean")
	}
	return n, nil
}

// keyword reads one keyword of a schema.
func (c *compiler) keyword(n *node, name string, v any, depth int) (err error) {
	at := join(n.pointer, name)
	one := func(v any, at string) (*node, error) { return c.schema(v, at, depth) }
	_, isList := v.([]any)
	switch read := checks[name]; {
	case name == "type" && isList:
		n.types, err = readList(v, at, readType)
	case name == "type":
		n.types = make([]string, 1)
		n.types[0], err = readType(v, at)
	case name == "properties":
		n.properties, err = readEach(v, at, one)
	case name == "additionalProperties":
		n.additional, err = one(v, at)
	case name == "propertyNames":
		n.propertyNames, err = one(v, at)
	case name == "required":
		n.required, err = readList(v, at, readString)
	case name == "items" && !isList: // a list is that of older drafts
		n.items, err = one(v, at)
	case name == "allOf":
		var all []*node // a $ref is there already
		all, err = readList(v, at, one)
		n.allOf = append(n.allOf, all...)
	case name == "anyOf":
		n.anyOf, err = readList(v, at, one)
	case name == "oneOf":
		n.oneOf, err = readList(v, at, one)
	case name == "$ref":
		err = c.refer(n, v, at, depth)
	case name == "writeOnly":
		_, err = as[bool](v, at, "true or false")
		n.secret = n.secret || v == true
	case name == "format":
		format, _ := v.(string)
		n.format = strings.ToLower(format)
		n.secret = n.secret || n.format == password
	case read != nil:
		var fits check
		if fits, err = read(v, at); fits != nil {
			n.checks = append(n.checks, fits)
		} else if err == nil {
			c.doubt(n, name, traits{})
		}
	case name != "$defs" && name != "definitions" && name != "default" && name != "examples": // those are for references, or data
		var inside traits
		inside.add(v)
		c.doubt(n, name, inside)
	}
	return err
}

// restricts are the keywords of JSON Schema, in all drafts, that restrict a value and are not
// checked, or only in one form.
const restricts = " not if contains items pattern uniqueItems multipleOf divisibleBy patternProperties prefixItems" +
	" dependencies dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties extends disallow $ref $dynamicRef $recursiveRef "

// doubt is for a keyword that the package does not understand. It may apply any schema inside to
// the value, and with a reference any schema of the document.
func (c *compiler) doubt(n *node, name string, inside traits) {
	if strings.Contains(restricts, " "+name+" ") || name == "$id" && n.pointer != "#" {
		n.unchecked = true
		c.unchecked = cmp.Or(c.unchecked, join(n.pointer, name))
	}
	if inside.refs || strings.HasSuffix(name, "Ref") {
		inside = c.all
	}
	n.secret = n.secret || inside.secret
	n.doubt = append(n.doubt, inside.formats...)
}

// refer follows a reference to a place in the document. One of another kind is not checked.
func (c *compiler) refer(n *node, v any, at string, depth int) error {
	ref, err := readString(v, at)
	if err != nil {
		return err
	}
	fragment, local := strings.CutPrefix(ref, "#")
	tokens := strings.Split(fragment, "/")
	if !local || c.all.ids > 0 || tokens[0] != "" {
		c.doubt(n, "$ref", c.all)
		return nil
	}
	target, place := c.document, "#"
	for _, token := range tokens[1:] {
		token, err := url.PathUnescape(strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"))
		found := false
		switch around := target.(type) {
		case map[string]any:
			target, found = around[token]
		case []any:
			i, err := strconv.Atoi(token)
			if found = err == nil && i >= 0 && i < len(around); found {
				target = around[i]
			}
		}
		if !found || err != nil {
			return wrong(at, "refers to %q, which is not there", short(ref))
		}
		place = join(place, token)
	}
	to, err := c.schema(target, place, depth)
	n.allOf = append(n.allOf, to)
	return err
}

// ends checks that no schema applies itself to the same value, or the check would never end.
func (c *compiler) ends(n *node) error {
	done, seen := c.done[n]
	if done {
		return nil
	}
	if seen {
		return wrong(n.pointer, "refers to itself without end")
	}
	c.done[n] = false
	for _, child := range n.inPlace() {
		if err := c.ends(child); err != nil {
			return err
		}
	}
	c.done[n] = true
	return nil
}

// join appends a token to a pointer.
func join(at, token string) string {
	return at + "/" + strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

var typeNames = []string{"null", "boolean", "object", "array", "string", "number", "integer"}

func readType(v any, at string) (string, error) {
	name, _ := v.(string)
	if !slices.Contains(typeNames, name) {
		return "", wrong(at, "must be one of %s, or a list of those", strings.Join(typeNames, ", "))
	}
	return name, nil
}

// as returns a value of a type that a keyword must have.
func as[T any](v any, at, what string) (T, error) {
	t, ok := v.(T)
	if !ok {
		return t, wrong(at, "%s", "must be "+what)
	}
	return t, nil
}

func readString(v any, at string) (string, error) { return as[string](v, at, "a string") }

func readList[T any](v any, at string, read func(any, string) (T, error)) ([]T, error) {
	list, err := as[[]any](v, at, "a list")
	out := make([]T, len(list))
	for i := 0; i < len(list) && err == nil; i++ {
		out[i], err = read(list[i], join(at, strconv.Itoa(i)))
	}
	return out, err
}

func readEach(v any, at string, read func(any, string) (*node, error)) (map[string]*node, error) {
	object, err := as[map[string]any](v, at, "an object")
	out := make(map[string]*node, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if err == nil {
			out[name], err = read(object[name], join(at, name))
		}
	}
	return out, err
}
