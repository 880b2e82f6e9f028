package jsonschema

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// misfit is a problem as a model reads it.
type misfit string

func (m misfit) Error() string { return string(m) }

// quiet are the keywords of which the library says something that has no value in it.
var quiet = []string{"required", "dependentRequired", "uniqueItems", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"}

// problem makes of what the library says, which quotes values, what a model may read. Each schema
// on the way has wrapped the error with its JSON Pointer.
func problem(err error) error {
	if err == nil {
		return nil
	}
	place, at, top := "$", "", ""
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		schema := strings.TrimPrefix(strings.TrimSuffix(err.Error(), ": "+inner.Error()), "validating ")
		switch top = cmp.Or(top, schema); { // what comes first is the whole
		case schema == top:
			at = ""
		case strings.HasPrefix(schema, "/"): // else it is an $id, and nobody knows where
			if below, ok := strings.CutPrefix(schema, at+"/"); ok {
				place += step(below)
			}
			at = schema
		}
		err = inner
	}
	text := err.Error()
	keyword, _, _ := strings.Cut(text, ":")
	keyword, _, _ = strings.Cut(keyword, "[")
	switch {
	case slices.Contains(quiet, keyword):
	case keyword == "not":
		text = "is not allowed"
	case strings.HasPrefix(text, "unexpected additional properties"):
		text = "has properties that are not allowed"
	default:
		text = "does not fit " + keyword + " of its schema"
	}
	return misfit(fmt.Sprintf("%s: %s (#%s)", place, text, at))
}

// step is the way in a value that a schema below another one stands for.
func step(pointer string) (way string) {
	tokens := strings.Split(pointer, "/")
	for i := 0; i < len(tokens); i++ {
		next := ""
		if i+1 < len(tokens) {
			next = unescape(tokens[i+1])
		}
		switch tokens[i] {
		case "properties":
			way += "." + next
			i++
		case "patternProperties":
			way += ".*"
			i++
		case "additionalProperties", "unevaluatedProperties", "propertyNames":
			way += ".*"
		case "prefixItems":
			way += "[" + next + "]"
			i++
		case "items", "additionalItems", "contains", "unevaluatedItems":
			way += "[*]"
		case "allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies", "$defs", "definitions":
			i++ // of the same value
		}
	}
	return way
}
