package desktop_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// browser is a desktop with windows of its own. Narrowed, it acts on one of them, and
// get_app_window says which there is, as long as one is.
type browser struct {
	*fake
	only string

	*shelf
}

type shelf struct {
	mu      sync.Mutex
	windows []desktop.Window
	err     error // of listing and narrowing
	log     []string
}

func newBrowser(windows ...desktop.Window) *browser {
	return &browser{fake: offers("read", desktop.GetAppWindow, desktop.GetDesktopAppInfo), shelf: &shelf{windows: windows}}
}

func (b *browser) show(windows ...desktop.Window) {
	b.shelf.mu.Lock()
	defer b.shelf.mu.Unlock()
	b.windows = windows
}

func (b *browser) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	b.shelf.mu.Lock()
	defer b.shelf.mu.Unlock()
	switch {
	case b.err != nil:
		return desktop.Result{}, b.err
	case cmd.ToolName == desktop.GetDesktopAppInfo, cmd.ToolName == desktop.GetAppWindow && len(b.windows) == 1:
		return desktop.JSONResult(append([]desktop.Window{}, b.windows...))
	case cmd.ToolName == "read":
		b.log = append(b.log, b.only+" "+cmd.ToolName)
		return desktop.TextResult("done"), nil
	}
	return desktop.FailureResult("no"), nil
}

func (b *browser) Scope(_ context.Context, id string) (desktop.Desktop, error) {
	b.shelf.mu.Lock()
	defer b.shelf.mu.Unlock()
	for _, w := range b.windows {
		if w.ID == id {
			return &browser{fake: b.fake, only: id, shelf: b.shelf}, nil
		}
	}
	return nil, errors.New("gone")
}

// A browser behind a screen that was closed is another window from then on: for whoever
// worked in it, and in the list.
func TestAWindowOfAScreenFollowsThatOfItsDesktop(t *testing.T) {
	b := newBrowser(desktop.Window{ID: "w1", Root: "chromium", Title: "anything"})
	d, err := desktop.Screen(
		desktop.App{Window: desktop.Window{Root: "shop", Title: "The shop"}, Desktop: b},
		desktop.App{Window: desktop.Window{ID: "other", Root: "shop", Process: "1.2"}, Desktop: offers("read")})
	require.NoError(t, err)
	narrow := func() desktop.Desktop {
		d, err := desktop.Scope(t.Context(), d, "1")
		require.NoError(t, err)
		return d
	}
	at := func(d desktop.Desktop) desktop.Window {
		w, err := desktop.AppWindow(t.Context(), d)
		require.NoError(t, err)
		return w
	}
	process := func(process string) desktop.Window {
		return desktop.Window{ID: "1", Root: "shop", Process: process, Title: "The shop"}
	}
	first := narrow()
	assert.Equal(t, process("1"), at(first))
	b.show(desktop.Window{ID: "w1", Root: "chromium", Title: "another page"})
	assert.Equal(t, process("1"), at(first), "a title changes")

	b.show(desktop.Window{ID: "w2", Root: "chromium"})
	assert.Equal(t, process("1.3"), at(first), "1.2 is another's")
	windows, err := desktop.Windows(t.Context(), d)
	require.NoError(t, err)
	assert.Equal(t, process("1.3"), windows[0])
	second := narrow()
	assert.Equal(t, process("1.3"), at(second))
	for _, d := range []desktop.Desktop{first, second} {
		_, err = commands.Do(t.Context(), d, desktop.Command{ToolName: "read"})
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"w1 read", "w2 read"}, b.log, "each in the window that it was narrowed to")

	b.show(desktop.Window{ID: "w3", Root: "chromium"})
	assert.Equal(t, process("1.3"), at(first), "what is narrowed to an old one does not ask")
	third := narrow()
	assert.Equal(t, process("1.4"), at(third), "noticed when it was narrowed")
	assert.Equal(t, process("1.4"), at(second))
}

// Where a Desktop has not exactly one window, or cannot say, nothing is narrowed.
func TestAScreenNarrowsADesktopOfOneWindow(t *testing.T) {
	a, b := desktop.Window{ID: "a", Root: "x"}, desktop.Window{ID: "b", Root: "x"}
	for name, test := range map[string]struct {
		windows []desktop.Window
		err     error
		acts    string
	}{
		"one":      {[]desktop.Window{a}, nil, "a read"},
		"two":      {[]desktop.Window{a, b}, nil, " read"},
		"none":     {nil, nil, " read"},
		"no id":    {[]desktop.Window{{Root: "x"}}, nil, " read"},
		"an error": {[]desktop.Window{a}, errors.New("broken"), " read"},
	} {
		t.Run(name, func(t *testing.T) {
			inner := newBrowser(test.windows...)
			inner.err = test.err
			d, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "shop"}, Desktop: inner})
			require.NoError(t, err)
			d, err = desktop.Scope(t.Context(), d, "1")
			require.NoError(t, err)
			inner.err = nil
			_, err = commands.Do(t.Context(), d, desktop.Command{ToolName: "read"})
			require.NoError(t, err)
			assert.Equal(t, []string{test.acts}, inner.log)
			w, err := desktop.AppWindow(t.Context(), d)
			require.NoError(t, err)
			assert.Equal(t, desktop.Window{ID: "1", Root: "shop", Process: "1", Title: "shop"}, w)
		})
	}
}

func TestAScreenThatCannotNarrow(t *testing.T) {
	b := newBrowser(desktop.Window{ID: "a", Root: "x"})
	d, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "shop"}, Desktop: b})
	require.NoError(t, err)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	_, err = d.(desktop.Scoper).Scope(ctx, "1")
	require.ErrorIs(t, err, cause)

	bad, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "shop"}, Desktop: &stubborn{b}})
	require.NoError(t, err)
	_, err = desktop.Scope(t.Context(), bad, "1")
	require.EqualError(t, err, `desktop: scope to window "1": it has gone`)
}

type stubborn struct{ *browser }

func (*stubborn) Scope(context.Context, string) (desktop.Desktop, error) {
	return nil, errors.New("it has gone")
}

// What a screen asks by itself is nobody's command: interceptors see one.
func TestAScreenAsksApart(t *testing.T) {
	b := newBrowser(desktop.Window{ID: "w1", Root: "chromium"})
	d, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "shop"}, Desktop: b})
	require.NoError(t, err)
	seen := 0
	ctx := desktop.WithInterceptor(t.Context(), func(d desktop.Desktop) desktop.Desktop { seen++; return d })
	d, err = desktop.Scope(ctx, d, "1")
	require.NoError(t, err)
	_, err = desktop.AppWindow(ctx, d)
	require.NoError(t, err)
	assert.Equal(t, 1, seen)
}

func TestConformanceOfAScreenOfOneWindow(t *testing.T) {
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		tools, err := desktop.New(desktop.Func("read", "Read.", func(context.Context, struct{}) (string, error) { return "text", nil }, nil))
		require.NoError(t, err)
		inner, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "inner"}, Desktop: tools})
		require.NoError(t, err)
		d, err := desktop.Screen(
			desktop.App{Window: desktop.Window{Root: "nested"}, Desktop: inner},
			desktop.App{Window: desktop.Window{Root: "browser"}, Desktop: newBrowser(desktop.Window{ID: "w1", Root: "chromium"})})
		require.NoError(t, err)
		return d
	}, nil)
}

// A dialog in front of an App's own window, and its focus, are those of the screen's.
func TestScreenShowsTheDialog(t *testing.T) {
	b := newBrowser(desktop.Window{ID: "w1", Root: "chromium", Dialog: "d7", Focus: "c3"})
	d, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "shop"}, Desktop: b})
	require.NoError(t, err)
	narrowed, err := desktop.Scope(t.Context(), d, "1")
	require.NoError(t, err)
	w, err := desktop.AppWindow(t.Context(), narrowed)
	require.NoError(t, err)
	assert.Equal(t, desktop.Window{ID: "1", Root: "shop", Process: "1", Title: "shop", Dialog: "d7", Focus: "c3"}, w)
	b.show(desktop.Window{ID: "w1", Root: "chromium"})
	w, err = desktop.AppWindow(t.Context(), narrowed)
	require.NoError(t, err)
	assert.Empty(t, w.Dialog+w.Focus)
}
