package llm

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

var (
	rawType             = reflect.TypeFor[json.RawMessage]()
	numberType          = reflect.TypeFor[json.Number]()
	timeType            = reflect.TypeFor[time.Time]()
	jsonMarshalerType   = reflect.TypeFor[json.Marshaler]()
	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	jsonUnmarshalerType = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// schemaBuilder turns Go types into schemas, as trees that keep their order.
type schemaBuilder struct {
	open  []reflect.Type          // structs that are being described
	defs  loosejson.Value         // those that contain themselves
	names map[reflect.Type]string // under $defs
	depth int
}

func object(members ...loosejson.Member) loosejson.Value {
	return loosejson.Value{Kind: loosejson.Object, Members: members}
}

func member(name string, v loosejson.Value) loosejson.Member {
	return loosejson.Member{Name: name, Value: v}
}

func ofType(name string) loosejson.Value { return object(member("type", loosejson.Text(name))) }

func (b *schemaBuilder) structNode(typ reflect.Type) (loosejson.Value, error) {
	info, err := fieldsOf(typ)
	if err != nil {
		return loosejson.Value{}, err
	}
	b.open = append(b.open, typ)
	defer func() { b.open = b.open[:len(b.open)-1] }()
	properties := object()
	required := loosejson.Value{Kind: loosejson.Array}
	for i := range info.list {
		f := &info.list[i]
		if f.unasked {
			continue
		}
		node, err := b.fieldNode(typ, f)
		if err != nil {
			return loosejson.Value{}, err
		}
		properties.Members = append(properties.Members, member(f.name, node))
		if f.required {
			required.Items = append(required.Items, loosejson.Text(f.name))
		}
	}
	node := object(member("type", loosejson.Text("object")), member("properties", properties))
	if len(required.Items) > 0 {
		node = node.With("required", required)
	}
	return node.With("additionalProperties", loosejson.Value{Kind: loosejson.Bool, Text: "false"}), nil
}

func (b *schemaBuilder) fieldNode(typ reflect.Type, f *field) (loosejson.Value, error) {
	refuse := func(problem string) (loosejson.Value, error) {
		return loosejson.Value{}, &schemaError{typ: typ.String(), field: f.goName, problem: problem}
	}
	node, problem, err := b.node(f.typ)
	switch {
	case err != nil:
		return node, err
	case problem != "":
		return refuse(problem)
	case f.object:
		node = ofType("object")
	}
	if f.enum != nil {
		if node, problem = withEnumTag(node, f.enum); problem != "" {
			return refuse(problem)
		}
	}
	if f.desc != "" {
		node = node.With("description", loosejson.Text(f.desc))
	}
	return node, nil
}

// node returns the schema of a type, or what is wrong with it.
func (b *schemaBuilder) node(typ reflect.Type) (node loosejson.Value, problem string, err error) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	b.depth++
	defer func() { b.depth-- }()
	pointer := reflect.PointerTo(typ)
	switch {
	case b.depth > loosejson.MaxDepth:
		return node, fmt.Sprintf("%s is a list or map of itself", typ), nil
	case typ == rawType:
		return object(), "", nil
	case typ == numberType:
		return ofType("number"), "", nil
	case typ == timeType:
		return ofType("string").With("format", loosejson.Text("date-time")), "", nil
	case isBare(typ): // before its MarshalJSON, which it needs to write the string
		return b.bareNode(typ)
	case pointer.Implements(jsonMarshalerType):
		return object(), "", nil
	case pointer.Implements(textMarshalerType):
		return ofType("string"), "", nil
	}
	switch typ.Kind() {
	case reflect.String:
		return ofType("string"), "", nil
	case reflect.Bool:
		return ofType("boolean"), "", nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return ofType("integer"), "", nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return ofType("integer").With("minimum", loosejson.Value{Kind: loosejson.Number, Text: "0"}), "", nil
	case reflect.Float32, reflect.Float64:
		return ofType("number"), "", nil
	case reflect.Interface:
		if typ.NumMethod() > 0 {
			return node, fmt.Sprintf("%s is an interface with methods", typ), nil
		}
		return object(), "", nil
	case reflect.Slice, reflect.Array:
		if typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Uint8 {
			return ofType("string").With("contentEncoding", loosejson.Text("base64")), "", nil
		}
		items, problem, err := b.node(typ.Elem())
		return ofType("array").With("items", items), problem, err
	case reflect.Map:
		if typ.Key().Kind() != reflect.String {
			return node, fmt.Sprintf("the keys of %s are no strings", typ), nil
		}
		values, problem, err := b.node(typ.Elem())
		return ofType("object").With("additionalProperties", values), problem, err
	case reflect.Struct:
		node, err := b.nested(typ)
		return node, "", err
	default:
		return node, fmt.Sprintf("JSON has no %s", typ), nil
	}
}

// nested describes a struct inside another. One that contains itself is
// described once, under $defs.
func (b *schemaBuilder) nested(typ reflect.Type) (loosejson.Value, error) {
	ref := func(name string) loosejson.Value {
		return object(member("$ref", loosejson.Text("#/$defs/"+name)))
	}
	if name, ok := b.names[typ]; ok {
		return ref(name), nil
	}
	if slices.Contains(b.open, typ) {
		return ref(b.define(typ)), nil
	}
	node, err := b.structNode(typ)
	if err != nil {
		return node, err
	}
	if name, ok := b.names[typ]; ok { // it met itself
		b.defs = b.defs.With(name, node)
		return ref(name), nil
	}
	return node, nil
}

func (b *schemaBuilder) define(typ reflect.Type) string {
	base := strings.Map(func(r rune) rune {
		if r == '[' || r == ']' || r == '/' || r == '.' || r == ',' {
			return '_' // a generic type's name; / would mean something in a $ref
		}
		return r
	}, typ.Name())
	if base == "" {
		base = "type"
	}
	taken := func(name string) bool {
		_, ok := b.defs.Get(name)
		return ok
	}
	name := base
	for n := 2; taken(name); n++ {
		name = base + strconv.Itoa(n)
	}
	if b.names == nil {
		b.names = make(map[reflect.Type]string)
		b.defs = object()
	}
	b.names[typ] = name
	b.defs = b.defs.With(name, object()) // holds the place
	return name
}

// withEnumTag restricts a node to the words of an enum tag, read as the node's
// own type.
func withEnumTag(node loosejson.Value, words []string) (loosejson.Value, string) {
	kind, _ := node.Get("type")
	if kind.Text == "array" {
		items, _ := node.Get("items")
		items, problem := withEnumTag(items, words)
		return node.With("items", items), problem
	}
	list := loosejson.Value{Kind: loosejson.Array}
	for _, w := range words {
		v := loosejson.Text(w)
		if kind.Text == "integer" || kind.Text == "number" {
			var err error
			if v, err = loosejson.Parse(w); err != nil || v.Kind != loosejson.Number {
				return node, fmt.Sprintf("enum: %q is not a number", w)
			}
		} else if kind.Text != "string" {
			return node, "enum: only strings, numbers and lists of them have one"
		}
		list.Items = append(list.Items, v)
	}
	return node.With("enum", list), ""
}
