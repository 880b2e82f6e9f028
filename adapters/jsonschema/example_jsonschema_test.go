package jsonschema_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/adapters/jsonschema"
	"github.com/agentfsm/agentfsm/desktop"
)

// shop is a Desktop with a tool whose schema has a condition.
type shop struct{}

func (shop) Tools(context.Context) ([]desktop.Tool, error) {
	return []desktop.Tool{{Name: "send", InputSchema: json.RawMessage(`{
		"properties": {"by": {"enum": ["post", "mail"]}, "zip": {"type": "string"}},
		"if": {"properties": {"by": {"const": "post"}}}, "then": {"required": ["zip"]}
	}`)}}, nil
}

func (shop) Execute(context.Context, desktop.Command) (desktop.Result, error) {
	return desktop.TextResult("sent"), nil
}

func Example() {
	ctx := context.Background()
	plain, err := desktop.Open(ctx, shop{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plain.Unusable())

	box, err := desktop.Open(ctx, shop{}, jsonschema.Validator) // an agent does so with Config.Validator
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(box.Check(desktop.Command{ToolName: "send", Parameters: map[string]any{"by": "mail"}}))
	fmt.Println(box.Check(desktop.Command{ToolName: "send", Parameters: map[string]any{"by": "post"}}))
	// Output:
	// [desktop: tool "send" cannot be used: nothing checks the keyword if of its schema (#/if)]
	// <nil>
	// desktop: send: the arguments do not fit: the object: required: missing properties: ["zip"] (#/then)
}
