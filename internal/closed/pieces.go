package closed

import (
	"slices"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

var (
	// Null is the schema of nothing.
	Null = typed("null")
	// Text is the schema of a text.
	Text      = typed("string")
	reference = Object(loosejson.Member{Name: Ref, Value: Text})
)

// AnyOf is a choice.
func AnyOf(schemas ...loosejson.Value) loosejson.Value {
	return object("anyOf", array(schemas))
}

// OrNull adds null to a schema.
func OrNull(v loosejson.Value) loosejson.Value {
	if of, ok := v.Get("anyOf"); ok {
		return AnyOf(append(slices.Clone(of.Items), Null)...)
	}
	return AnyOf(v, Null)
}

// List is a list of elements of a schema.
func List(items loosejson.Value) loosejson.Value {
	return typed("array").With("items", items)
}

// Enum is one of some words.
func Enum[S ~string](words ...S) loosejson.Value {
	list := make([]loosejson.Value, len(words))
	for i, w := range words {
		list[i] = loosejson.Text(string(w))
	}
	return typed("string").With("enum", array(list))
}

// Object is a closed object that has all of these properties.
func Object(properties ...loosejson.Member) loosejson.Value {
	names := make([]loosejson.Value, len(properties))
	for i := range properties {
		names[i] = loosejson.Text(properties[i].Name)
	}
	return loosejson.Value{Kind: loosejson.Object, Members: []loosejson.Member{
		{Name: "type", Value: loosejson.Text("object")},
		{Name: "properties", Value: loosejson.Value{Kind: loosejson.Object, Members: properties}},
		{Name: "required", Value: array(names)},
		{Name: "additionalProperties", Value: loosejson.Value{Kind: loosejson.Bool, Text: "false"}},
	}}
}

func array(items []loosejson.Value) loosejson.Value {
	return loosejson.Value{Kind: loosejson.Array, Items: items}
}

// typed is the schema of one type.
func typed(name string) loosejson.Value { return object("type", loosejson.Text(name)) }

// object is a schema of one keyword.
func object(name string, value loosejson.Value) loosejson.Value {
	return loosejson.Value{Kind: loosejson.Object, Members: []loosejson.Member{{Name: name, Value: value}}}
}

func has(v loosejson.Value, name string) bool {
	_, ok := v.Get(name)
	return ok
}

func get(v loosejson.Value, name string) loosejson.Value {
	value, _ := v.Get(name)
	return value
}

// asks reports whether a schema requires a property.
func asks(v loosejson.Value, name string) bool {
	return slices.ContainsFunc(get(v, "required").Items, func(r loosejson.Value) bool { return r.Text == name })
}

// Plain closes a schema of texts, lists and objects that a Go type has, without null: an empty
// text or list says nothing there. What may be anything is JSON in a text.
func Plain(v loosejson.Value) loosejson.Value {
	if of, ok := v.Get("anyOf"); ok {
		var list []loosejson.Value
		for _, branch := range of.Items {
			list = append(list, Plain(branch))
		}
		return AnyOf(list...)
	}
	typ, told := v.Get("type")
	switch {
	case !told:
		return Text
	case typ.Text == "array":
		return List(Plain(get(v, "items")))
	case typ.Text == "object":
		members := slices.Clone(get(v, "properties").Members)
		for i := range members {
			members[i].Value = Plain(members[i].Value)
		}
		return Object(members...)
	}
	return object("type", typ)
}
