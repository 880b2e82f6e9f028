package anthropic

import (
	"encoding/json"
	"slices"

	"github.com/agentfsm/agentfsm/llm"
)

// What a request may have in all its schemas (Anthropic's guide to structured outputs, "Schema complexity limits").
const maxOptional, maxUnions, maxTools = 24, 16, 20

// limits counts what the protocol bounds in schemas: the properties that are not required, and the choices between
// schemas or types. It takes a part of JSON Schema only: every object is closed, everything has a type, and
// there are no bounds.
type limits struct {
	optional, unions int
	unfit            bool
}

func (l *limits) fit() bool { return !l.unfit && l.optional <= maxOptional && l.unions <= maxUnions }

// formatFits reports whether a schema may be an output format. No schema, and one
// that is no JSON, is judged elsewhere.
func formatFits(s *llm.Schema) bool {
	var l limits
	var node any
	if s == nil || json.Unmarshal(s.JSON, &node) != nil {
		return true
	}
	l.schema(node)
	return l.fit()
}

// toolsFit reports whether the server can hold a model to the closed forms of all tools.
func toolsFit(tools []llm.Tool) bool {
	var l limits
	closed := 0
	for i := range tools {
		var node any
		if tools[i].Strict != nil && json.Unmarshal(tools[i].Strict, &node) == nil {
			closed++
			l.schema(node)
		}
	}
	return closed <= maxTools && l.fit()
}

// refused are keywords that the protocol refuses wherever they are, and one of typing says what a schema is about.
var (
	refused = []string{
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
		"maxItems", "uniqueItems", "patternProperties", "minProperties", "maxProperties", "contentEncoding",
	}
	typing = []string{"type", "enum", "const", "anyOf", "allOf", "$ref"}
)

// schema looks at a schema and those inside of it.
func (l *limits) schema(node any) {
	schema, ok := node.(map[string]any)
	has := func(word string) bool { _, there := schema[word]; return there }
	if !ok || slices.ContainsFunc(refused, has) || !slices.ContainsFunc(typing, has) { // true and false are schemas, too
		l.unfit = true
		return
	}
	properties, _ := schema["properties"].(map[string]any)
	if open, closed := schema["additionalProperties"].(bool); (schema["type"] == "object" || has("properties")) && (!closed || open) {
		l.unfit = true
	}
	required, _ := schema["required"].([]any)
	for name := range properties {
		if !slices.Contains(required, any(name)) {
			l.optional++
		}
	}
	types, _ := schema["type"].([]any)
	if choices, _ := schema["anyOf"].([]any); len(choices)+len(types) > 0 {
		l.unions++
	}
	if has("items") {
		l.schema(schema["items"])
	}
	for _, word := range []string{"properties", "$defs", "definitions"} {
		inner, _ := schema[word].(map[string]any)
		for _, node := range inner {
			l.schema(node)
		}
	}
	for _, word := range []string{"anyOf", "allOf"} {
		inner, _ := schema[word].([]any)
		for _, node := range inner {
			l.schema(node)
		}
	}
}
