package desktop_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
)

// calculator is a whole Desktop: one application with one tool of its own.
type calculator struct{}

func (calculator) Tools(context.Context) ([]desktop.Tool, error) {
	return []desktop.Tool{{
		Name:        "add",
		Description: "Add two numbers.",
		InputSchema: []byte(`{
			"type": "object",
			"properties": {"a": {"type": "number"}, "b": {"type": "number"}},
			"required": ["a", "b"],
			"additionalProperties": false
		}`),
		Annotations: desktop.Annotations{ReadOnlyHint: true},
	}}, nil
}

func (calculator) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	var p struct{ A, B float64 }
	switch {
	case ctx.Err() != nil:
		return desktop.Result{}, ctx.Err()
	case cmd.ToolName != "add":
		return desktop.FailureResult("I can only add"), nil
	case cmd.Decode(&p) != nil, p.A+p.B > 1e6:
		return desktop.FailureResult("these numbers are too much for me"), nil //nolint:nilerr // it is the tool that says no
	}
	return desktop.JSONResult(p.A + p.B)
}

func Example() {
	ctx := context.Background()
	box, err := desktop.Open(ctx, calculator{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}

	cmd := desktop.Command{ToolName: "add", Parameters: map[string]any{"a": 1, "c": 2}}
	fmt.Println(box.Check(cmd)) // for the model, before anything is sent

	cmd.Parameters = map[string]any{"a": 1, "b": 2}
	res, err := desktop.Execute(ctx, calculator{}, cmd)
	fmt.Println(res.Status, res.Text(), err)
	// Output:
	// desktop: add: parameters do not fit: $.b: is required; $.c: is not allowed
	// success 3 <nil>
}
