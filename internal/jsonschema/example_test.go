package jsonschema_test

import (
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

func Example() {
	schema, err := jsonschema.Compile(json.RawMessage(`{
		"type": "object",
		"required": ["id"],
		"properties": {"id": {"type": "string"}, "button": {"enum": ["left", "right"]}},
		"additionalProperties": false
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, problem := range schema.Validate(map[string]any{"button": "up", "double": true}) {
		fmt.Println(problem)
	}
	// Output:
	// $.button: must be one of "left", "right"
	// $.double: is not allowed
	// $.id: is required
}
