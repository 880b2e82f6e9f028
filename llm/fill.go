package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// misfit is a value that its field does not take. Path is in the reply's words.
type misfit struct{ path, problem string }

func (e *misfit) Error() string {
	if e.path == "" {
		return e.problem
	}
	return e.path + ": " + e.problem
}

func wants(path, want string, v loosejson.Value) error {
	return &misfit{path, fmt.Sprintf("%s where %s should be", v.Kind, want)}
}

// fill puts v into a Go value, converting as [Decode] says.
func fill(into reflect.Value, v loosejson.Value, path string) error {
	typ := into.Type()
	if v.Kind == loosejson.Null {
		into.SetZero()
		return nil
	}
	switch {
	case typ == rawType:
		into.SetBytes(v.Append(nil))
		return nil
	case typ.Kind() == reflect.Pointer:
		elem := reflect.New(typ.Elem())
		into.Set(elem)
		return fill(elem.Elem(), v, path)
	case typ == numberType:
		return fillNumber(into, v, path)
	case reflect.PointerTo(typ).Implements(jsonUnmarshalerType), reflect.PointerTo(typ).Implements(textUnmarshalerType):
		return unmarshal(into, v, path)
	}
	switch typ.Kind() {
	case reflect.String:
		if v.Kind == loosejson.Array || v.Kind == loosejson.Object {
			return wants(path, "a string", v)
		}
		into.SetString(v.Text)
		return nil
	case reflect.Bool:
		switch word := strings.TrimSpace(v.Text); {
		case v.Kind != loosejson.Bool && v.Kind != loosejson.String:
			return wants(path, "true or false", v)
		case strings.EqualFold(word, "true"):
			into.SetBool(true)
		case strings.EqualFold(word, "false"):
			into.SetBool(false)
		default:
			return wants(path, "true or false", v)
		}
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64:
		return fillNumber(into, v, path)
	case reflect.Interface:
		if typ.NumMethod() > 0 {
			return cannotFill(typ, path)
		}
		into.Set(reflect.ValueOf(v.Any()))
		return nil
	case reflect.Slice:
		return fillSlice(into, v, path)
	case reflect.Map:
		return fillMap(into, v, path)
	case reflect.Struct:
		return fillStruct(into, v, path)
	case reflect.Array:
		return unmarshal(into, v, path)
	default:
		return cannotFill(typ, path)
	}
}

func cannotFill(typ reflect.Type, path string) error {
	return &SchemaError{Type: typ.String(), Field: path, Problem: "JSON cannot fill it"}
}

// unmarshal leaves types with a mind of their own to encoding/json.
func unmarshal(into reflect.Value, v loosejson.Value, path string) error {
	err := json.Unmarshal(v.Append(nil), into.Addr().Interface())
	if err == nil {
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return wants(path, "a "+wrong.Type.String(), v)
	}
	return &misfit{path, fmt.Sprintf("%s that a %s does not take", v.Kind, into.Type())}
}

// fillNumber takes a number, or a string that is one.
func fillNumber(into reflect.Value, v loosejson.Value, path string) error {
	digits := v.Text
	if v.Kind == loosejson.String {
		inner, err := loosejson.Parse(digits)
		if err != nil {
			return wants(path, "a number", v)
		}
		digits, v.Kind = inner.Text, inner.Kind
	}
	if v.Kind != loosejson.Number {
		return wants(path, "a number", v)
	}
	typ := into.Type()
	bits := 64
	if typ != numberType {
		bits = typ.Bits()
	}
	problem := fmt.Sprintf("a number that does not fit %s", typ)
	switch {
	case typ == numberType:
		into.SetString(digits)
		return nil
	case into.CanFloat():
		f, err := strconv.ParseFloat(digits, bits)
		if err != nil {
			return &misfit{path, problem}
		}
		into.SetFloat(f)
		return nil
	case into.CanInt():
		if n, err := strconv.ParseInt(whole(digits), 10, bits); err == nil {
			into.SetInt(n)
			return nil
		}
	default:
		if n, err := strconv.ParseUint(whole(digits), 10, bits); err == nil {
			into.SetUint(n)
			return nil
		}
	}
	return &misfit{path, problem}
}

// whole writes 3.0 and 3e2 as integers. Others come back as they are.
func whole(digits string) string {
	const exact = 1 << 53
	if !strings.ContainsAny(digits, ".eE") {
		return digits
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || f < -exact || f > exact || f != float64(int64(f)) {
		return digits
	}
	return strconv.FormatInt(int64(f), 10)
}

func fillSlice(into reflect.Value, v loosejson.Value, path string) error {
	typ := into.Type()
	if typ.Elem().Kind() == reflect.Uint8 {
		return unmarshal(into, v, path)
	}
	if v.Kind == loosejson.String {
		if strings.TrimSpace(v.Text) == "" {
			into.SetZero()
			return nil
		}
		if list, ok := listInside(v.Text); ok {
			v = list
		}
	}
	if v.Kind != loosejson.Array {
		if isList(typ.Elem()) {
			return wants(path, "a list", v) // of which list would it be an element?
		}
		one := reflect.MakeSlice(typ, 1, 1)
		if err := fill(one.Index(0), v, path); err != nil {
			if errors.Is(err, ErrSchema) || v.Kind == loosejson.Object {
				return err // says what in the object is wrong
			}
			return wants(path, "a list", v)
		}
		into.Set(one)
		return nil
	}
	list := reflect.MakeSlice(typ, len(v.Items), len(v.Items))
	for i := range v.Items {
		if err := fill(list.Index(i), v.Items[i], path+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	into.Set(list)
	return nil
}

func isList(typ reflect.Type) bool {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	return typ.Kind() == reflect.Slice && typ.Elem().Kind() != reflect.Uint8
}

// listInside reads a string that is a list in JSON. It must be strict JSON:
// "[1] open the file" and "[x]" are sentences.
func listInside(text string) (loosejson.Value, bool) {
	if trimmed := strings.TrimSpace(text); trimmed[0] != '[' || !json.Valid([]byte(trimmed)) {
		return loosejson.Value{}, false
	}
	v, err := loosejson.Parse(text)
	if err != nil {
		return v, false
	}
	for i := range v.Items {
		if kind := v.Items[i].Kind; kind != loosejson.String && kind != loosejson.Object {
			return v, false // "[1]" may be a mark
		}
	}
	return v, true
}

// objectInside returns v itself, or the object in a string; null for an empty
// string.
func objectInside(v loosejson.Value, path string) (loosejson.Value, error) {
	if v.Kind == loosejson.String {
		if strings.TrimSpace(v.Text) == "" {
			return loosejson.Value{}, nil
		}
		inner, err := loosejson.Parse(v.Text)
		if err != nil || inner.Kind != loosejson.Object {
			return v, wants(path, "an object", v)
		}
		return inner, nil
	}
	if v.Kind != loosejson.Object && v.Kind != loosejson.Null {
		return v, wants(path, "an object", v)
	}
	return v, nil
}

func fillMap(into reflect.Value, v loosejson.Value, path string) error {
	typ := into.Type()
	if typ.Key().Kind() != reflect.String {
		return cannotFill(typ, path)
	}
	v, err := objectInside(v, path)
	if err != nil || v.Kind == loosejson.Null {
		into.SetZero()
		return err
	}
	m := reflect.MakeMapWithSize(typ, len(v.Members))
	for i := range v.Members {
		value := reflect.New(typ.Elem()).Elem()
		if err := fill(value, v.Members[i].Value, join(path, v.Members[i].Name)); err != nil {
			return err
		}
		m.SetMapIndex(reflect.ValueOf(v.Members[i].Name).Convert(typ.Key()), value)
	}
	into.Set(m)
	return nil
}

// join makes a path in the reply's own words, clipped: a name may be of any
// length.
func join(path, name string) string {
	name = clip(name)
	if path == "" {
		return name
	}
	return path + "." + name
}

func clip(name string) string {
	const limit = 64
	if len(name) <= limit {
		return name
	}
	return strings.ToValidUTF8(name[:limit], "") + "…"
}
