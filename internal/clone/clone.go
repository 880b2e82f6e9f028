// Package clone copies values of the shapes that encoding/json decodes into.
package clone

import (
	"encoding/json"
	"slices"
)

// Map returns a deep copy of m; nil stays nil.
func Map(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	c := make(map[string]any, len(m))
	for k, v := range m {
		c[k] = Value(v)
	}
	return c
}

// Value returns a deep copy of v as far as it consists of maps, slices and raw
// JSON. Anything else is returned as it is.
func Value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return Map(v)
	case []any:
		if v == nil {
			return v
		}
		c := make([]any, len(v))
		for i := range v {
			c[i] = Value(v[i])
		}
		return c
	case []string:
		return slices.Clone(v)
	case json.RawMessage:
		return slices.Clone(v)
	}
	return v
}
