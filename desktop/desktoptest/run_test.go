package desktoptest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// office is a desktop with all that a check looks at.
func office(t testing.TB) *desktoptest.Desktop {
	t.Helper()
	d := desktoptest.New(t,
		&desktoptest.App{Root: "winword", Title: "report - Word", Running: true,
			Controls: []desktop.Control{{ID: "1", Name: "File", Bounds: [4]int{0, 0, 80, 20}, Children: []desktop.Control{{ID: "2", Name: "Save"}}}}},
		&desktoptest.App{Root: "excel", Running: true, Tools: []desktoptest.Tool{{Name: "sum", Returns: 3}}})
	d.AddTools(desktoptest.Tool{Name: desktop.GetControl},
		desktoptest.Tool{Name: "bump", Schema: `{"type":"object","properties":{"by":{"type":"integer"}},"required":["by"]}`})
	return d
}

// bumps counts what was carried out.
func bumps(d *desktoptest.Desktop) int {
	n := 0
	for _, e := range d.Calls("bump") {
		if e.Executed {
			n++
		}
	}
	return n
}

func TestRunOnTheFake(t *testing.T) {
	fake := func(d desktop.Desktop) *desktoptest.Desktop { return d.(*desktoptest.Desktop) }
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return office(t) }, desktoptest.WithEvents(desktoptest.Options{
		Safe:    desktop.Command{ToolName: desktop.Texts, Parameters: map[string]any{"id": "1"}},
		Failing: commands.Click("9", ""),
		Slow:    desktop.Command{ToolName: desktop.Wait, Parameters: map[string]any{"seconds": 30}},
		Effect:  desktop.Command{ToolName: "bump", Parameters: map[string]any{"by": 1}},
		Effects: func(d desktop.Desktop) int { return bumps(fake(d)) },
		Window:  "2",
	}, fake))
}

// What happens to windows is checked as far as a desktop can see them.
func TestRunOnWindowsThatAreNotSeen(t *testing.T) {
	type plain struct{ desktop.Desktop }
	fake := func(d desktop.Desktop) *desktoptest.Desktop {
		if p, ok := d.(plain); ok {
			d = p.Desktop
		}
		return d.(*desktoptest.Desktop)
	}
	safe := desktop.Command{ToolName: desktop.Texts, Parameters: map[string]any{"id": "1"}}
	for name, tc := range map[string]struct {
		tools []string // that are not there
		plain bool     // no Scope
	}{
		"no Scope":          {plain: true},
		"no list":           {tools: []string{desktop.GetDesktopAppInfo}},
		"no window":         {tools: []string{desktop.GetAppWindow}},
		"no controls":       {tools: []string{desktop.GetUITree}},
		"no Scope, no list": {plain: true, tools: []string{desktop.GetDesktopAppInfo}},
		"nothing":           {plain: true, tools: []string{desktop.GetDesktopAppInfo, desktop.GetAppWindow, desktop.GetUITree}},
	} {
		t.Run(name, func(t *testing.T) {
			desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
				d := office(t)
				d.Without(tc.tools...)
				if tc.plain {
					return plain{d}
				}
				return d
			}, desktoptest.WithEvents(desktoptest.Options{Safe: safe, Window: "1"}, fake))
		})
	}
}

func TestRunWithoutOptions(t *testing.T) {
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return office(t) }, nil)
}

func TestRunOnAPlainDesktop(t *testing.T) {
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return struct{ desktop.Desktop }{office(t)} }, nil)
}

func TestRunOnAnEmptyScreen(t *testing.T) {
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return desktoptest.New(t) }, nil)
}

func TestRunOnAJoin(t *testing.T) {
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop { return desktop.Join(office(t), counter(t)) }, &desktoptest.Options{
		Failing: desktop.Command{ToolName: "add", Parameters: map[string]any{"n": -1}},
		Slow:    desktop.Command{ToolName: "hang"},
	})
	t.Run("of plain ones", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
			return desktop.Join(struct{ desktop.Desktop }{office(t)}, counter(t))
		}, nil)
	})
	t.Run("of which one has windows", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
			d := office(t)
			return over{desktop.Join(counter(t), d).(scoper), d}
		}, desktoptest.WithEvents(desktoptest.Options{}, under))
	})
}

type scoper interface {
	desktop.Desktop
	desktop.Scoper
}

// over is a desktop that is made of a fake, which a test can still find.
type over struct {
	scoper
	fake *desktoptest.Desktop
}

func under(d desktop.Desktop) *desktoptest.Desktop { return d.(over).fake }

func TestRunOnAScope(t *testing.T) {
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		scoped, err := desktop.Scope(t.Context(), office(t), "2")
		require.NoError(t, err)
		return scoped
	}, &desktoptest.Options{Slow: desktop.Command{ToolName: desktop.Wait, Parameters: map[string]any{"seconds": 30}}})
}

// counter is a desktop of Go funcs.
func counter(t testing.TB) desktop.Desktop {
	t.Helper()
	d, err := desktop.New(
		desktop.Func("read_count", "", func(context.Context, struct{}) (int, error) { return 1, nil },
			&desktop.Annotations{ReadOnlyHint: true}),
		desktop.Func("add", "", func(_ context.Context, in struct {
			N int `json:"n"`
		}) (int, error) {
			if in.N < 0 {
				return 0, context.Canceled // a tool that says no in a strange way
			}
			return in.N, nil
		}, nil),
		desktop.Func("hang", "", func(ctx context.Context, _ struct{}) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}, nil))
	require.NoError(t, err)
	return d
}

func TestRunOnFuncs(t *testing.T) {
	opts := &desktoptest.Options{
		Failing: desktop.Command{ToolName: "add", Parameters: map[string]any{"n": -1}},
		Slow:    desktop.Command{ToolName: "hang"},
	}
	desktoptest.Run(t, counter, opts)
	screen := func(t testing.TB) desktop.Desktop {
		d, err := desktop.Screen(
			desktop.App{Window: desktop.Window{Root: "counter"}, Desktop: counter(t)},
			desktop.App{Window: desktop.Window{Root: "office"}, Desktop: office(t)})
		require.NoError(t, err)
		return d
	}
	t.Run("on a screen", func(t *testing.T) { desktoptest.Run(t, screen, nil) })
	t.Run("on a screen, with a window that closes", func(t *testing.T) {
		all := desktoptest.WithEvents(desktoptest.Options{}, under)
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
			word := desktoptest.New(t, &desktoptest.App{Root: "winword", Running: true,
				Controls: []desktop.Control{{ID: "1", Name: "File", Bounds: [4]int{0, 0, 80, 20}}}})
			d, err := desktop.Screen(
				desktop.App{Window: desktop.Window{Root: "word"}, Desktop: word},
				desktop.App{Window: desktop.Window{Root: "counter"}, Desktop: counter(t)})
			require.NoError(t, err)
			return over{d.(scoper), word}
		}, &desktoptest.Options{
			MoveControl: all.MoveControl,
			CloseWindow: func(d desktop.Desktop, _ string) { all.CloseWindow(d, "1") },
		})
	})
	t.Run("behind a window", func(t *testing.T) {
		desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
			scoped, err := desktop.Scope(t.Context(), screen(t), "1")
			require.NoError(t, err)
			return scoped
		}, opts)
	})
}
