package desktoptest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
)

var errBroken = errors.New("the transport is broken")

// crooked is a sound desktop that a test bends in one place.
type crooked struct {
	*Desktop
	tools   func(ctx context.Context) ([]desktop.Tool, error)
	execute func(ctx context.Context, cmd desktop.Command) (desktop.Result, error)
	scope   func(ctx context.Context, id string) (desktop.Desktop, error)
}

func (c *crooked) Tools(ctx context.Context) ([]desktop.Tool, error) {
	if c.tools != nil {
		return c.tools(ctx)
	}
	return c.Desktop.Tools(ctx)
}

func (c *crooked) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if c.execute != nil {
		return c.execute(ctx, cmd)
	}
	return c.Desktop.Execute(ctx, cmd)
}

func (c *crooked) Scope(ctx context.Context, id string) (desktop.Desktop, error) {
	if c.scope != nil {
		return c.scope(ctx, id)
	}
	return c.Desktop.Scope(ctx, id)
}

func (c *crooked) base() *Desktop { return c.Desktop }

// closing is a crooked that has to be closed.
type closing struct {
	*crooked
	close func() error
}

func (c closing) Close() error { return c.close() }

// straight returns a desktop with a tool for each thing that can be bent.
func straight(t testing.TB) *crooked {
	t.Helper()
	d := New(t, &App{Root: "winword", Running: true, Controls: []desktop.Control{
		{ID: "1", Name: "File", Bounds: [4]int{10, 10, 40, 20}}, {ID: "2", Name: "Save", Type: "Button"}}},
		&App{Root: "excel", Running: true})
	d.Without(desktop.Texts, desktop.ListTools, desktop.SelectApplicationWindow, desktop.LaunchApplication, desktop.CloseApplication,
		desktop.SetEditText, desktop.KeyboardInput, desktop.WheelMouseInput, desktop.RunShell) // nothing here is about them
	d.AddTools(
		Tool{Name: "look", Schema: `{"type":"object","properties":{"at":{"type":"array"}},"required":["at"]}`,
			Annotations: desktop.Annotations{ReadOnlyHint: true}, Returns: map[string]any{"seen": 1}},
		Tool{Name: "bump"})
	return &crooked{Desktop: d}
}

var look = desktop.Command{ToolName: "look", Parameters: map[string]any{"at": []any{"top", map[string]any{"x": 1}}}}

func options() *Options {
	return &Options{
		Safe: look, Failing: commands.Click("9", ""), Slow: desktop.Command{ToolName: desktop.Wait, Parameters: map[string]any{"seconds": 30}},
		Effect: desktop.Command{ToolName: "bump"},
		Effects: func(d desktop.Desktop) int {
			n := 0
			for _, e := range d.(interface{ base() *Desktop }).base().Calls("bump") {
				if e.Executed {
					n++
				}
			}
			return n
		},
	}
}

// inspect makes every check and returns the problems by the name of the check. Nothing
// is waited for: its time is that of a bubble.
func inspect(t *testing.T, newDesktop func(testing.TB) desktop.Desktop, opts *Options) (found map[string][]string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { found = inspectNow(t, newDesktop, opts) })
	return found
}

// inspectNow is inspect within a bubble.
func inspectNow(t *testing.T, newDesktop func(testing.TB) desktop.Desktop, opts *Options) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	if opts == nil {
		opts = &Options{}
	}
	run(t, newDesktop, opts, func(c check, problems []string) {
		if len(problems) > 0 {
			found[c.name] = problems
		}
	})
	return found
}

// expect asserts that exactly the named checks fail, each with the text.
func expect(t *testing.T, found map[string][]string, want map[string]string) {
	t.Helper()
	for name, problems := range found {
		if assert.Contains(t, want, name, "%s: %q", name, problems) {
			assert.Contains(t, fmt.Sprint(problems), want[name])
		}
	}
	for name := range want {
		assert.Contains(t, found, name)
	}
}

// bent returns a maker of desktops that bend bends.
func bent(bend func(c *crooked)) func(testing.TB) desktop.Desktop {
	return func(t testing.TB) desktop.Desktop {
		c := straight(t)
		bend(c)
		return c
	}
}

type bending = func(ctx context.Context, c *crooked, cmd desktop.Command) (desktop.Result, error)

// answers has one tool answer in another way, but for arguments that do not fit: those are
// refused.
func answers(tool string, f bending) func(*crooked) {
	return func(c *crooked) {
		box, err := desktop.Open(context.Background(), c.Desktop, nil)
		if err != nil {
			panic(err)
		}
		all(c, tool, func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
			if err := box.Check(cmd); errors.Is(err, desktop.ErrParameters) {
				return c.Desktop.Execute(ctx, cmd)
			}
			return f(ctx, c, cmd)
		})
	}
}

// all bends the answers to one tool, whatever its arguments are.
func all(c *crooked, tool string, answer func(ctx context.Context, cmd desktop.Command) (desktop.Result, error)) {
	c.execute = func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
		if cmd.ToolName == tool {
			return answer(ctx, cmd)
		}
		return c.Desktop.Execute(ctx, cmd)
	}
}

// says has a tool give one answer.
func says(tool string, res desktop.Result, err error) func(*crooked) {
	return answers(tool, func(ctx context.Context, _ *crooked, _ desktop.Command) (desktop.Result, error) {
		if ctx.Err() != nil {
			return desktop.Result{}, ctx.Err()
		}
		return cloneResult(res), err
	})
}

// as has a tool answer with JSON.
func as(tool string, v any) func(*crooked) {
	res, err := desktop.JSONResult(v)
	if err != nil {
		panic(err)
	}
	return func(c *crooked) { c.Lie(tool, res) } // also in a window
}

// alter changes the result of one tool.
func alter(tool string, change func(res *desktop.Result)) func(*crooked) {
	return answers(tool, func(ctx context.Context, c *crooked, cmd desktop.Command) (desktop.Result, error) {
		res, err := c.Desktop.Execute(ctx, cmd)
		if err == nil {
			change(&res)
		}
		return res, err
	})
}

func panics(what string) bending {
	return func(context.Context, *crooked, desktop.Command) (desktop.Result, error) { panic(what) }
}

// list changes the list of tools.
func list(change func(tools []desktop.Tool) []desktop.Tool) func(*crooked) {
	return func(c *crooked) {
		c.tools = func(ctx context.Context) ([]desktop.Tool, error) {
			tools, err := c.Desktop.Tools(ctx)
			if err != nil {
				return nil, err
			}
			return change(tools), nil
		}
	}
}
