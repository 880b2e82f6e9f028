package desktop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

// field is a field of a struct, or of a struct that is embedded in it, as
// encoding/json sees it.
type field struct {
	reflect.StructField
	name, options string // of its json tag; the name is that of the field where the tag has none
	depth         int    // embedded structs around it
	unset         error  // why encoding/json cannot set it
	left          bool   // out by the tag "-": it is here for those that it hides
}

// fieldsOf returns the fields of a struct in their order, those that are hidden
// by others included.
func fieldsOf(typ reflect.Type) []field { return addFields(nil, typ, nil, nil) }

func addFields(list []field, typ reflect.Type, around []reflect.Type, unset error) []field {
	if slices.Contains(around, typ) { // a struct in which a pointer to itself is embedded
		return list
	}
	depth := len(around)
	around = append(slices.Clip(around), typ)
	for f := range typ.Fields() {
		tag := f.Tag.Get("json")
		elem, embedded, why := f.Type, false, unset
		if elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		if f.Anonymous && elem.Kind() == reflect.Struct {
			embedded = true
			if elem != f.Type && !f.IsExported() {
				why = fmt.Errorf("encoding/json cannot set a pointer to %v, which is not exported: embed the struct itself", elem)
			}
		}
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case !f.IsExported() && !embedded:
			continue
		case embedded && name == "":
			list = addFields(list, elem, around, why)
			continue
		case name == "":
			name = f.Name
		}
		list = append(list, field{StructField: f, name: name, options: options, depth: depth, unset: why, left: tag == "-"})
	}
	return list
}

// hiddenBy reports whether another field is in the way of f, as it is in Go.
func (f field) hiddenBy(other field) bool { return other.Name == f.Name && other.depth < f.depth }

// problem says why f cannot be a parameter.
func (f field) problem() error {
	elem := f.Type
	if elem.Kind() == reflect.Pointer && elem.Name() == "" {
		elem = elem.Elem()
	}
	switch {
	case f.unset != nil:
		return f.unset
	case strings.ContainsFunc(f.name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	}):
		return errors.New("encoding/json does not take that for a name")
	case slices.Contains(strings.Split(f.options, ","), "string") && quotes(elem.Kind()):
		return errors.New("with the option string in its json tag its value would have to come in quotes: leave the option out")
	}
	return nil
}

// quotes reports whether the option string of a json tag counts for a kind.
func quotes(kind reflect.Kind) bool {
	return kind >= reflect.Bool && kind <= reflect.Float64 || kind == reflect.String
}

// astray says which keys encoding/json would read into a field that is called
// otherwise, as it takes DEST for dest. A schema does not, so it has nothing to
// say of what comes by such a name.
func astray(v any, typ reflect.Type) []string {
	s := stray{known: map[reflect.Type][]field{}}
	s.look(v, typ, nil)
	return s.problems
}

type stray struct {
	known    map[reflect.Type][]field
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
		fields = slices.DeleteFunc(fieldsOf(typ), func(f field) bool { return f.left })
		slices.SortStableFunc(fields, func(a, b field) int { return a.depth - b.depth })
		s.known[typ] = fields
	}
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
	if i < 0 {
		i = slices.IndexFunc(fields, func(f field) bool { return strings.EqualFold(f.name, key) })
	}
	twin := func(f field) bool { return f.name == key && f.depth == fields[i].depth }
	switch {
	case i < 0:
	case slices.ContainsFunc(fields[i+1:], twin): // encoding/json may know neither
		s.problems = append(s.problems, fmt.Sprintf("%v: is not allowed, two fields have that name", at))
	case fields[i].name != key:
		s.problems = append(s.problems, fmt.Sprintf("%v: is not allowed, the name is %s", at, fields[i].name))
	case fields[i].unset != nil:
		s.problems = append(s.problems, fmt.Sprintf("%v: cannot be read: %v", at, fields[i].unset))
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
