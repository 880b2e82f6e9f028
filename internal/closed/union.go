package closed

import (
	"slices"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// choice is what one of some values may be. Words are alternatives of their type.
func choice(values []loosejson.Value) ([]loosejson.Value, bool) {
	var words, numbers, rest []loosejson.Value
	for _, value := range values {
		switch value.Kind {
		case loosejson.String:
			words = append(words, value)
		case loosejson.Number:
			numbers = append(numbers, value)
		case loosejson.Bool, loosejson.Null:
			rest = append(rest, value)
		default:
			return nil, false
		}
	}
	var list []loosejson.Value
	if len(words) > maxEnum { // it is checked all the same
		list = append(list, typed("string"))
	} else if len(words) > 0 {
		list = append(list, with(typed("string"), "enum", array(words)))
	}
	if len(numbers) > maxEnum {
		list = append(list, typed("number"))
	} else if len(numbers) > 0 {
		list = append(list, with(typed("number"), "enum", array(numbers)))
	}
	for _, value := range rest {
		one := Null
		if value.Kind == loosejson.Bool {
			one = typed("boolean")
		}
		list = append(list, one)
	}
	return list, len(list) > 0
}

// union is one of several schemas. It is none when two objects begin with the same name.
func union(list []loosejson.Value) (loosejson.Value, bool) {
	all := list[:0]
	plain := true
	for i, one := range list {
		if slices.ContainsFunc(list[:len(all)], func(other loosejson.Value) bool { return loosejson.Equal(other, one) }) {
			continue
		}
		if name, ok := beginning(list[i]); ok && slices.ContainsFunc(list[:len(all)], func(other loosejson.Value) bool {
			first, ok := beginning(other)
			return ok && first == name
		}) {
			return one, false
		}
		plain = plain && len(one.Members) == 1
		all = append(all, one)
	}
	switch {
	case len(all) == 1:
		return all[0], true
	case plain:
		types := make([]loosejson.Value, len(all))
		for i := range all {
			types[i] = all[i].Members[0].Value
		}
		return object("type", array(types)), true
	}
	return AnyOf(all...), true
}

// beginning is the name with which an object begins.
func beginning(v loosejson.Value) (string, bool) {
	properties, _ := v.Get("properties")
	if len(properties.Members) == 0 {
		return "", false
	}
	return properties.Members[0].Name, true
}
