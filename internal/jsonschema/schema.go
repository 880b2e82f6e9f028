package jsonschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
)

const (
	maxSchemaBytes = 1 << 20
	maxSchemaDepth = 200
	maxValueDepth  = 1000
	maxRunDepth    = 5_000   // schemas in schemas, for values in values
	maxWork        = 500_000 // visits of a value by a schema
	maxProblems    = 32      // reported; the rest is counted
)

// Schema is a compiled schema. It never changes and is safe for concurrent
// use.
type Schema struct {
	root      *node
	unchecked string
	names     bool    // propertyNames stands somewhere
	hides     bool    // a node of it is secret
	whole     []*node // those that apply to the whole value
}

// Names reports whether the schema has a property of that name.
func (s *Schema) Names(property string) bool {
	return slices.ContainsFunc(s.whole, func(n *node) bool { return n.properties[property] != nil })
}

// Type returns the one type that the schema itself has for a property, "" for several or none, and
// whether it has the property.
func (s *Schema) Type(property string) (name string, ok bool) {
	n := s.root.properties[property]
	if n == nil {
		return "", false
	}
	for i, name := range kindNames {
		if n.types == 1<<i {
			return name, true
		}
	}
	return "", true
}

// Closed reports whether the schema itself forbids properties that it does not name.
func (s *Schema) Closed() bool { return s.root.additional != nil && s.root.additional.never }

// Hides reports whether Secrets may find anything in any value.
func (s *Schema) Hides() bool { return s.hides }

// Unchecked returns the JSON Pointer of a keyword that would restrict a value and is not
// checked, as a fragment; "" when there is none. With one, Validate knows too little, and
// may refuse what fits. Secrets and Place look behind it.
func (s *Schema) Unchecked() string { return s.unchecked }

// CompileError says where a schema is wrong.
type CompileError struct {
	Pointer string // JSON Pointer of the place, as a fragment: "#/properties/a"
	Reason  string
}

func (e *CompileError) Error() string {
	return fmt.Sprintf("jsonschema: %s: %s", clip(e.Pointer), e.Reason)
}

// Compile reads a schema. Nothing at all is a schema that accepts anything.
// The error is a [*CompileError].
func Compile(raw json.RawMessage) (*Schema, error) {
	if len(raw) > maxSchemaBytes {
		return nil, &CompileError{Pointer: "#", Reason: fmt.Sprintf("is larger than %d bytes", maxSchemaBytes)}
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return newSchema(&node{}), nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var document any
	if err := dec.Decode(&document); err != nil {
		return nil, &CompileError{Pointer: "#", Reason: "is not JSON: " + err.Error()}
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, &CompileError{Pointer: "#", Reason: "is more than one JSON value"}
	}
	c := &compiler{document: document, marksSecret: marksSecret(document), formats: formats(document), nodes: map[string]*node{}}
	root, err := c.schema(document, "#", 0)
	if err != nil {
		return nil, err
	}
	if err := c.resolve(); err != nil {
		return nil, err
	}
	if err := c.refuseLoops(); err != nil {
		return nil, err
	}
	s := newSchema(root)
	s.unchecked, s.hides = c.unchecked, c.hides()
	s.names = anyObject(document, func(o map[string]any) bool { return o["propertyNames"] != nil })
	return s, nil
}

func newSchema(root *node) *Schema { return &Schema{root: root, whole: root.closure()} }

// node is one schema of a document. Its zero value accepts anything.
type node struct {
	pointer string
	never   bool // the schema false
	types   kinds
	choices *choices // enum
	only    *choices // const

	minimum, maximum, above, below, multipleOf *big.Rat

	minLength, maxLength         *int
	minItems, maxItems           *int
	minProperties, maxProperties *int
	unique                       bool
	pattern                      *pattern

	properties        map[string]*node
	patternProperties []patternNode
	additional        *node
	propertyNames     *node
	required          []string

	prefix []*node
	items  *node

	refs                []*node
	allOf, anyOf, oneOf []*node
	not                 *node

	format    string   // in lower case
	doubt     []string // formats in keywords that are not understood
	secret    bool     // writeOnly, or format password, or in doubt
	unchecked bool     // it has a keyword that is not checked
}

type patternNode struct {
	pattern *pattern // nil: not supported, so what it matches is unknown
	schema  *node
}

// inPlace calls f with the schemas that n applies to the same value.
func (n *node) inPlace(f func(*node)) {
	if n.not != nil {
		f(n.not)
	}
	for _, list := range [][]*node{n.refs, n.allOf, n.anyOf, n.oneOf} {
		for _, child := range list {
			f(child)
		}
	}
}
