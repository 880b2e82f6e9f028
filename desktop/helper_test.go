package desktop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// fake is a desktop of two funcs. It remembers the commands it got.
type fake struct {
	tools   func(ctx context.Context) ([]desktop.Tool, error)
	execute func(ctx context.Context, cmd desktop.Command) (desktop.Result, error)

	mu  sync.Mutex
	got []desktop.Command
}

func (f *fake) Tools(ctx context.Context) ([]desktop.Tool, error) {
	if f.tools == nil {
		return nil, nil
	}
	return f.tools(ctx)
}

func (f *fake) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	f.mu.Lock()
	f.got = append(f.got, cmd)
	f.mu.Unlock()
	if f.execute == nil {
		return desktop.TextResult("done"), nil
	}
	return f.execute(ctx, cmd)
}

// names are the tools that were called.
func (f *fake) names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for _, cmd := range f.got {
		names = append(names, cmd.ToolName)
	}
	return names
}

// offers returns a fake with tools of these names, which accept anything.
func offers(names ...string) *fake {
	return &fake{tools: func(context.Context) ([]desktop.Tool, error) {
		tools := make([]desktop.Tool, len(names))
		for i, name := range names {
			tools[i].Name = name
		}
		return tools, nil
	}}
}

// answers returns a fake that gives the same answer to every command.
func answers(res desktop.Result, err error) *fake {
	return &fake{execute: func(context.Context, desktop.Command) (desktop.Result, error) { return res, err }}
}

// scoped is a fake that can be narrowed.
type scoped struct {
	*fake
	scope func(ctx context.Context, windowID string) (desktop.Desktop, error)
}

func (s scoped) Scope(ctx context.Context, windowID string) (desktop.Desktop, error) {
	return s.scope(ctx, windowID)
}

// untilDone answers when its context ends, in its own words or in none.
func untilDone(own error) *fake {
	answer := func(ctx context.Context) error {
		<-ctx.Done()
		if own != nil {
			return own
		}
		return ctx.Err()
	}
	return &fake{
		tools: func(ctx context.Context) ([]desktop.Tool, error) { return nil, answer(ctx) },
		execute: func(ctx context.Context, _ desktop.Command) (desktop.Result, error) {
			return desktop.Result{}, answer(ctx)
		},
	}
}

// execute executes a command that must not break the transport.
func execute(t *testing.T, d desktop.Desktop, cmd desktop.Command) desktop.Result {
	t.Helper()
	res, err := desktop.Execute(t.Context(), d, cmd)
	require.NoError(t, err)
	return res
}

// toolsOf are the names of the tools that can be used.
func toolsOf(t *testing.T, d desktop.Desktop) []string {
	t.Helper()
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	return toolNames(box.Tools())
}

// screenOf is a screen of one window.
func screenOf(t testing.TB, root string, d desktop.Desktop) desktop.Desktop {
	t.Helper()
	screen, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: root}, Desktop: d})
	require.NoError(t, err)
	return screen
}

// narrowed is a desktop narrowed to one of its windows.
func narrowed(t *testing.T, d desktop.Desktop, id string) desktop.Desktop {
	t.Helper()
	narrow, err := desktop.Scope(t.Context(), d, id)
	require.NoError(t, err)
	return narrow
}

func windowOf(t *testing.T, d desktop.Desktop) desktop.Window {
	t.Helper()
	w, _, err := desktop.AppWindow(t.Context(), d)
	require.NoError(t, err)
	return w
}

func windowsOf(t *testing.T, d desktop.Desktop) []desktop.Window {
	t.Helper()
	windows, err := desktop.Windows(t.Context(), d)
	require.NoError(t, err)
	return windows
}

func toolNames(tools []desktop.Tool) []string {
	names := make([]string, len(tools))
	for i, tool := range tools {
		names[i] = tool.Name
	}
	return names
}

func imageResult(mediaType string, data []byte) desktop.Result {
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: mediaType, Data: data}}}}
}

// dot is a PNG of one pixel.
func dot(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))))
	return b.Bytes()
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

func wellKnownBox(t testing.TB) *desktop.Toolbox {
	t.Helper()
	var tools []desktop.Tool
	for _, name := range []string{
		desktop.CaptureDesktopScreenshot, desktop.CaptureWindowScreenshot, desktop.ClickInput, desktop.CloseApplication, desktop.GetAppWindow,
		desktop.GetDesktopAppInfo, desktop.GetUITree, desktop.KeyboardInput, desktop.LaunchApplication, desktop.ListTools, desktop.RunShell,
		desktop.SelectApplicationWindow, desktop.SetEditText, desktop.Texts, desktop.Wait, desktop.WheelMouseInput,
	} {
		tool, ok := desktop.ToolNamed(name)
		require.True(t, ok, name)
		tools = append(tools, tool)
	}
	box, err := desktop.NewToolbox(tools, nil)
	require.NoError(t, err)
	return box
}
