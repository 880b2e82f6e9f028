package desktoptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
)

// Tool is a scripted tool. Only the Name must be set; a tool with neither
// Returns nor Run succeeds without content. One that is nothing but the name of
// a well-known command is that command.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the parameters. "": anything.
	Schema string
	// Annotations say what the tool does, such as ReadOnlyHint or
	// DestructiveHint.
	Annotations desktop.Annotations

	// Returns is the result of every call: nil is a success without content, a
	// string a text, a [desktop.Result] the result itself, anything else JSON.
	Returns any
	// Run makes the result of a call, and honours ctx. An error is the tool saying
	// no, a result with status failure; only an error of ctx is passed on as the
	// transport's. With Run, Returns must be nil.
	Run func(ctx context.Context, call Call) (any, error)
}

// Call is one command as a tool or a hook sees it.
type Call struct {
	Tool string
	// Params are the parameters as they come off a wire: numbers are float64,
	// lists []any, objects map[string]any. Do not change them.
	Params map[string]any
	// App is the application that the command acts on, Window its window. Nil and
	// zero: none.
	App    *App
	Window desktop.Window
}

// text returns the parameter of that name, "" when it is absent or no string.
func (c Call) text(name string) string {
	s, _ := c.Params[name].(string)
	return s
}

type work = func(ctx context.Context, call Call) (any, error)

// tool is a Tool, or a well-known command, ready for use.
type tool struct {
	desc    desktop.Tool
	box     *desktop.Toolbox // of this tool alone, to check parameters
	run     work             // nil: builtin
	builtin builtin
}

func (s Tool) make() (*tool, error) {
	if s.Returns != nil && s.Run != nil {
		return nil, fmt.Errorf("desktoptest: tool %s has both Returns and Run", s.Name)
	}
	if _, err := toResult(s.Returns); err != nil {
		return nil, fmt.Errorf("desktoptest: what tool %s returns: %w", s.Name, err)
	}
	made := &tool{run: s.Run, desc: desktop.Tool{
		Name: s.Name, Description: s.Description, InputSchema: json.RawMessage(s.Schema), Annotations: s.Annotations,
	}}
	known, ok := desktop.ToolNamed(s.Name)
	if ok && s.Description+s.Schema == "" && s.Annotations == (desktop.Annotations{}) && s.Returns == nil && s.Run == nil {
		made.desc = known
		made.builtin = builtins[s.Name]
		if s.Name == desktop.Wait {
			made.run = wait
		}
	}
	if made.run == nil && made.builtin == nil {
		made.run = func(context.Context, Call) (any, error) { return s.Returns, nil }
	}
	var err error
	if made.box, err = desktop.NewToolbox([]desktop.Tool{made.desc}, desktop.LeaveToTool); err != nil {
		return nil, fmt.Errorf("desktoptest: %w", err)
	}
	return made, nil
}

// toResult makes a result of what a tool returned.
func toResult(v any) (desktop.Result, error) {
	switch v := v.(type) {
	case nil:
		return desktop.Result{Status: desktop.Success}, nil
	case desktop.Result:
		return v, nil
	case string:
		return desktop.TextResult(v), nil
	case *desktop.Image:
		return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: v}}}, nil
	}
	return desktop.JSONResult(v)
}

// outcome is what a tool ended with, as a result or a transport's error.
func outcome(ctx context.Context, v any, err error) (desktop.Result, error) {
	if err != nil && ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
		return desktop.Result{}, err
	}
	var res desktop.Result
	if err == nil {
		res, err = toResult(v)
	}
	if err != nil {
		return desktop.Result{Status: desktop.Failure, Error: err.Error(), Gone: errors.Is(err, desktop.ErrWindowGone)}, nil
	}
	return res, nil
}
