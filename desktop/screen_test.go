package desktop_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
)

func TestScreen(t *testing.T) {
	word, excel := offers("read", desktop.GetAppWindow), offers("write")
	d, err := desktop.Screen(
		desktop.App{Window: desktop.Window{Root: "word", Process: "report", Title: "report - Word", Focused: true}, Desktop: word},
		desktop.App{Window: desktop.Window{ID: "e", Root: "excel"}, Desktop: excel})
	require.NoError(t, err)
	windows, err := desktop.Windows(t.Context(), d)
	require.NoError(t, err)
	assert.Equal(t, []desktop.Window{
		{ID: "1", Root: "word", Process: "report", Title: "report - Word"},
		{ID: "e", Root: "excel", Process: "e", Title: "excel"},
	}, windows)
	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"get_desktop_app_info"}, toolNames(box.Tools()))
	res, err := desktop.Execute(t.Context(), d, desktop.Command{ToolName: "read"})
	require.NoError(t, err)
	assert.Equal(t, `desktop: unknown tool "read"; the tools are: get_desktop_app_info`, res.Error)

	scoped, err := desktop.Scope(t.Context(), d, "1")
	require.NoError(t, err)
	box, err = desktop.Open(t.Context(), scoped, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"get_app_window", "get_desktop_app_info", "read"}, toolNames(box.Tools()))
	at, err := desktop.AppWindow(t.Context(), scoped)
	require.NoError(t, err)
	assert.Equal(t, windows[0], at)
	again, err := desktop.Windows(t.Context(), scoped)
	require.NoError(t, err)
	assert.Equal(t, windows, again)
	_, err = commands.Do(t.Context(), scoped, desktop.Command{ToolName: "read"})
	require.NoError(t, err)
	assert.Equal(t, []string{"get_app_window", "read"}, word.names(), "it is asked for its dialog; which window it is, the screen says")
	assert.Empty(t, excel.got)

	_, err = desktop.Scope(t.Context(), d, "2")
	require.EqualError(t, err, `desktop: scope to window "2": there is no such window`)
}

func TestScreenUnderADoneContext(t *testing.T) {
	cause := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	word := offers("read")
	d, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "word"}, Desktop: word})
	require.NoError(t, err)
	scoped, err := desktop.Scope(ctx, d, "1")
	require.NoError(t, err)
	cancel(cause)
	for _, d := range []desktop.Desktop{d, scoped} {
		_, err = d.Execute(ctx, desktop.Command{ToolName: "read"})
		require.ErrorIs(t, err, cause)
	}
	assert.Empty(t, word.got)
	word.tools = func(context.Context) ([]desktop.Tool, error) { return nil, cause }
	_, err = scoped.Tools(t.Context())
	require.ErrorIs(t, err, cause)
}

func TestScreensThatCannotBe(t *testing.T) {
	a := desktop.App{Window: desktop.Window{Root: "a"}, Desktop: offers()}
	for want, apps := range map[string][]desktop.App{
		"desktop: App 1 of a screen: it has no Root":                               {a, {Desktop: offers()}},
		"desktop: App 0 of a screen: there is no desktop":                          {{Window: desktop.Window{Root: "b"}, Desktop: (*fake)(nil)}},
		`desktop: App 1 of a screen: another has the id "1"`:                       {a, {Window: desktop.Window{Root: "b", ID: "1"}, Desktop: offers()}},
		`desktop: App 1 of a screen: another has the Root "a" and the Process "1"`: {a, {Window: desktop.Window{Root: "a", Process: "1"}, Desktop: offers()}},
	} {
		_, err := desktop.Screen(apps...)
		require.EqualError(t, err, want)
	}
	d, err := desktop.Screen()
	require.NoError(t, err)
	windows, err := desktop.Windows(t.Context(), d)
	require.NoError(t, err)
	assert.Empty(t, windows)
}
