// Package nilcheck finds nil plug-ins, also those that hide in an interface.
package nilcheck

import "reflect"

// IsNil reports whether v is nil or an interface that holds a nil pointer,
// func, map, slice or channel.
func IsNil(v any) bool {
	if v == nil {
		return true
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Slice, reflect.Chan:
		return r.IsNil()
	}
	return false
}
