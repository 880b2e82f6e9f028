package llm

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// fillStruct puts the members of an object into the fields whose names they
// fold to.
func fillStruct(into reflect.Value, v loosejson.Value, path string) error {
	info, err := fieldsOf(into.Type())
	if err != nil {
		return err
	}
	v, err = objectInside(v, path)
	if err != nil || v.Kind == loosejson.Null {
		into.SetZero()
		return err
	}
	filled := make([]int, len(info.list)) // by field: one more than the index of the member that filled it
	known := false
	for i := range v.Members {
		m := &v.Members[i]
		at, ok := info.folded[fold(m.Name)]
		if !ok {
			continue
		}
		known = true
		f := &info.list[at]
		target := fieldByIndex(into, f.index)
		if before := filled[at]; before > 0 {
			if err := sameValue(target, f, &v.Members[before-1], m, path); err != nil {
				return err
			}
			continue
		}
		filled[at] = i + 1
		if err := fillField(target, f, m, path); err != nil {
			return err
		}
	}
	if !known && len(v.Members) > 0 && len(info.list) > 0 {
		return &misfit{path, "an object with none of the names " + names(info)}
	}
	return nil
}

func fillField(target reflect.Value, f *field, m *loosejson.Member, path string) error {
	at := join(path, m.Name)
	v := m.Value
	if f.object {
		var err error
		if v, err = objectInside(v, at); err != nil {
			return err
		}
	}
	return fill(target, v, at)
}

// sameValue refuses a second value for a field, unless it says the same as the
// first, which target has.
func sameValue(target reflect.Value, f *field, first, second *loosejson.Member, path string) error {
	if loosejson.Equal(first.Value, second.Value) {
		return nil
	}
	other := reflect.New(target.Type()).Elem()
	if err := fillField(other, f, second, path); err != nil {
		return err
	}
	if reflect.DeepEqual(target.Interface(), other.Interface()) {
		return nil // such as 3 and "3"
	}
	return &misfit{path, fmt.Sprintf("%q and %q are one name, and their values differ", clip(first.Name), clip(second.Name))}
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
	list := make([]string, len(info.list))
	for i := range info.list {
		list[i] = info.list[i].name
	}
	return strings.Join(list, ", ")
}
