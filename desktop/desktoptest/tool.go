package desktoptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
)

// Tool is a scripted tool. Only the Name must be set; a tool with neither
// Returns nor Run succeeds without content.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the parameters. "": anything.
	Schema string
	// Annotations say what the tool does, such as ReadOnlyHint or
	// DestructiveHint.
	Annotations desktop.Annotations

	// Returns is the result of every call: nil is a success without content, a
	// string a text, a [desktop.Image] an image, [desktop.Content] (one or a slice)
	// content, a [desktop.Result] the result itself, anything else JSON.
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
	// lists []any, objects map[string]any. They are the callee's own.
	Params map[string]any
	// App is the application that the command acts on, Window its window. Nil and
	// zero: none.
	App    *App
	Window desktop.Window

	raw json.RawMessage
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
	made, err := newTool(desktop.Tool{
		Name: s.Name, Description: s.Description, InputSchema: json.RawMessage(s.Schema), Annotations: s.Annotations,
	})
	if err != nil {
		return nil, err
	}
	if made.run = s.Run; made.run == nil {
		if _, err := toResult(s.Returns); err != nil {
			return nil, fmt.Errorf("desktoptest: what tool %s returns: %w", s.Name, err)
		}
		made.run = func(context.Context, Call) (any, error) { return s.Returns, nil }
	}
	return made, nil
}

func newTool(desc desktop.Tool) (*tool, error) {
	box, err := desktop.NewToolbox([]desktop.Tool{desc}, desktop.LeaveToTool)
	if err != nil {
		return nil, fmt.Errorf("desktoptest: %w", err)
	}
	return &tool{desc: desc, box: box}, nil
}

func unique(tools []*tool) error {
	seen := make(map[string]bool)
	for _, t := range tools {
		if seen[t.desc.Name] {
			return fmt.Errorf("desktoptest: two tools of one App are called %q", t.desc.Name)
		}
		seen[t.desc.Name] = true
	}
	return nil
}

// toResult makes a result of what a Func returned.
func toResult(v any) (desktop.Result, error) {
	res := desktop.Result{Status: desktop.Success}
	switch v := v.(type) {
	case nil:
	case desktop.Result:
		res = v
		if res.Status == "" {
			res.Status = desktop.Success
		}
	case string:
		res.Content = []desktop.Content{{Text: v}}
	case desktop.Image:
		res.Content = []desktop.Content{{Image: &v}}
	case *desktop.Image:
		res.Content = []desktop.Content{{Image: v}}
	case desktop.Content:
		res.Content = []desktop.Content{v}
	case []desktop.Content:
		res.Content = v
	default:
		data, err := json.Marshal(v)
		if err != nil {
			return desktop.Result{}, fmt.Errorf("desktoptest: no result can be made of it: %w", err)
		}
		res.Content = []desktop.Content{{JSON: data}}
	}
	return res, nil
}

// outcome is what a Func ended with, as a result or a transport's error.
func outcome(ctx context.Context, v any, err error) (desktop.Result, error) {
	if err != nil {
		if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
			return desktop.Result{}, err
		}
		return failure(err), nil
	}
	res, err := toResult(v)
	if err != nil {
		return failure(err), nil
	}
	return res, nil
}

func failure(err error) desktop.Result {
	return desktop.Result{Status: desktop.Failure, Error: err.Error(), Gone: errors.Is(err, desktop.ErrWindowGone)}
}
