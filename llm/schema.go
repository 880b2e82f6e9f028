package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/schemaof"
)

// Schema says what a reply must look like. Adapters hand it to providers that
// can enforce it; [Decode] reads the replies of those that cannot.
type Schema struct {
	Name        string          `json:"name"` // letters, digits, _ and -: providers want no more
	Description string          `json:"description,omitempty"`
	JSON        json.RawMessage `json:"schema"` // a JSON Schema of type object
}

// schemaError says which Go type, field or property no schema can be made of.
// It is a mistake in a program, not in a reply.
type schemaError struct {
	typ     string // the Go type or the name of the schema
	field   string // the Go field or the property, "" for the whole
	problem string
}

func (e *schemaError) Error() string {
	if e.field == "" {
		return fmt.Sprintf("llm: schema of %s: %s", e.typ, e.problem)
	}
	return fmt.Sprintf("llm: schema of %s: %s: %s", e.typ, e.field, e.problem)
}

func isSchemaError(err error) bool {
	var e *schemaError
	return errors.As(err, &e)
}

// SchemaOf returns a schema for the struct T, its properties in the order of
// the fields: a model writes them in that order, so what it should think about
// first comes first.
//
// These tags count:
//
//   - json: the property's name; a field with omitempty or omitzero, or of a
//     pointer type, is not required. "-" leaves it out.
//   - desc: the property's description.
//   - enum: the only values allowed, separated by commas; of a list, the only
//     elements.
//   - format: of a string, such as date-time. Nothing checks it.
//   - type:"object": a json.RawMessage or any that must hold an object. Without
//     it they may hold anything.
//   - alias: other names under which [Decode] accepts it; not in the schema.
//   - bare:"true": on one string field of a struct that is a list's element or
//     another field's type: a plain string stands for the struct with that field
//     alone. It is described as a string or an object, also where it has a
//     UnmarshalJSON of its own.
//
// Embedded structs count as if their fields stood here. Types with an
// UnmarshalJSON of their own may hold anything, those with an UnmarshalText are strings, and
// an array has as many elements as in Go. A field of a type that JSON cannot hold, and two
// fields that differ only in case and punctuation, are an error.
func SchemaOf[T any](name string) (*Schema, error) {
	if err := checkSchemaName(name); err != nil {
		return nil, err
	}
	typ := reflect.TypeFor[T]()
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct {
		return nil, &schemaError{typ: typ.String(), problem: "a reply is an object, so this must be a struct"}
	}
	raw, err := replies.Of(typ)
	if problem, ok := errors.AsType[*schemaof.Error](err); ok {
		err = &schemaError{typ: typ.String(), field: problem.Field, problem: problem.Problem}
	}
	if err != nil {
		return nil, err
	}
	return &Schema{Name: name, JSON: raw}, nil
}

// replies are how models write, and [Decode] reads.
var replies = &schemaof.Rules{
	Fields: func(typ reflect.Type) ([]schemaof.Field, error) {
		info, err := fieldsOf(typ)
		if err != nil {
			return nil, err
		}
		var asked []schemaof.Field
		for _, f := range info.list {
			if !f.unasked {
				asked = append(asked, f.Field)
			}
		}
		return asked, nil
	},
	Bare:   checkBare,
	Object: true,
}

func checkSchemaName(name string) error {
	if name == "" {
		return &schemaError{typ: "(no name)", problem: "the name is empty"}
	}
	for _, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (r < '0' || r > '9') && r != '_' && r != '-' {
			return &schemaError{typ: name, problem: fmt.Sprintf("the name may not have %q", r)}
		}
	}
	return nil
}

// WithEnum returns a copy of s in which the property of that name, at the top
// level and written exactly so, takes only these values. They replace an enum
// that is there. Of a list, they are what its elements may be. The property
// must take strings; s stays as it is.
func (s *Schema) WithEnum(property string, values ...string) (*Schema, error) {
	if s == nil {
		return nil, &schemaError{typ: "nil", field: property, problem: "there is no schema"}
	}
	refuse := func(problem string) (*Schema, error) {
		return nil, &schemaError{typ: s.Name, field: property, problem: problem}
	}
	if len(values) == 0 {
		return refuse("an enum without values allows nothing")
	}
	root, err := loosejson.Parse(string(s.JSON))
	if err != nil || !json.Valid(s.JSON) {
		return refuse("the schema is not JSON")
	}
	properties, _ := root.Get("properties")
	node, ok := properties.Get(property)
	if !ok {
		return refuse("no such property at the top level")
	}
	list := loosejson.Value{Kind: loosejson.Array}
	for _, v := range values {
		list.Items = append(list.Items, loosejson.Text(v))
	}
	switch kind, _ := node.Get("type"); {
	case node.Kind != loosejson.Object:
		return refuse("the property's schema is not an object")
	case kind.Text == "array":
		items, _ := node.Get("items")
		if kind, _ := items.Get("type"); items.Kind != loosejson.Object || !takesString(kind) {
			return refuse("the elements do not take strings")
		}
		node = node.With("items", items.With("enum", list))
	case takesString(kind):
		node = node.With("enum", list)
	default:
		return refuse("the property does not take strings")
	}
	c := *s
	c.JSON = root.With("properties", properties.With(property, node)).Append(nil)
	return &c, nil
}

// takesString reads a schema's "type": absent, a name or a list of names.
func takesString(kind loosejson.Value) bool {
	for _, k := range kind.Items {
		if k.Text == "string" {
			return true
		}
	}
	return kind.Kind == loosejson.Null || kind.Text == "string"
}
