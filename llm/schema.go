package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/agentfsm/agentfsm/internal/schemaof"
)

// Schema says what a reply must look like. Adapters hand it to providers that
// can enforce it; [Decode] reads the replies of those that cannot.
type Schema struct {
	Name        string          `json:"name"` // letters, digits, _ and -: providers want no more
	Description string          `json:"description,omitempty"`
	JSON        json.RawMessage `json:"schema"` // a JSON Schema of type object
	// Strict says that a provider can hold a model to it: every object is closed, everything has
	// a type, and every property is required.
	Strict bool `json:"strict,omitempty"`
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
