package anthropic

import (
	"encoding/json"

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
	return json.Unmarshal(s.JSON, &node) != nil || fits(node)
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
