package llm

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

var (
	rawType             = reflect.TypeFor[json.RawMessage]()
	anyMapType          = reflect.TypeFor[map[string]any]()
	numberType          = reflect.TypeFor[json.Number]()
	jsonMarshalerType   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshalerType = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// misfit is a value that its field does not take: path, in the reply's words, "must be an array".
type misfit struct{ path, problem string }

func (e *misfit) Error() string { return cmp.Or(e.path, "the reply") + " " + e.problem }

func wants(at *place, want string, v loosejson.Value) error {
	return &misfit{at.String(), fmt.Sprintf("must be %s, not %s", want, v.Kind)}
}

// fill puts v into a Go value, converting as [Decode] says.
func fill(into reflect.Value, v loosejson.Value, at *place) error {
	typ := into.Type()
	if v.Kind == loosejson.Null {
		if !takesNull(typ) {
			at.note(repair.Null)
		}
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
		return fill(elem.Elem(), v, at)
	case typ == numberType:
		return fillNumber(into, v, at)
	case isBare(typ): // before its UnmarshalJSON, which does not repair
		return fillBare(into, v, at)
	case reflect.PointerTo(typ).Implements(jsonUnmarshalerType), reflect.PointerTo(typ).Implements(textUnmarshalerType):
		return unmarshal(into, v, at)
	}
	switch typ.Kind() {
	case reflect.String:
		if v.Kind != loosejson.String && v.Kind != loosejson.Number {
			return wants(at, "a string", v) // false may mean none, and is no command called false
		}
		if v.Kind != loosejson.String {
			at.note(repair.Text)
		}
		into.SetString(v.Text)
		return nil
	case reflect.Bool:
		switch word := strings.TrimSpace(v.Text); {
		case v.Kind != loosejson.Bool && v.Kind != loosejson.String:
			return wants(at, "true or false", v)
		case strings.EqualFold(word, "true"):
			into.SetBool(true)
		case strings.EqualFold(word, "false"):
			into.SetBool(false)
		default:
			return wants(at, "true or false", v)
		}
		if v.Kind == loosejson.String {
			at.note(repair.Boolean)
		}
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64:
		return fillNumber(into, v, at)
	case reflect.Interface:
		if typ.NumMethod() > 0 {
			return cannotFill(typ, at.String())
		}
		into.Set(reflect.ValueOf(v.Any()))
		return nil
	case reflect.Slice:
		return fillSlice(into, v, at)
	case reflect.Map:
		return fillMap(into, v, at)
	case reflect.Struct:
		return fillStruct(into, v, at)
	case reflect.Array:
		return unmarshal(into, v, at)
	default:
		return cannotFill(typ, at.String())
	}
}

// takesNull reports whether null is how JSON writes the zero value of a type.
func takesNull(typ reflect.Type) bool {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return true
	}
	return typ.Implements(jsonMarshalerType)
}

func cannotFill(typ reflect.Type, path string) error {
	return &schemaError{typ: typ.String(), field: path, problem: "JSON cannot fill it"}
}

// unmarshal leaves types with a mind of their own to encoding/json.
func unmarshal(into reflect.Value, v loosejson.Value, at *place) error {
	err := json.Unmarshal(v.Append(nil), into.Addr().Interface())
	if err == nil {
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return wants(at, "a "+wrong.Type.String(), v)
	}
	return &misfit{at.String(), fmt.Sprintf("is %s that a %s does not take", v.Kind, into.Type())}
}

func fillSlice(into reflect.Value, v loosejson.Value, at *place) error {
	typ := into.Type()
	if typ.Elem().Kind() == reflect.Uint8 {
		return unmarshal(into, v, at)
	}
	if v.Kind == loosejson.String {
		if strings.TrimSpace(v.Text) == "" {
			at.note(repair.Empty)
			into.SetZero()
			return nil
		}
		if list, ok := listInside(v.Text); ok {
			at.note(repair.ListText)
			v = list
		}
	}
	if v.Kind != loosejson.Array {
		if isList(typ.Elem()) {
			return wants(at, "an array", v) // of which list would it be an element?
		}
		one := reflect.MakeSlice(typ, 1, 1)
		if err := fill(one.Index(0), v, at); err != nil {
			if isSchemaError(err) || v.Kind == loosejson.Object {
				return err // says what in the object is wrong
			}
			return wants(at, "an array", v)
		}
		at.note(repair.List)
		into.Set(one)
		return nil
	}
	list := reflect.MakeSlice(typ, len(v.Items), len(v.Items))
	for i := range v.Items {
		if err := fillElement(list.Index(i), v.Items[i], at, i); err != nil {
			return err
		}
	}
	into.Set(list)
	return nil
}

func fillElement(into reflect.Value, v loosejson.Value, list *place, i int) error {
	at := list.element(i)
	return fill(into, v, &at)
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
func objectInside(v loosejson.Value, at *place) (loosejson.Value, error) {
	if v.Kind == loosejson.String {
		if strings.TrimSpace(v.Text) == "" {
			at.note(repair.Empty)
			return loosejson.Value{}, nil
		}
		inner, notes, err := loosejson.ParseNoting(v.Text)
		if err != nil || inner.Kind != loosejson.Object {
			return v, wants(at, "an object", v)
		}
		at.note(repair.ObjectText)
		at.log.take(notes, at)
		return inner, nil
	}
	if v.Kind != loosejson.Object && v.Kind != loosejson.Null {
		return v, wants(at, "an object", v)
	}
	return v, nil
}

func fillMap(into reflect.Value, v loosejson.Value, at *place) error {
	typ := into.Type()
	if typ.Key().Kind() != reflect.String {
		return cannotFill(typ, at.String())
	}
	v, err := objectInside(v, at)
	if err != nil || v.Kind == loosejson.Null {
		into.SetZero()
		return err
	}
	if typ == anyMapType {
		into.Set(reflect.ValueOf(v.Any()))
		return nil
	}
	m := reflect.MakeMapWithSize(typ, len(v.Members))
	for i := range v.Members {
		value := reflect.New(typ.Elem()).Elem()
		if err := fillMember(value, &v.Members[i], at); err != nil {
			return err
		}
		m.SetMapIndex(reflect.ValueOf(v.Members[i].Name).Convert(typ.Key()), value)
	}
	into.Set(m)
	return nil
}

func fillMember(into reflect.Value, m *loosejson.Member, object *place) error {
	at := object.member(m.Name)
	return fill(into, m.Value, &at)
}
