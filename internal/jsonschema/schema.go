package jsonschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/plainjson"
)

const (
	maxSchemaBytes = 1 << 20
	maxSchemaDepth = 200
	maxRunDepth    = 5_000   // schemas in schemas, for values in values
	maxWork        = 500_000 // visits of a value by a schema
	maxProblems    = 32      // reported; the rest is counted
)

// Schema is a compiled schema. It never changes and is safe for concurrent use.
type Schema struct {
	// Unchecked is the JSON Pointer of a keyword that restricts values and is not checked, as a
	// fragment; "" if there is none. With one, Validate may refuse what fits.
	Unchecked string
	// Hides says that Hide may find something in a value.
	Hides bool

	root  *node
	names bool // propertyNames is used somewhere
}

// Parameters returns the properties that the schema has, also in what it combines, with the one
// type of each: "" for several or none. others reports whether there may be more of them.
func (s *Schema) Parameters() (types map[string]string, others bool) {
	types = map[string]string{}
	known := false
	for _, n := range s.Place().all {
		for name, child := range n.properties {
			typ := ""
			if len(child.types) == 1 {
				typ = child.types[0]
			}
			if before, seen := types[name]; seen && before != typ {
				typ = ""
			}
			types[name] = typ
		}
		for _, name := range n.required {
			types[name] += ""
		}
		closed := n.additional != nil && n.additional.never
		known = known || n.properties != nil || closed
		others = others || n.unchecked || n.additional != nil && !closed
	}
	return types, others || !known
}

// Compile reads a schema. An empty text is a schema that accepts anything.
func Compile(raw json.RawMessage) (*Schema, error) {
	if len(raw) > maxSchemaBytes {
		return nil, wrong("#", "is larger than %d bytes", maxSchemaBytes)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("true")
	}
	document, err := plainjson.Decode(raw)
	if err != nil {
		return nil, wrong("#", "%s", "is not JSON: "+err.Error())
	}
	c := &compiler{document: document, nodes: map[string]*node{}, done: map[*node]bool{}}
	c.all.add(document)
	if top, ok := document.(map[string]any); ok && top["$id"] != nil {
		c.all.ids-- // it is the document's own
	}
	root, err := c.schema(document, "#", 0)
	if err != nil {
		return nil, err
	}
	for _, at := range slices.Sorted(maps.Keys(c.nodes)) {
		if err := c.ends(c.nodes[at]); err != nil {
			return nil, err
		}
	}
	return &Schema{c.unchecked, c.all.secret, root, c.all.names}, nil
}

// node is one schema of a document.
type node struct {
	pointer             string
	never               bool     // the schema false
	types               []string // none: any
	checks              []check  // of the value itself
	properties          map[string]*node
	additional          *node
	propertyNames       *node
	required            []string
	items               *node
	allOf, anyOf, oneOf []*node  // a $ref is in allOf
	format              string   // in lower case
	doubt               []string // formats in keywords that are not checked
	secret              bool     // writeOnly, or format password, or in doubt
	unchecked           bool     // it has a keyword that is not checked
}

// check returns what is wrong with a value, "" for nothing.
type check func(r *run, v any) string

// inPlace returns the schemas that n applies to the same value.
func (n *node) inPlace() []*node { return slices.Concat(n.allOf, n.anyOf, n.oneOf) }

// property returns the schema of a property, nil for none.
func (n *node) property(name string) *node {
	if child := n.properties[name]; child != nil {
		return child
	}
	return n.additional
}

// wrong says what is wrong at a place in a schema, a JSON Pointer.
func wrong(at, format string, args ...any) error {
	return fmt.Errorf("jsonschema: %s: %s", short(at), fmt.Sprintf(format, args...))
}

// short returns a text, or the size of a long one: a part of it may be half a secret.
func short(s string) string { return clip.Name(s, longest) }

// longest is how many bytes of a text a message quotes.
const longest = 200
