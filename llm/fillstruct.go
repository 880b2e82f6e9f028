package llm

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// fillStruct puts the members of an object into the fields whose names they
// fold to.
func fillStruct(into reflect.Value, v loosejson.Value, at *place) error {
	info, err := fieldsOf(into.Type())
	if err != nil {
		return err
	}
	v, err = objectInside(v, at)
	if err != nil || v.Kind == loosejson.Null {
		into.SetZero()
		return err
	}
	var few [32]int
	filled := few[:] // by field: one more than the index of the member that filled it
	if len(info.list) > len(few) {
		filled = make([]int, len(info.list))
	}
	known := false
	for i := range v.Members {
		m := &v.Members[i]
		n, ok := info.find(m.Name)
		if !ok {
			member := at.member(m.Name)
			member.note(repair.Unknown)
			if info.others != nil {
				others := into.FieldByIndex(info.others)
				if others.IsNil() {
					others.Set(reflect.MakeMap(others.Type()))
				}
				others.SetMapIndex(reflect.ValueOf(m.Name), reflect.ValueOf(json.RawMessage(m.Value.Append(nil))))
			}
			continue
		}
		known = true
		f := &info.list[n]
		if m.Name != f.JSON {
			noteName(m.Name, f.JSON, at)
		}
		target := fieldByIndex(into, f.Index)
		if before := filled[n]; before > 0 {
			if err := sameValue(target, f, &v.Members[before-1], m, at); err != nil {
				return err
			}
			continue
		}
		filled[n] = i + 1
		if err := fillField(target, f, m, at); err != nil {
			return err
		}
	}
	if !known && len(v.Members) > 0 && len(info.list) > 0 {
		return &misfit{at.String(), "has none of these names: " + names(info)}
	}
	return nil
}

// noteName notes that a field has another name in the reply.
func noteName(name, field string, object *place) {
	at := object.member(name)
	if fold(name) == fold(field) {
		at.note(repair.Name)
	} else {
		at.note(repair.Alias)
	}
}

func fillField(target reflect.Value, f *field, m *loosejson.Member, object *place) error {
	at := object.member(m.Name)
	v := m.Value
	if f.object {
		var err error
		if v, err = objectInside(v, &at); err != nil {
			return err
		}
	}
	return fill(target, v, &at)
}

// sameValue refuses a second value for a field, unless it says the same as the
// first, which target has.
func sameValue(target reflect.Value, f *field, first, second *loosejson.Member, at *place) error {
	again := at.member(second.Name)
	if loosejson.Equal(first.Value, second.Value) {
		again.note(repair.SameName)
		return nil
	}
	other := reflect.New(target.Type()).Elem()
	if err := fillField(other, f, second, at); err != nil {
		return err
	}
	if reflect.DeepEqual(target.Interface(), other.Interface()) {
		again.note(repair.SameName)
		return nil // such as 3 and "3"
	}
	return &misfit{at.String(), fmt.Sprintf("has %q and %q, which are one name, with different values: write only %q",
		shown(first.Name), shown(second.Name), f.JSON)}
}

// fieldByIndex is reflect's, but makes the embedded pointers on its way.
func fieldByIndex(v reflect.Value, index []int) reflect.Value {
	for i, at := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(at)
	}
	return v
}

func names(info *fields) string {
	list := make([]string, 0, len(info.list))
	for i := range info.list {
		if !info.list[i].unasked {
			list = append(list, strconv.Quote(info.list[i].JSON))
		}
	}
	return strings.Join(list, ", ")
}
