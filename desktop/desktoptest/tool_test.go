package desktoptest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

func TestToolResults(t *testing.T) {
	img := desktop.Image{MediaType: "image/png", Data: []byte{1}}
	text := []desktop.Content{{Text: "x"}}
	for name, tc := range map[string]struct {
		returns any
		want    desktop.Result
	}{
		"nothing": {nil, desktop.Result{Status: desktop.Success}},
		"text":    {"x", desktop.Result{Status: desktop.Success, Content: text}},
		"JSON":    {map[string]int{"a": 1}, desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: json.RawMessage(`{"a":1}`)}}}},
		"image":   {&img, desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &img}}}},
		"failure": {desktop.Result{Status: desktop.Failure, Error: "no"}, desktop.Result{Status: desktop.Failure, Error: "no"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := desktoptest.New(t)
			d.AddTools(desktoptest.Tool{Name: "x", Returns: tc.returns})
			tc.want.CallID = "c"
			assert.Equal(t, tc.want, do(t, d, "x", nil))
		})
	}
}

func TestToolFunc(t *testing.T) {
	app := &desktoptest.App{Root: "excel", Running: true}
	var got desktoptest.Call
	app.Tools = []desktoptest.Tool{{
		Name:        "write_cells",
		Description: "Writes cells.",
		Schema:      `{"type":"object","properties":{"rows":{"type":"array"},"n":{"type":"integer"}},"required":["rows"]}`,
		Annotations: desktop.Annotations{DestructiveHint: true},
		Run: func(_ context.Context, call desktoptest.Call) (any, error) {
			got = call
			return nil, nil
		},
	}}
	d := desktoptest.New(t, app)

	tools, err := d.Tools(t.Context())
	require.NoError(t, err)
	assert.Equal(t, desktop.Tool{
		Name: "write_cells", Description: "Writes cells.", InputSchema: tools[len(tools)-1].InputSchema,
		Annotations: desktop.Annotations{DestructiveHint: true},
	}, tools[len(tools)-1])
	assert.JSONEq(t, app.Tools[0].Schema, string(tools[len(tools)-1].InputSchema))

	given := params{"rows": []string{"a"}, "n": 1}
	res := do(t, d, "write_cells", given)
	require.Equal(t, desktop.Success, res.Status, res.Error)
	assert.Same(t, app, got.App)
	assert.Equal(t, "1", got.Window.ID)
	assert.Equal(t, 1.0, got.Params["n"])
	assert.Equal(t, params{"rows": []string{"a"}, "n": 1}, given, "the caller's parameters are not touched")
	assert.Equal(t, []any{"a"}, d.Log()[0].Command.Parameters["rows"])

	got = desktoptest.Call{}
	res = do(t, d, "write_cells", params{"n": 1})
	assert.Equal(t, desktop.Failure, res.Status, "the schema is checked")
	assert.Contains(t, res.Error, "rows")
	assert.Nil(t, got.App)
	assert.Equal(t, []bool{true, false}, executed(d))
}

func TestToolErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	later, end := context.WithCancel(t.Context())
	defer end()
	d := desktoptest.New(t)
	d.AddTools(
		desktoptest.Tool{Name: "no", Run: func(context.Context, desktoptest.Call) (any, error) { return nil, errors.New("no") }},
		desktoptest.Tool{Name: "odd", Run: func(context.Context, desktoptest.Call) (any, error) { return func() {}, nil }},
		desktoptest.Tool{Name: "stop", Run: func(ctx context.Context, _ desktoptest.Call) (any, error) {
			cancel()
			return nil, fmt.Errorf("stopped: %w", ctx.Err())
		}},
		desktoptest.Tool{Name: "done", Run: func(context.Context, desktoptest.Call) (any, error) {
			end()
			return "done", nil
		}})
	assert.Equal(t, "no", do(t, d, "no", nil).Error)
	assert.Contains(t, do(t, d, "odd", nil).Error, "unsupported type")

	_, err := d.Execute(ctx, desktop.Command{ToolName: "stop"})
	assert.ErrorIs(t, err, context.Canceled)

	res, err := d.Execute(later, desktop.Command{ToolName: "done"})
	require.NoError(t, err, "what is done is told")
	assert.Equal(t, desktop.Success, res.Status)
}

func TestResultsAreIsolated(t *testing.T) {
	d := desktoptest.New(t)
	img := &desktop.Image{Data: []byte{1}}
	d.AddTools(desktoptest.Tool{Name: "shot", Returns: img})
	d.Lie(desktop.RunShell, desktop.TextResult("x"))

	res := do(t, d, "shot", nil)
	res.Content[0].Image.Data[0] = 9
	assert.Equal(t, []byte{1}, do(t, d, "shot", nil).Content[0].Image.Data)
	assert.Equal(t, []byte{1}, d.Log()[0].Result.Content[0].Image.Data)

	do(t, d, desktop.RunShell, nil).Content[0].Text = "y"
	assert.Equal(t, "x", do(t, d, desktop.RunShell, nil).Content[0].Text)
}
