package desktop

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// schemaOf describes what encoding/json reads into a type, as a JSON Schema
// that keeps the order of the fields: in that order a model writes them.
func schemaOf(typ reflect.Type) (json.RawMessage, error) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct && typ.Kind() != reflect.Map {
		return nil, fmt.Errorf("its parameters are an object, so %v must be a struct or a map", typ)
	}
	node, err := describe(typ, nil)
	if err != nil {
		return nil, err
	}
	if len(node) > 0 && node[0].value != "object" {
		return nil, fmt.Errorf("its parameters are an object, but JSON reads %v from a %v", typ, node[0].value)
	}
	return node.raw(), nil
}

// node is a JSON object in the order in which it was made.
type node []entry

type entry struct {
	name  string
	value any // a node, or what encoding/json writes
}

func (n node) raw() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(e.name))
		b.WriteByte(':')
		if inner, ok := e.value.(node); ok {
			b.Write(inner.raw())
		} else {
			b.Write(quoted(e.value))
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

// quoted writes strings, numbers, booleans and lists of them.
func quoted(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // nothing else comes here
	}
	return raw
}

var (
	rawType       = reflect.TypeFor[json.RawMessage]()
	numberType    = reflect.TypeFor[json.Number]()
	timeType      = reflect.TypeFor[time.Time]()
	unmarshalJSON = reflect.TypeFor[json.Unmarshaler]()
	unmarshalText = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// describe returns the schema of a type. open are the structs around it.
func describe(typ reflect.Type, open []reflect.Type) (node, error) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	named := func(name string) (node, error) { return node{{"type", name}}, nil }
	switch pointer := reflect.PointerTo(typ); {
	case typ == rawType:
		return node{}, nil
	case typ == numberType:
		return named("number")
	case typ == timeType:
		return node{{"type", "string"}, {"format", "date-time"}}, nil
	case pointer.Implements(unmarshalJSON):
		return node{}, nil // its own affair
	case pointer.Implements(unmarshalText):
		return named("string")
	case slices.Contains(open, typ):
		return nil, fmt.Errorf("%v contains itself: write its schema into FuncOptions.InputSchema", typ)
	}
	open = append(slices.Clip(open), typ)
	switch typ.Kind() {
	case reflect.String:
		return named("string")
	case reflect.Bool:
		return named("boolean")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return named("integer")
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return node{{"type", "integer"}, {"minimum", 0}}, nil
	case reflect.Float32, reflect.Float64:
		return named("number")
	case reflect.Slice, reflect.Array:
		if typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Uint8 {
			return node{{"type", "string"}, {"contentEncoding", "base64"}}, nil
		}
		items, err := describe(typ.Elem(), open)
		list := node{{"type", "array"}, {"items", items}}
		if typ.Kind() == reflect.Array { // encoding/json drops what is too much, and makes up what is missing
			list = append(list, entry{"minItems", typ.Len()}, entry{"maxItems", typ.Len()})
		}
		return list, err
	case reflect.Map:
		if typ.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("the keys of %v are no strings", typ)
		}
		values, err := describe(typ.Elem(), open)
		return node{{"type", "object"}, {"additionalProperties", values}}, err
	case reflect.Struct:
		return describeStruct(typ, open)
	case reflect.Interface:
		if typ.NumMethod() == 0 {
			return node{}, nil
		}
	}
	return nil, fmt.Errorf("JSON cannot be read into a %v", typ)
}

func describeStruct(typ reflect.Type, open []reflect.Type) (node, error) {
	properties, required := node{}, []string{}
	fields := fieldsOf(typ)
	for _, f := range fields {
		if f.left || slices.ContainsFunc(fields, f.hiddenBy) {
			continue
		}
		if slices.ContainsFunc(properties, func(e entry) bool { return e.name == f.name }) {
			return nil, fmt.Errorf("two fields of %v are called %q", typ, f.name)
		}
		err := f.problem()
		var property node
		if err == nil {
			property, err = describeField(f.StructField, open)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		properties = append(properties, entry{f.name, property})
		if f.Type.Kind() != reflect.Pointer && !strings.Contains(f.options, "omit") {
			required = append(required, f.name)
		}
	}
	n := node{{"type", "object"}, {"properties", properties}}
	if len(required) > 0 {
		n = append(n, entry{"required", required})
	}
	return append(n, entry{"additionalProperties", false}), nil
}

func describeField(f reflect.StructField, open []reflect.Type) (node, error) {
	n, err := describe(f.Type, open)
	if err != nil {
		return nil, err
	}
	if words := f.Tag.Get("enum"); words != "" {
		if n, err = restrict(n, strings.Split(words, ",")); err != nil {
			return nil, err
		}
	}
	if format := f.Tag.Get("format"); format != "" {
		n = append(n, entry{"format", format})
	}
	if desc := f.Tag.Get("desc"); desc != "" {
		n = append(n, entry{"description", desc})
	}
	return n, nil
}

var errEnum = errors.New("enum is for strings, numbers and lists of them")

// restrict allows only these values, of a list only these elements.
func restrict(n node, words []string) (node, error) {
	if len(n) == 0 {
		return nil, errEnum
	}
	kind, _ := n[0].value.(string)
	values := make([]any, len(words))
	for i, word := range words {
		switch word = strings.TrimSpace(word); kind {
		case "string":
			values[i] = word
		case "integer", "number":
			if _, err := strconv.ParseFloat(word, 64); err != nil || !json.Valid([]byte(word)) {
				return nil, fmt.Errorf("enum: %q is no number", word)
			}
			values[i] = json.Number(word)
		case "array":
			items, err := restrict(n[1].value.(node), words)
			return append(node{n[0], {"items", items}}, n[2:]...), err
		default:
			return nil, errEnum
		}
	}
	return append(n, entry{"enum", values}), nil
}
