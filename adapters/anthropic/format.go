package anthropic

import (
	"encoding/json"
	"slices"

	"github.com/agentfsm/agentfsm/llm"
)

// formatFits reports whether a schema may be an output format. The protocol takes
// a part of JSON Schema only: every object is closed, everything has a type, and
// there are no bounds (Anthropic's guide to structured outputs). No schema, and one
// that is no JSON, is for somebody else to judge.
func formatFits(s *llm.Schema) bool {
	if s == nil {
		return true
	}
	var node any
	if json.Unmarshal(s.JSON, &node) != nil {
		return true
	}
	optional, unions := cost(node)
	return fits(node) && optional <= maxOptional && unions <= maxUnions
}

// What a request may have of it, in all its schemas (Anthropic's guide to structured outputs,
// "Schema complexity limits").
const maxOptional, maxUnions, maxTools = 24, 16, 20

// toolsFit reports whether the server can hold a model to the closed forms of all tools.
func toolsFit(tools []llm.Tool) bool {
	closed, optional, unions := 0, 0, 0
	for i := range tools {
		var node any
		if tools[i].Strict == nil || json.Unmarshal(tools[i].Strict, &node) != nil {
			continue
		}
		if !fits(node) {
			return false
		}
		o, u := cost(node)
		closed, optional, unions = closed+1, optional+o, unions+u
	}
	return closed <= maxTools && optional <= maxOptional && unions <= maxUnions
}

// cost counts what the protocol bounds in a schema and those inside of it: the properties that
// are not required, and the choices between schemas or types, each where it is written.
func cost(node any) (optional, unions int) {
	switch node := node.(type) {
	case []any:
		for _, inner := range node {
			o, u := cost(inner)
			optional, unions = optional+o, unions+u
		}
	case map[string]any:
		types, _ := node["type"].([]any)
		if of, ok := node["anyOf"].([]any); ok && len(of) > 0 || len(types) > 0 {
			unions++
		}
		if properties, ok := node["properties"].(map[string]any); ok {
			required, _ := node["required"].([]any)
			for name := range properties {
				if !slices.Contains(required, any(name)) {
					optional++
				}
			}
		}
		for word, inner := range node {
			if word == "properties" || word == "$defs" || word == "definitions" {
				named, _ := inner.(map[string]any)
				for _, schema := range named {
					o, u := cost(schema)
					optional, unions = optional+o, unions+u
				}
				continue
			}
			if word != "enum" && word != "const" && word != "default" {
				o, u := cost(inner)
				optional, unions = optional+o, unions+u
			}
		}
	}
	return optional, unions
}

// refused are keywords that the protocol refuses wherever they are.
var refused = []string{
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
	"maxItems", "uniqueItems", "patternProperties", "minProperties", "maxProperties", "contentEncoding",
}

// fits looks at a schema and those inside of it.
func fits(node any) bool {
	schema, ok := node.(map[string]any)
	if !ok { // true and false are schemas, too
		return false
	}
	for _, word := range refused {
		if _, ok := schema[word]; ok {
			return false
		}
	}
	_, properties := schema["properties"]
	if schema["type"] == "object" || properties {
		if open, ok := schema["additionalProperties"].(bool); !ok || open {
			return false
		}
	}
	if !typed(schema) {
		return false
	}
	if items, ok := schema["items"]; ok && !fits(items) {
		return false
	}
	for _, word := range []string{"properties", "$defs", "definitions"} {
		inner, _ := schema[word].(map[string]any)
		for _, node := range inner {
			if !fits(node) {
				return false
			}
		}
	}
	for _, word := range []string{"anyOf", "allOf"} {
		inner, _ := schema[word].([]any)
		for _, node := range inner {
			if !fits(node) {
				return false
			}
		}
	}
	return true
}

// typed reports whether a schema says what it is about.
func typed(schema map[string]any) bool {
	for _, word := range []string{"type", "enum", "const", "anyOf", "allOf", "$ref"} {
		if _, ok := schema[word]; ok {
			return true
		}
	}
	return false
}
