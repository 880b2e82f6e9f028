package desktop

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/internal/schemaof"
)

// arguments are how encoding/json reads parameters.
var arguments = &schemaof.Rules{Fields: func(typ reflect.Type) ([]schemaof.Field, error) {
	fields := schemaof.Fields(typ, func(name string) string { return name })
	for i, f := range fields {
		problem := ""
		switch twin := slices.IndexFunc(fields, func(other schemaof.Field) bool { return other.JSON == f.JSON }); {
		case twin < i:
			problem = fmt.Sprintf("another field of %v is called %q", typ, f.JSON)
		case strings.ContainsFunc(f.JSON, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
		}):
			problem = fmt.Sprintf("encoding/json does not take %q for a name", f.JSON)
		case quoted(f):
			problem = "with the option string in its json tag its value would have to come in quotes: leave the option out"
		default:
			continue
		}
		return nil, &schemaof.Error{Field: f.Name, Problem: problem}
	}
	return fields, nil
}}

// schemaOf describes what encoding/json reads into a type.
func schemaOf(typ reflect.Type) (json.RawMessage, error) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct && typ.Kind() != reflect.Map {
		return nil, fmt.Errorf("its parameters are an object, so %v must be a struct or a map", typ)
	}
	raw, err := arguments.Of(typ)
	if err != nil {
		return nil, err
	}
	var schema struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(raw, &schema); err != nil || schema.Type != "" && schema.Type != "object" {
		return nil, fmt.Errorf("its parameters are an object, but JSON reads %v from a %s", typ, schema.Type)
	}
	return raw, nil
}

// quoted reports whether the json tag of a field has the option string, and the field
// a type for which that counts.
func quoted(f schemaof.Field) bool {
	elem := f.Type
	if elem.Kind() == reflect.Pointer && elem.Name() == "" {
		elem = elem.Elem()
	}
	kind := elem.Kind()
	return slices.Contains(strings.Split(f.Options, ","), "string") && (kind >= reflect.Bool && kind <= reflect.Float64 || kind == reflect.String)
}
