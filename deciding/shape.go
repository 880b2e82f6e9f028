package deciding

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/jsonschema"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/schemaof"
	"github.com/agentfsm/agentfsm/llm"
)

// shape is what a decision of one type must look like in one state. It is the
// same in every step, and takes longer to make than the rest of the step, so it
// is made once.
type shape struct {
	schema *llm.Schema // of all requests; no model changes it
	fits   *check      // nil: no value of the type can fail it
}

// shapes has a *shape for each shapeKey. A program has a few types and states.
var shapes sync.Map

type shapeKey struct {
	decision reflect.Type
	any      bool   // status is allowed
	allowed  string // the statuses, each with a line feed
}

// shapeOf returns the shape of a T where these statuses are allowed.
func shapeOf[T any](allowed []fsm.Status) (*llm.Schema, *check, error) {
	t := reflect.TypeFor[T]()
	key := shapeKey{t, allowed == nil, ""}
	for _, status := range allowed {
		key.allowed += string(status) + "\n"
	}
	if known, ok := shapes.Load(key); ok {
		return known.(*shape).schema, known.(*shape).fits, nil
	}
	schema, err := llm.SchemaOf[T](schemaName(t))
	if err != nil {
		return nil, nil, err
	}
	if schema, err = restrict(schema, t, allowed); err != nil {
		return nil, nil, err
	}
	made := &shape{schema: schema}
	fits, err := jsonschema.Compile(schema.JSON)
	if err != nil {
		return nil, nil, err
	}
	if narrower(t, nil) {
		made.fits = &check{schema: fits, fields: doubtful(t)}
	}
	known, _ := shapes.LoadOrStore(key, made)
	return known.(*shape).schema, known.(*shape).fits, nil
}

// restrict returns the schema with the allowed statuses as an enum.
func restrict(schema *llm.Schema, t reflect.Type, allowed []fsm.Status) (*llm.Schema, error) {
	_, name, ok := statusField(t)
	switch {
	case allowed == nil:
		return schema, nil
	case !ok:
		return nil, fmt.Errorf("deciding: there is an Inquiry.Allowed, and %s has no field Status of a string type", t)
	case len(allowed) == 0:
		return nil, errors.New("deciding: Inquiry.Allowed or Offered is empty: no status is allowed here")
	}
	words := make([]string, len(allowed))
	for i, s := range allowed {
		words[i] = string(s)
	}
	raw, err := schemaof.WithEnum(schema.JSON, name, words...)
	if err != nil {
		return nil, fmt.Errorf("deciding: the schema of %s: %s: %w", t, name, err)
	}
	schema.JSON = raw
	return schema, nil
}

// schemaName is the name of T where that is one that providers take.
func schemaName(t reflect.Type) string {
	name := strings.ToLower(t.Name())
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return "decision"
	}
	return name
}

// statusField finds the field of a struct that holds a decision's status, and its JSON name.
func statusField(t reflect.Type) (index []int, name string, ok bool) {
	f, ok := t.FieldByName("Status")
	if !ok || f.Type.Kind() != reflect.String {
		return nil, "", false
	}
	name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		name = f.Name
	}
	return f.Index, name, true
}

// narrower reports whether the schema of a type may refuse a value of that type: because
// of an enum, an object that is asked for, a JSON form of its own, or a nil that is written
// as null. Of the status, Ask has seen that it is allowed.
func narrower(t reflect.Type, open []reflect.Type) bool {
	if t == reflect.TypeFor[json.RawMessage]() || slices.Contains(open, t) {
		return false
	}
	if hasForm(t) {
		return true
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return narrower(t.Elem(), open)
	case reflect.Map:
		return t.Key().Kind() != reflect.String || narrower(t.Elem(), open)
	case reflect.Pointer:
		return true
	case reflect.Struct:
		for f := range t.Fields() {
			if narrows(f, append(open, t)) {
				return true
			}
		}
	}
	return false
}

// hasForm reports whether a type has a JSON form of its own.
func hasForm(t reflect.Type) bool {
	for _, form := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()} {
		if t.Implements(form) || reflect.PointerTo(t).Implements(form) {
			return true
		}
	}
	return false
}

// narrows reports whether a field makes its struct narrower.
func narrows(f reflect.StructField, open []reflect.Type) bool {
	nilable := f.Type.Kind() == reflect.Slice || f.Type.Kind() == reflect.Map || f.Type.Kind() == reflect.Interface
	tag := f.Tag.Get("json")
	if tag == "-" || !f.IsExported() && !f.Anonymous {
		return false
	}
	return f.Tag.Get("enum") != "" || f.Tag.Get("type") != "" || nilable && !strings.Contains(tag, ",omitempty") || narrower(f.Type, open)
}

// check is what a decision of a type is checked against.
type check struct {
	schema *jsonschema.Schema
	fields []field // that it may refuse; none: all at once
}

// field is one that a schema may refuse.
type field struct {
	index    []int
	name     string
	optional bool // a zero value is not written
}

// doubtful are the fields of a type that make it narrower; none where they cannot be told apart.
func doubtful(t reflect.Type) (list []field) {
	if t.Kind() != reflect.Struct || hasForm(t) {
		return nil
	}
	for f := range t.Fields() {
		if !narrows(f, []reflect.Type{t}) {
			continue
		}
		tag := f.Tag.Get("json")
		if f.Anonymous || strings.Contains(tag, ",string") {
			return nil
		}
		name, _, _ := strings.Cut(tag, ",")
		if name == "" {
			name = f.Name
		}
		optional := strings.Contains(tag, ",omitempty") && f.Type.Kind() != reflect.Struct ||
			strings.Contains(tag, ",omitzero") && !f.Type.Implements(reflect.TypeFor[interface{ IsZero() bool }]())
		list = append(list, field{f.Index, name, optional})
	}
	return list
}

// misfits says what of a decision its schema does not allow, such as a word that an enum does not
// have. Fields that it cannot refuse are not looked at: a thought may be long.
func (c *check) misfits(decision reflect.Value) (problems []string) {
	if c == nil {
		return nil
	}
	if len(c.fields) == 0 {
		value, err := written(decision)
		if err != nil {
			return []string{err.Error()}
		}
		return c.schema.Validate(value)
	}
	for _, f := range c.fields {
		v := decision.FieldByIndex(f.index)
		if f.optional && v.IsZero() {
			continue
		}
		value, err := written(v)
		if err != nil {
			return []string{err.Error()}
		}
		problems = append(problems, c.schema.ValidateProperty(f.name, value)...)
	}
	slices.Sort(problems)
	return problems
}

// written is a value as its JSON says it.
func written(v reflect.Value) (any, error) {
	raw, err := json.Marshal(v.Interface())
	if err != nil {
		return nil, err
	}
	return plainjson.Decode(raw)
}
