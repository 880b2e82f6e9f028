package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/agentfsm/agentfsm/desktop"
)

var _ desktop.Validator = Validator

var (
	errDraft   = errors.New("jsonschema: the draft of the schema is not supported")
	errKeyword = errors.New("jsonschema: a keyword is not of the draft of the schema")
	errTooMuch = errors.New("$: takes too much work to check")
	errNotJSON = errors.New("$: is not JSON")
)

// Validator is a [desktop.Validator] for all of draft 2020-12.
func Validator(schema json.RawMessage) (check func(parameters json.RawMessage) error, err error) {
	var document any
	if err := json.Unmarshal(schema, &document); err != nil {
		return nil, fmt.Errorf("jsonschema: %w", err)
	}
	parsed := &jsonschema.Schema{}
	if err := json.Unmarshal(schema, parsed); err != nil {
		return nil, fmt.Errorf("jsonschema: %w", err)
	}
	foreign := foreignTo2020
	switch strings.TrimSuffix(strings.Replace(parsed.Schema, "http:", "https:", 1), "#") {
	case "", "https://json-schema.org/draft/2020-12/schema":
		parsed.Schema = "https://json-schema.org/draft/2020-12/schema"
	case "https://json-schema.org/draft-07/schema":
		parsed.Schema = "http://json-schema.org/draft-07/schema#"
		foreign = foreignTo7
	default:
		return nil, fmt.Errorf("%w: %q", errDraft, parsed.Schema)
	}
	if keyword := find(document, foreign); keyword != "" {
		return nil, fmt.Errorf("%w: %s", errKeyword, keyword)
	}
	resolved, err := parsed.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("jsonschema: %w", err)
	}
	targets := targetsOf(document)
	return func(parameters json.RawMessage) error {
		var value any
		if err := json.Unmarshal(parameters, &value); err != nil {
			return errNotJSON // the text of err quotes
		}
		w := work{targets: targets, left: maxVisits}
		if w.visit(document, value, 0); w.left < 0 {
			return errTooMuch
		}
		return problem(resolved.Validate(value))
	}, nil
}

// A keyword of one draft is passed over in a schema of another.
func foreignTo2020(keyword string, v any) bool {
	_, list := v.([]any)
	return keyword == "$recursiveRef" || keyword == "dependencies" || keyword == "items" && list
}

func foreignTo7(keyword string, _ any) bool {
	return slices.Contains([]string{"$recursiveRef", "$dynamicRef", "prefixItems", "dependentRequired", "dependentSchemas", "minContains", "maxContains",
		"unevaluatedItems", "unevaluatedProperties"}, keyword)
}

// find returns a keyword in v for which is returns true, "" for none.
func find(v any, is func(keyword string, v any) bool) (found string) {
	each(v, func(schema map[string]any) {
		for keyword, v := range schema {
			if is(keyword, v) {
				found = max(found, keyword) // the same one each time
			}
		}
	})
	return found
}

// named are the keywords that hold schemas by names, data those that hold none.
var (
	named = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
	data  = []string{"default", "examples", "enum", "const"}
)

// each calls f with every schema in v that is an object.
func each(v any, f func(schema map[string]any)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			each(item, f)
		}
	case map[string]any:
		f(v)
		for keyword, held := range v {
			byName, ok := held.(map[string]any)
			switch {
			case slices.Contains(data, keyword):
			case ok && slices.Contains(named, keyword):
				for _, schema := range byName {
					each(schema, f)
				}
			default:
				each(held, f)
			}
		}
	}
}
