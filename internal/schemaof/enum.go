package schemaof

import (
	"encoding/json"
	"errors"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// WithEnum returns a copy of a schema in which the property of that name, at the top
// level and written exactly so, takes only these values. They replace an enum
// that is there. Of a list, they are what its elements may be. The property
// must take strings. Nothing else changes, not even the order of members.
func WithEnum(schema json.RawMessage, property string, values ...string) (json.RawMessage, error) {
	if len(values) == 0 {
		return nil, errors.New("an enum without values allows nothing")
	}
	root, err := loosejson.Parse(string(schema))
	if err != nil || !json.Valid(schema) {
		return nil, errors.New("the schema is not JSON")
	}
	properties, _ := root.Get("properties")
	node, ok := properties.Get(property)
	if !ok {
		return nil, errors.New("no such property at the top level")
	}
	list := loosejson.Value{Kind: loosejson.Array}
	for _, v := range values {
		list.Items = append(list.Items, loosejson.Text(v))
	}
	switch kind, _ := node.Get("type"); {
	case node.Kind != loosejson.Object:
		return nil, errors.New("the property's schema is not an object")
	case kind.Text == "array":
		items, _ := node.Get("items")
		if kind, _ := items.Get("type"); items.Kind != loosejson.Object || !takesString(kind) {
			return nil, errors.New("the elements do not take strings")
		}
		node = node.With("items", items.With("enum", list))
	case takesString(kind):
		node = node.With("enum", list)
	default:
		return nil, errors.New("the property does not take strings")
	}
	return root.With("properties", properties.With(property, node)).Append(nil), nil
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
