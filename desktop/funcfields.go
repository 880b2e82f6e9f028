package desktop

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
	"github.com/agentfsm/agentfsm/internal/schemaof"
)

// arguments are how encoding/json reads parameters.
var arguments = &schemaof.Rules{Fields: func(typ reflect.Type) ([]schemaof.Field, error) {
	fields := fieldsOf(typ)
	for i, f := range fields {
		problem := ""
		switch twin := slices.IndexFunc(fields, func(other schemaof.Field) bool { return other.JSON == f.JSON }); {
		case twin < i:
			problem = fmt.Sprintf("another field of %v is called %q", typ, f.JSON)
		case strings.ContainsFunc(f.JSON, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
		}):
			problem = fmt.Sprintf("encoding/json does not take %q for a name", f.JSON)
		case quoted(f):
			problem = "with the option string in its json tag its value would have to come in quotes: leave the option out"
		default:
			continue
		}
		return nil, &schemaof.Error{Field: f.Name, Problem: problem}
	}
	return fields, nil
}}

// schemaOf describes what encoding/json reads into a type.
func schemaOf(typ reflect.Type) (json.RawMessage, error) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct && typ.Kind() != reflect.Map {
		return nil, fmt.Errorf("its parameters are an object, so %v must be a struct or a map", typ)
	}
	raw, err := arguments.Of(typ)
	if err != nil {
		return nil, err
	}
	var schema struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(raw, &schema); err != nil || schema.Type != "" && schema.Type != "object" {
		return nil, fmt.Errorf("its parameters are an object, but JSON reads %v from a %s", typ, schema.Type)
	}
	return raw, nil
}

func fieldsOf(typ reflect.Type) []schemaof.Field {
	return schemaof.Fields(typ, func(name string) string { return name })
}

// quoted reports whether the json tag of a field has the option string, and the field
// a type for which that counts.
func quoted(f schemaof.Field) bool {
	elem := f.Type
	if elem.Kind() == reflect.Pointer && elem.Name() == "" {
		elem = elem.Elem()
	}
	kind := elem.Kind()
	return slices.Contains(strings.Split(f.Options, ","), "string") && (kind >= reflect.Bool && kind <= reflect.Float64 || kind == reflect.String)
}

var (
	unmarshalJSON = reflect.TypeFor[json.Unmarshaler]()
	unmarshalText = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// astray says which keys encoding/json would read into a field that is called
// otherwise, as it takes DEST for dest. A schema does not, so it has nothing to
// say of what comes by such a name.
func astray(v any, typ reflect.Type) []string {
	s := stray{known: map[reflect.Type][]schemaof.Field{}}
	s.look(v, typ, nil)
	return s.problems
}

type stray struct {
	known    map[reflect.Type][]schemaof.Field
	problems []string
}

func (s *stray) look(v any, typ reflect.Type, at jsonschema.Path) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if pointer := reflect.PointerTo(typ); pointer.Implements(unmarshalJSON) || pointer.Implements(unmarshalText) {
		return // its own affair
	}
	switch v := v.(type) {
	case []any:
		if typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array {
			for i, item := range v {
				s.look(item, typ.Elem(), append(slices.Clip(at), i))
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			place := append(slices.Clip(at), key)
			switch typ.Kind() {
			case reflect.Map:
				s.look(v[key], typ.Elem(), place)
			case reflect.Struct:
				s.lookUp(key, v[key], typ, place)
			default:
			}
		}
	}
}

// lookUp finds the field that a key is read into.
func (s *stray) lookUp(key string, v any, typ reflect.Type, at jsonschema.Path) {
	fields, ok := s.known[typ]
	if !ok {
		fields = fieldsOf(typ)
		slices.SortStableFunc(fields, func(a, b schemaof.Field) int { return len(a.Index) - len(b.Index) })
		s.known[typ] = fields
	}
	i := slices.IndexFunc(fields, func(f schemaof.Field) bool { return f.JSON == key })
	if i < 0 {
		i = slices.IndexFunc(fields, func(f schemaof.Field) bool { return strings.EqualFold(f.JSON, key) })
	}
	twin := func(f schemaof.Field) bool { return f.JSON == key && len(f.Index) == len(fields[i].Index) }
	switch {
	case i < 0:
	case slices.ContainsFunc(fields[i+1:], twin): // encoding/json may know neither
		s.problems = append(s.problems, fmt.Sprintf("%v: is not allowed, two fields have that name", at))
	case fields[i].JSON != key:
		s.problems = append(s.problems, fmt.Sprintf("%v: is not allowed, the name is %s", at, fields[i].JSON))
	case fields[i].Unset != nil:
		s.problems = append(s.problems, fmt.Sprintf("%v: cannot be read: %v", at, fields[i].Unset))
	default:
		s.look(v, fields[i].Type, at)
	}
}

// disagree says which properties of a schema f could never get.
func disagree(schema json.RawMessage, in reflect.Type) error {
	var document any
	if len(bytes.TrimSpace(schema)) > 0 {
		if err := json.Unmarshal(schema, &document); err != nil {
			return err
		}
	}
	if problems := astray(sample(document), in); len(problems) > 0 {
		return fmt.Errorf("its InputSchema does not fit its parameters: %s", strings.Join(problems, "; "))
	}
	return nil
}

// sample is a value with the properties that a schema names.
func sample(schema any) any {
	object, _ := schema.(map[string]any)
	if properties, ok := object["properties"].(map[string]any); ok {
		out := make(map[string]any, len(properties))
		for name, property := range properties {
			out[name] = sample(property)
		}
		return out
	}
	if items, ok := object["items"]; ok {
		return []any{sample(items)}
	}
	return nil
}
