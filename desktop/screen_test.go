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
)

func TestScreen(t *testing.T) {
	word, excel := offers("read", desktop.GetAppWindow), offers("write")
	d, err := desktop.Screen(
		desktop.App{Window: desktop.Window{Root: "word", Process: "report", Title: "report - Word", Focused: true}, Desktop: word},
		desktop.App{Window: desktop.Window{ID: "e", Root: "excel"}, Desktop: excel})
	require.NoError(t, err)
	windows := windowsOf(t, d)
	assert.Equal(t, []desktop.Window{
		{ID: "1", Root: "word", Process: "report", Title: "report - Word"},
		{ID: "e", Root: "excel", Process: "e", Title: "excel"},
	}, windows)
	assert.Equal(t, []string{"get_desktop_app_info"}, toolsOf(t, d))
	assert.Equal(t, `desktop: unknown tool "read"; the tools are: get_desktop_app_info`, execute(t, d, desktop.Command{ToolName: "read"}).Error)

	scoped := narrowed(t, d, "1")
	assert.Equal(t, []string{"get_app_window", "get_desktop_app_info", "read"}, toolsOf(t, scoped))
	assert.Equal(t, windows[0], windowOf(t, scoped))
	assert.Equal(t, windows, windowsOf(t, scoped))
	require.NoError(t, execute(t, scoped, desktop.Command{ToolName: "read"}).Err())
	assert.Equal(t, []string{"get_app_window", "read"}, word.names(), "it is asked for its dialog; which window it is, the screen says")
	assert.Empty(t, excel.got)

	_, err = desktop.Scope(t.Context(), d, "2")
	require.EqualError(t, err, `desktop: commands cannot be limited to window "2": there is no such window`)
	_, err = desktop.Scope(t.Context(), screenOf(t, "shop", &stubborn{newBrowser(desktop.Window{ID: "a", Root: "x"})}), "1")
	require.EqualError(t, err, `desktop: commands cannot be limited to window "1": it has gone`)
}

// The dialogs of an App belong to its window on the screen, under ids that no other has.
func TestAScreenKnowsTheDialogsOfItsApps(t *testing.T) {
	shop := &desktoptest.App{Root: "chromium", ID: "b", Running: true, Controls: []desktop.Control{{ID: "buy"}}}
	pay := &desktoptest.App{ID: "2", Owner: shop, Modal: true, Title: "Pay?", Controls: []desktop.Control{{ID: "yes"}}}
	card := &desktoptest.App{ID: "b2", Owner: pay, Title: "Card"}
	inside := desktoptest.New(t, shop, pay, card)
	d, err := desktop.Screen(
		desktop.App{Window: desktop.Window{Root: "shop"}, Desktop: inside},
		desktop.App{Window: desktop.Window{Root: "shell"}, Desktop: offers("run")})
	require.NoError(t, err)
	first, second := narrowed(t, d, "1"), narrowed(t, d, "2")
	assert.Empty(t, windowOf(t, first).Dialog)

	inside.Show(pay)
	inside.Show(card)
	list := windowsOf(t, d)
	assert.Len(t, list, 2, "a dialog is no application")
	w, owned, err := desktop.AppWindow(t.Context(), first)
	require.NoError(t, err)
	assert.Equal(t, []string{"1", "1/2"}, []string{w.ID, w.Dialog})
	require.Len(t, owned, 2)
	assert.Equal(t, []string{"1/2", "1", "Pay?"}, []string{owned[0].ID, owned[0].Owner, owned[0].Title})
	assert.Equal(t, []string{"1/b2", "1/2", "Card"}, []string{owned[1].ID, owned[1].Owner, owned[1].Title})
	_, owned, err = desktop.AppWindow(t.Context(), second)
	require.NoError(t, err)
	assert.Empty(t, owned)
	again := narrowed(t, d, "1") // its dialog is no second window of the App
	require.NoError(t, execute(t, again, desktop.Command{ToolName: desktop.ClickInput, Parameters: params{"id": "yes"}}).Err())

	inside.Gone(shop)
	_, _, err = desktop.AppWindow(t.Context(), first)
	require.ErrorIs(t, err, desktop.ErrWindowGone)
}

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
	err     error           // of listing and narrowing
	closed  *desktop.Result // of each command in a window
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

// close has each command in a window fail, because it was closed or not.
func (b *browser) close(gone bool) {
	b.closed = &desktop.Result{Status: desktop.Failure, Error: "no", Gone: gone}
}

func (b *browser) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	b.shelf.mu.Lock()
	defer b.shelf.mu.Unlock()
	switch {
	case b.err != nil:
		return desktop.Result{}, b.err
	case b.closed != nil && b.only != "":
		return *b.closed, nil
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
	narrow := func() desktop.Desktop { return narrowed(t, d, "1") }
	at := func(d desktop.Desktop) desktop.Window { return windowOf(t, d) }
	gone := func(d desktop.Desktop) {
		require.ErrorIs(t, execute(t, d, desktop.Command{ToolName: desktop.GetAppWindow}).Err(), desktop.ErrWindowGone)
	}
	process := func(process string) desktop.Window {
		return desktop.Window{ID: "1", Root: "shop", Process: process, Title: "The shop"}
	}
	first := narrow()
	assert.Equal(t, process("1"), at(first))
	b.show(desktop.Window{ID: "w1", Root: "chromium", Title: "another page"})
	assert.Equal(t, process("1"), at(first), "a title changes")

	b.show(desktop.Window{ID: "w2", Root: "chromium"})
	gone(first)
	assert.Equal(t, process("1.3"), windowsOf(t, d)[0], "1.2 is another's")
	second := narrow()
	assert.Equal(t, process("1.3"), at(second))
	for _, d := range []desktop.Desktop{first, second} {
		require.NoError(t, execute(t, d, desktop.Command{ToolName: "read"}).Err())
	}
	assert.Equal(t, []string{"w1 read", "w2 read"}, b.log, "each in the window that it was narrowed to")

	b.show(desktop.Window{ID: "w3", Root: "chromium"})
	gone(first)
	assert.Equal(t, process("1.3"), windowsOf(t, d)[0], "what is narrowed to an old one does not ask")
	assert.Equal(t, process("1.4"), at(narrow()), "noticed when it was narrowed")
	gone(second)
}

// An App that says of its window that it was closed has another one from then on, whatever it is
// called. Who selects another window of the App, and finds it closed, says nothing of that one.
func TestAWindowOfAScreenIsGoneWhenItsDesktopSaysSo(t *testing.T) {
	click := desktop.Command{ToolName: desktop.ClickInput, Parameters: params{"id": "buy"}}
	for name, c := range map[string]struct {
		cmd  desktop.Command
		gone bool
	}{
		"a command":                {click, true},
		"get_app_window":           {desktop.Command{ToolName: desktop.GetAppWindow}, true},
		"its window is selected":   {desktop.Command{ToolName: desktop.SelectApplicationWindow, Parameters: params{"id": "b"}}, true},
		"another one is selected":  {desktop.Command{ToolName: desktop.SelectApplicationWindow, Parameters: params{"id": "c"}}, false},
		"another one is closed":    {desktop.Command{ToolName: desktop.CloseApplication, Parameters: params{"id": "c"}}, false},
		"a failure that is no end": {desktop.Command{ToolName: "read"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBrowser(desktop.Window{ID: "b", Root: "chromium"})
			d, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "shop"}, Desktop: b}, desktop.App{Window: desktop.Window{Root: "shell"}, Desktop: offers("run")})
			require.NoError(t, err)
			first := narrowed(t, d, "1")
			b.close(name != "a failure that is no end")
			assert.Equal(t, name != "a failure that is no end", execute(t, first, c.cmd).Gone)
			b.closed = nil // it was started again, and its window has the same id
			want := "1"
			if c.gone {
				want = "1.2"
				require.ErrorIs(t, execute(t, first, desktop.Command{ToolName: desktop.GetAppWindow}).Err(), desktop.ErrWindowGone)
			}
			assert.Equal(t, want, windowsOf(t, d)[0].Process)
			assert.Equal(t, want, windowOf(t, narrowed(t, d, "1")).Process)
			assert.Equal(t, want, windowsOf(t, d)[0].Process, "the one that is there now is no third")
		})
	}
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
			d := narrowed(t, screenOf(t, "shop", inner), "1")
			inner.err = nil
			require.NoError(t, execute(t, d, desktop.Command{ToolName: "read"}).Err())
			assert.Equal(t, []string{test.acts}, inner.log)
			assert.Equal(t, desktop.Window{ID: "1", Root: "shop", Process: "1", Title: "shop"}, windowOf(t, d))
		})
	}
}

type stubborn struct{ *browser }

func (*stubborn) Scope(context.Context, string) (desktop.Desktop, error) {
	return nil, errors.New("it has gone")
}

// What a screen asks by itself is nobody's command: interceptors see one.
func TestAScreenAsksApart(t *testing.T) {
	b := newBrowser(desktop.Window{ID: "w1", Root: "chromium"})
	d := screenOf(t, "shop", b)
	seen := 0
	ctx := desktop.WithInterceptor(t.Context(), func(d desktop.Desktop) desktop.Desktop { seen++; return d })
	d, err := desktop.Scope(ctx, d, "1")
	require.NoError(t, err)
	_, _, err = desktop.AppWindow(ctx, d)
	require.NoError(t, err)
	assert.Equal(t, 1, seen)
}

func TestConformanceOfAScreenOfOneWindow(t *testing.T) {
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		tools, err := desktop.New(desktop.Func("read", "Read.", func(context.Context, struct{}) (string, error) { return "text", nil }, nil))
		require.NoError(t, err)
		inner := screenOf(t, "inner", tools)
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
	d := narrowed(t, screenOf(t, "shop", b), "1")
	assert.Equal(t, desktop.Window{ID: "1", Root: "shop", Process: "1", Title: "shop", Dialog: "d7", Focus: "c3"}, windowOf(t, d))
	b.show(desktop.Window{ID: "w1", Root: "chromium"})
	assert.Equal(t, desktop.Window{ID: "1", Root: "shop", Process: "1", Title: "shop"}, windowOf(t, d))
}

func TestScreenUnderADoneContext(t *testing.T) {
	cause := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	b := newBrowser(desktop.Window{ID: "a", Root: "x"})
	d := screenOf(t, "shop", b)
	scoped := narrowed(t, d, "1")
	cancel(cause)
	for _, d := range []desktop.Desktop{d, scoped} {
		_, err := d.Execute(ctx, desktop.Command{ToolName: "read"})
		require.ErrorIs(t, err, cause)
	}
	_, err := d.(desktop.Scoper).Scope(ctx, "1")
	require.ErrorIs(t, err, cause)
	assert.Empty(t, b.log)
	b.tools = func(context.Context) ([]desktop.Tool, error) { return nil, cause }
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
	assert.Empty(t, windowsOf(t, d))
}
