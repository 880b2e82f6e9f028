package desktop

import (
	"context"
	"errors"
	"reflect"
	"slices"
)

// FuncTool is a tool that is a Go func. Make one with [Func], and a Desktop of
// several with [New].
type FuncTool struct {
	tool Tool
	run  func(ctx context.Context, cmd Command) (Result, error)
	err  error // why it cannot be used; for New
}

// Func makes a tool of a func. hints are its own word about what it does, since policies go by
// that: a tool that only reads should say so. They may be nil. The package comment says which tags
// of In count, and what becomes of an Out.
//
// In is a struct, or a map with string keys. Its JSON Schema has a property for
// each field that encoding/json knows, and allows no others. f gets arguments
// that fit the schema.
//
// An error of f is the tool saying no: a result with status failure and that
// text, which the model reads. Two errors are errors of the call instead, after
// which nobody knows what happened: a [*CallError], and any error that f returns
// when its ctx is done.
//
// f must honour ctx and be safe for concurrent use. The caller recovers its
// panics, as with any Desktop.
func Func[In, Out any](name, description string, f func(ctx context.Context, in In) (Out, error), hints *Annotations) *FuncTool {
	t := &FuncTool{tool: Tool{Name: name, Description: description}}
	if hints != nil {
		t.tool.Annotations = *hints
	}
	t.tool.InputSchema, t.err = schemaOf(reflect.TypeFor[In]())
	if f == nil {
		t.err = errors.New("its func is nil")
	}
	t.run = func(ctx context.Context, cmd Command) (Result, error) {
		var in In
		if err := cmd.Decode(&in); err != nil {
			return FailureResult("%v", err), nil
		}
		out, err := f(ctx, in)
		if err == nil {
			return resultOf(out)
		}
		if broken, ok := errors.AsType[*CallError](err); ok && broken != nil || ctx.Err() != nil {
			return Result{}, err
		}
		return FailureResult("%v", err), nil
	}
	return t
}

// New makes a Desktop of Go funcs. It has no windows: [Screen] gives it one, so
// that a HostAgent can use it. The error names each tool that cannot be used,
// because of its name or because no schema can be made of its In.
func New(tools ...*FuncTool) (Desktop, error) {
	d := &funcs{byName: make(map[string]*FuncTool, len(tools))}
	var list []Tool
	var problems []error
	for i, t := range tools {
		switch {
		case t == nil:
			problems = append(problems, unusable("", i, errors.New("it is nil")))
		case t.err != nil:
			problems = append(problems, unusable(t.tool.Name, i, t.err))
		default:
			list = append(list, t.tool)
			d.byName[t.tool.Name] = t
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	var err error
	if d.box, err = NewToolbox(list, nil); err != nil {
		return nil, err
	}
	return d, nil
}

// funcs is a Desktop of Go funcs. It never changes.
type funcs struct {
	box    *Toolbox
	byName map[string]*FuncTool
}

func (d *funcs) Tools(context.Context) ([]Tool, error) { return d.box.Tools(), nil }

// Execute checks the arguments, as desktops that are no Go funcs do at the
// other end of their wire.
func (d *funcs) Execute(ctx context.Context, cmd Command) (Result, error) {
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	if err := d.box.Check(cmd); err != nil {
		return FailureResult("%v", err), nil
	}
	return d.byName[cmd.ToolName].run(ctx, cmd)
}

// resultOf makes a result of what a func returned. Nothing in it is shared with
// the func.
func resultOf(out any) (Result, error) {
	res := Result{Status: Success}
	switch out := out.(type) {
	case nil, struct{}:
	case string:
		res.Content = []Content{{Text: out}}
		return res, nil
	case Image:
		res.Content = []Content{{Image: &out}}
	case *Image:
		if out == nil {
			return FailureResult("there is no image"), nil
		}
		res.Content = []Content{{Image: out}}
	case Content:
		res.Content = []Content{out}
	case []Content:
		res.Content = out
	case Result:
		res = out
		if res.Status == "" {
			res.Status = Success
		}
	default:
		return JSONResult(out)
	}
	return res.clone(), nil
}

func (r Result) clone() Result {
	r.Content = slices.Clone(r.Content)
	for i := range r.Content {
		c := &r.Content[i]
		c.JSON = slices.Clone(c.JSON)
		if c.Image != nil {
			c.Image = &Image{MediaType: c.Image.MediaType, Data: slices.Clone(c.Image.Data)}
		}
	}
	return r
}
