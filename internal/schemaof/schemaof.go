// Package schemaof makes a JSON Schema of a Go type: for the replies of models (llm.SchemaOf)
// and for the parameters of tools (desktop.Func). The comments of those two list the tags.
//
// A property stands where its field does, because a model writes in that order. A type that
// contains itself is under $defs.
package schemaof

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/internal/plainjson"
)

// Rules are what replies and parameters do not have in common. A program has few, for as
// long as it runs.
type Rules struct {
	// Fields returns the fields of a struct that may be written, or why there are none.
	Fields func(typ reflect.Type) ([]Field, error)
	// Bare says whether a string may stand for a struct. Nil: for none.
	Bare func(typ reflect.Type) (bool, error)
	// Object describes the type itself by its fields, whatever methods it has.
	Object bool
}

// Error says why no schema can be made of a type.
type Error struct {
	Field   string // its path in Go, such as Lines.Size; "" for the type itself
	Problem string
}

func (e *Error) Error() string {
	if e.Field == "" {
		return e.Problem
	}
	return e.Field + ": " + e.Problem
}

func problem(format string, args ...any) error { return &Error{Problem: fmt.Sprintf(format, args...)} }

// schemas are those that were made: from key to json.RawMessage. Types are finite.
var schemas sync.Map

type key struct {
	typ   reflect.Type
	rules *Rules
}

// Of returns the schema of a type, which the caller owns.
func (r *Rules) Of(typ reflect.Type) (json.RawMessage, error) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	of := key{typ, r}
	if known, ok := schemas.Load(of); ok {
		return slices.Clone(known.(json.RawMessage)), nil
	}
	b := &builder{rules: r, names: map[reflect.Type]string{}}
	describe := b.describe
	if r.Object {
		describe = b.object
	}
	top, err := describe(typ)
	if err != nil {
		return nil, err
	}
	if name := b.names[typ]; name != "" { // it contains itself
		top = b.defs.get(name)
	}
	node := *top
	if len(b.defs) > 0 {
		node.Defs = &b.defs
	}
	raw, err := plainjson.Encode(&node)
	if err == nil {
		schemas.Store(of, json.RawMessage(raw))
	}
	return slices.Clone(raw), err
}

// node is a schema, its keywords in the order in which they are written.
type node struct {
	Ref                  string      `json:"$ref,omitempty"`
	AnyOf                []*node     `json:"anyOf,omitempty"`
	Type                 string      `json:"type,omitempty"`
	ContentEncoding      string      `json:"contentEncoding,omitempty"`
	Properties           *properties `json:"properties,omitempty"`
	Required             []string    `json:"required,omitempty"`
	AdditionalProperties any         `json:"additionalProperties,omitempty"` // a node, or false
	Items                *node       `json:"items,omitempty"`
	MinItems             *int        `json:"minItems,omitempty"`
	MaxItems             *int        `json:"maxItems,omitempty"`
	Minimum              *int        `json:"minimum,omitempty"`
	Enum                 []any       `json:"enum,omitempty"`
	Format               string      `json:"format,omitempty"`
	Description          string      `json:"description,omitempty"`
	Defs                 *properties `json:"$defs,omitempty"`
}

// properties keep their order.
type properties []property

type property struct {
	name   string
	schema *node
}

func (p properties) get(name string) *node {
	if i := slices.IndexFunc(p, func(one property) bool { return one.name == name }); i >= 0 {
		return p[i].schema
	}
	return nil
}

// MarshalJSON writes an object.
func (p properties) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, one := range p {
		name, _ := plainjson.Encode(one.name) // a text has a JSON form
		schema, err := plainjson.Encode(one.schema)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, name...), ':'), schema...)
	}
	return append(text, '}'), nil
}

var (
	rawType       = reflect.TypeFor[json.RawMessage]()
	numberType    = reflect.TypeFor[json.Number]()
	timeType      = reflect.TypeFor[time.Time]()
	unmarshalJSON = reflect.TypeFor[json.Unmarshaler]()
	unmarshalText = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// builder makes one schema.
type builder struct {
	rules *Rules
	open  []reflect.Type          // what is being described
	names map[reflect.Type]string // under $defs
	defs  properties
}

func (b *builder) describe(typ reflect.Type) (*node, error) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if b.rules.Bare != nil {
		if bare, err := b.rules.Bare(typ); err != nil {
			return nil, problem("%v", err)
		} else if bare { // before its UnmarshalJSON, which may well be what reads the string
			object, err := b.object(typ)
			return &node{AnyOf: []*node{{Type: "string"}, object}}, err
		}
	}
	switch pointer := reflect.PointerTo(typ); {
	case typ == rawType:
		return &node{}, nil
	case typ == numberType:
		return &node{Type: "number"}, nil
	case typ == timeType:
		return &node{Type: "string", Format: "date-time"}, nil
	case pointer.Implements(unmarshalJSON):
		return &node{}, nil // its own affair
	case pointer.Implements(unmarshalText):
		return &node{Type: "string"}, nil
	}
	switch kind := typ.Kind(); kind {
	case reflect.String:
		return &node{Type: "string"}, nil
	case reflect.Bool:
		return &node{Type: "boolean"}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &node{Type: "integer"}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return &node{Type: "integer", Minimum: new(int)}, nil
	case reflect.Float32, reflect.Float64:
		return &node{Type: "number"}, nil
	case reflect.Slice, reflect.Array:
		if kind == reflect.Slice && typ.Elem().Kind() == reflect.Uint8 {
			return &node{Type: "string", ContentEncoding: "base64"}, nil
		}
		items, err := b.element(typ)
		list := &node{Type: "array", Items: items}
		if kind == reflect.Array { // encoding/json drops what is too much, and makes up what is missing
			size := typ.Len()
			list.MinItems, list.MaxItems = &size, &size
		}
		return list, err
	case reflect.Map:
		if typ.Key().Kind() != reflect.String {
			return nil, problem("the keys of %v are no strings", typ)
		}
		values, err := b.element(typ)
		return &node{Type: "object", AdditionalProperties: values}, err
	case reflect.Struct:
		return b.object(typ)
	case reflect.Interface:
		if typ.NumMethod() > 0 {
			return nil, problem("%v is an interface with methods", typ)
		}
		return &node{}, nil
	}
	return nil, problem("JSON has no %v", typ)
}

func (b *builder) element(typ reflect.Type) (*node, error) {
	for i := len(b.open) - 1; i >= 0 && b.open[i].Kind() != reflect.Struct; i-- {
		if b.open[i] == typ {
			return nil, problem("%v is a list or map of itself", typ)
		}
	}
	b.open = append(b.open, typ)
	defer func() { b.open = b.open[:len(b.open)-1] }()
	return b.describe(typ.Elem())
}

// object describes a struct. One that contains itself is described once, under $defs.
func (b *builder) object(typ reflect.Type) (*node, error) {
	if b.names[typ] == "" && slices.Contains(b.open, typ) {
		b.define(typ)
	}
	ref := func() *node { return &node{Ref: "#/$defs/" + b.names[typ]} }
	if b.names[typ] != "" {
		return ref(), nil
	}
	b.open = append(b.open, typ)
	object, err := b.fields(typ)
	b.open = b.open[:len(b.open)-1]
	if err == nil && b.names[typ] != "" { // it met itself
		*b.defs.get(b.names[typ]) = *object
		return ref(), nil
	}
	return object, err
}

// define gives a type a place under $defs, and a name that none there has.
func (b *builder) define(typ reflect.Type) {
	base := strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]/.,", r) {
			return '_' // a generic type's name; / would mean something in a $ref
		}
		return r
	}, cmp.Or(typ.Name(), "type"))
	name := base
	for n := 2; b.defs.get(name) != nil; n++ {
		name = base + strconv.Itoa(n)
	}
	b.names[typ] = name
	b.defs = append(b.defs, property{name, &node{}})
}

func (b *builder) fields(typ reflect.Type) (*node, error) {
	fields, err := b.rules.Fields(typ)
	if err != nil {
		return nil, err
	}
	object := &node{Type: "object", Properties: &properties{}, AdditionalProperties: false}
	for _, f := range fields {
		schema, err := b.field(f)
		if inner, ok := errors.AsType[*Error](err); ok {
			return nil, &Error{Field: strings.TrimSuffix(f.Name+"."+inner.Field, "."), Problem: inner.Problem}
		}
		if err != nil {
			return nil, err
		}
		*object.Properties = append(*object.Properties, property{f.JSON, schema})
		if f.Type.Kind() != reflect.Pointer && !strings.Contains(f.Options, "omit") {
			object.Required = append(object.Required, f.JSON)
		}
	}
	return object, nil
}

func (b *builder) field(f Field) (*node, error) {
	if f.Unset != nil {
		return nil, problem("%v", f.Unset)
	}
	n, err := b.describe(f.Type)
	if err != nil {
		return nil, err
	}
	if f.Tag.Get("type") == "object" {
		n = &node{Type: "object"}
	}
	if words := Words(f.Tag.Get("enum")); words != nil {
		if err := n.restrict(words); err != nil {
			return nil, err
		}
	}
	if format := f.Tag.Get("format"); format != "" {
		n.Format = format
	}
	n.Description = f.Tag.Get("desc")
	return n, nil
}

// restrict allows only these values, of a list only these elements.
func (n *node) restrict(words []string) error {
	for _, word := range words {
		switch n.Type {
		case "array":
			return n.Items.restrict(words)
		case "string":
			n.Enum = append(n.Enum, word)
		case "integer", "number":
			if _, err := strconv.ParseFloat(word, 64); err != nil || !json.Valid([]byte(word)) {
				return problem("enum: %q is no number", word)
			}
			n.Enum = append(n.Enum, json.Number(word))
		default:
			return problem("enum is for strings, numbers and lists of them")
		}
	}
	return nil
}
