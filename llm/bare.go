package llm

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// bareField returns the field of a struct that is tagged bare:"true", or nil. A
// plain string in a reply stands for the struct with that field alone.
func bareField(typ reflect.Type) *reflect.StructField {
	if typ.Kind() != reflect.Struct {
		return nil
	}
	if info, err := fieldsOf(typ); err == nil {
		return info.bare
	}
	return findBare(typ)
}

func findBare(typ reflect.Type) *reflect.StructField {
	for f := range typ.Fields() {
		if f.Tag.Get("bare") == "true" {
			return &f
		}
	}
	return nil
}

func isBare(typ reflect.Type) bool { return bareField(typ) != nil }

// fillBare fills the bare field from a string or a number, and all fields from an
// object. A string is taken for an object only when it is one in strict
// JSON: it may well be a sentence that begins with a brace.
func fillBare(into reflect.Value, v loosejson.Value, at *place) error {
	f := bareField(into.Type())
	switch {
	case f.Type.Kind() != reflect.String || !f.IsExported():
		return cannotFill(into.Type(), at.String())
	case v.Kind == loosejson.Object, v.Kind == loosejson.String && isObjectText(v.Text):
		return fillStruct(into, v, at)
	case v.Kind == loosejson.Array, v.Kind == loosejson.Bool:
		return wants(at, "a string or an object", v)
	}
	into.SetZero()
	return fill(into.FieldByIndex(f.Index), v, at)
}

func isObjectText(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") && json.Valid([]byte(text))
}

// checkBare says whether a string may stand for a type, in its schema.
func checkBare(typ reflect.Type) (bool, error) {
	f := bareField(typ)
	if f != nil && (f.Type.Kind() != reflect.String || !f.IsExported()) {
		return false, fmt.Errorf("bare: %s of %v is no exported string", f.Name, typ)
	}
	return f != nil, nil
}
