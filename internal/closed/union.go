package closed

import (
	"slices"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// choice is what one of some values may be. Words are alternatives of their type.
func choice(values []loosejson.Value) (list []loosejson.Value, ok bool) {
	found := 0
	for _, kind := range []loosejson.Kind{loosejson.String, loosejson.Number, loosejson.Bool, loosejson.Null} {
		of := slices.DeleteFunc(slices.Clone(values), func(v loosejson.Value) bool { return v.Kind != kind })
		found += len(of)
		one := typed(map[loosejson.Kind]string{
			loosejson.String: "string", loosejson.Number: "number", loosejson.Bool: "boolean", loosejson.Null: "null",
		}[kind])
		if (kind == loosejson.String || kind == loosejson.Number) && len(of) <= maxEnum { // a longer one is checked all the same
			one = one.With("enum", array(of))
		}
		if len(of) > 0 {
			list = append(list, one)
		}
	}
	return list, len(list) > 0 && found == len(values)
}

// union is one of several schemas. It is none when two objects begin with the same name.
func union(list []loosejson.Value) (loosejson.Value, bool) {
	var all, types []loosejson.Value
	begun := map[string]bool{}
	for _, one := range list {
		if slices.ContainsFunc(all, func(other loosejson.Value) bool { return loosejson.Equal(other, one) }) {
			continue
		}
		if properties := get(one, "properties").Members; len(properties) > 0 {
			if begun[properties[0].Name] {
				return one, false
			}
			begun[properties[0].Name] = true
		}
		all = append(all, one)
		if len(one.Members) == 1 {
			types = append(types, one.Members[0].Value)
		}
	}
	switch {
	case len(all) == 1:
		return all[0], true
	case len(types) == len(all):
		return object("type", array(types)), true
	}
	return AnyOf(all...), true
}
