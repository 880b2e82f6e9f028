package jsonschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"regexp"
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
type Schema struct{ root *node }

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
		return &Schema{root: &node{}}, nil
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
	c := &compiler{names: readNamesOf(document), marksSecret: marksSecret(document), nodes: map[string]*node{}}
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
	c.spreadApproximate()
	return &Schema{root: root}, nil
}

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
	minContains, maxContains     *int
	unique                       bool
	pattern                      *regexp.Regexp

	properties        map[string]*node
	patternProperties []patternNode
	additional        *node
	propertyNames     *node
	required          []string
	dependentRequired map[string][]string
	dependentSchemas  map[string]*node

	prefix   []*node
	items    *node
	contains *node

	refs                   []*node
	allOf, anyOf, oneOf    []*node
	not, cond, then, else_ *node

	format      string   // in lower case
	doubt       []string // formats in keywords that are not understood
	secret      bool     // writeOnly, or format password, or in doubt
	approximate bool     // may accept too much
}

type patternNode struct {
	pattern *regexp.Regexp // nil: not supported, so what it matches is unknown
	schema  *node
}

// inPlace calls f with the schemas that n applies to the same value.
func (n *node) inPlace(f func(*node)) {
	for _, child := range []*node{n.not, n.cond, n.then, n.else_} {
		if child != nil {
			f(child)
		}
	}
	for _, list := range [][]*node{n.refs, n.allOf, n.anyOf, n.oneOf} {
		for _, child := range list {
			f(child)
		}
	}
	for _, child := range n.dependentSchemas {
		f(child)
	}
}

// children calls f with every schema that n refers to.
func (n *node) children(f func(*node)) {
	n.inPlace(f)
	for _, child := range n.properties {
		f(child)
	}
	for _, p := range n.patternProperties {
		f(p.schema)
	}
	for _, child := range n.prefix {
		f(child)
	}
	for _, child := range []*node{n.additional, n.propertyNames, n.items, n.contains} {
		if child != nil {
			f(child)
		}
	}
}
