package office

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
)

// tool is how a tool is described, and what it does.
type tool struct {
	desktop.Tool
	run func(ctx context.Context, parameters map[string]any) (any, error)
}

// newTool makes a tool whose parameters are the fields of P and whose result is
// what run returns, as JSON.
func newTool[P any](name, description string, hints desktop.Annotations, run func(ctx context.Context, p P) (any, error)) tool {
	schema, err := llm.SchemaOf[P](name)
	if err != nil {
		panic(err) // P is a type of this package
	}
	return tool{
		Tool: desktop.Tool{Name: name, Description: description, InputSchema: schema.JSON, Annotations: hints},
		run: func(ctx context.Context, parameters map[string]any) (any, error) {
			var p P
			if err := decode(parameters, &p); err != nil {
				return nil, fmt.Errorf("office: parameters of %s: %w", name, err)
			}
			return run(ctx, p)
		},
	}
}

// decode keeps the digits of numbers: a cell gets what the document has.
func decode(parameters map[string]any, into any) error {
	raw, err := json.Marshal(parameters)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// toolset is the tools of one application, as a desktop.Desktop.
type toolset []tool

// Tools lists them. The list is the caller's own.
func (ts toolset) Tools(context.Context) ([]desktop.Tool, error) {
	list := make([]desktop.Tool, len(ts))
	for i, t := range ts {
		list[i] = t.Tool
		list[i].InputSchema = slices.Clone(t.InputSchema)
	}
	return list, nil
}

// Execute runs one. What goes wrong in it is a failure of the tool, and so are
// parameters that do not fit its schema.
func (ts toolset) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if ctx.Err() != nil {
		return desktop.Result{}, context.Cause(ctx)
	}
	tools, err := ts.Tools(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	box, err := desktop.NewToolbox(tools, nil) // not by desktop.Open: interceptors see what agents do, not this
	if err != nil {
		return desktop.Result{}, err
	}
	for _, t := range ts {
		if t.Name != cmd.ToolName {
			continue
		}
		if err := box.Check(cmd); err != nil {
			return desktop.FailureResult("%v", err), nil
		}
		v, err := t.run(ctx, cmd.Parameters)
		switch {
		case err != nil && ctx.Err() != nil:
			return desktop.Result{}, context.Cause(ctx)
		case err != nil:
			return desktop.FailureResult("%v", err), nil
		}
		return desktop.JSONResult(v)
	}
	return desktop.FailureResult("office: there is no tool %q here", cmd.ToolName), nil
}
