package desktoptest

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
)

// as has a tool answer with JSON.
func as(tool string, v any) func(*crooked) {
	return func(c *crooked) {
		res, err := desktop.JSONResult(v)
		if err != nil {
			panic(err)
		}
		c.Lie(tool, res)
	}
}

func TestBrokenViews(t *testing.T) {
	word := desktop.Window{ID: "1", Root: "winword"}
	for name, tc := range map[string]struct {
		bend func(*crooked)
		want map[string]string
	}{
		"windows in words":     {func(c *crooked) { c.Lie(desktop.GetDesktopAppInfo, desktop.TextResult("two windows")) }, map[string]string{"windows": `"get_desktop_app_info" is listed and cannot be used: desktop: get_desktop_app_info: bad result`, "scope": "cannot be used"}},
		"a window without id":  {as(desktop.GetDesktopAppInfo, []desktop.Window{word, {Root: "x"}}), map[string]string{"windows": "window 1 has no id", "scope": "window 1 has no id"}},
		"two of one id":        {as(desktop.GetDesktopAppInfo, []desktop.Window{word, word}), map[string]string{"windows": `two windows have the id "1"`, "scope": "two windows"}},
		"no root":              {as(desktop.GetDesktopAppInfo, []desktop.Window{{ID: "1"}}), map[string]string{"windows": `window 0 ("1") has no root`}},
		"two in front":         {as(desktop.GetDesktopAppInfo, []desktop.Window{{ID: "1", Root: "a", Focused: true}, {ID: "2", Root: "b", Focused: true}}), map[string]string{"windows": "2 windows have the focus"}},
		"several current ones": {as(desktop.GetAppWindow, []desktop.Window{word, word}), map[string]string{"windows": "2 windows instead of one", "scope": "2 windows instead of one"}},
		"a control without id": {as(desktop.GetUITree, []desktop.Control{{Name: "Save"}}), map[string]string{"windows": `the control "Save" of get_ui_tree has no id`, "scope": "has no id"}},
		"controls of one id":   {as(desktop.GetUITree, []desktop.Control{{ID: "1", Children: []desktop.Control{{ID: "1"}}}}), map[string]string{"windows": `two controls have the id "1"`, "scope": "two controls"}},
		"no picture":           {says(desktop.CaptureWindowScreenshot, desktop.TextResult("saved"), nil), map[string]string{"pictures": `"capture_window_screenshot" returns no image`}},
		"a torn picture":       {says(desktop.CaptureDesktopScreenshot, desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: []byte("x")}}}}, nil), map[string]string{"pictures": "the image cannot be read as image/png"}},
		"a refused picture":    {func(c *crooked) { c.Fail(desktop.CaptureDesktopScreenshot, "locked") }, map[string]string{"pictures": "is listed and cannot be used: desktop: failed: locked"}},
		"another form": {alter(desktop.CaptureDesktopScreenshot, func(_ desktop.Command, res *desktop.Result) { res.Content[0].Image.MediaType = "image/jpeg" }),
			map[string]string{"pictures": `the media type of the image is "image/jpeg", but it is a png`}},
		"no media type": {alter(desktop.CaptureDesktopScreenshot, func(_ desktop.Command, res *desktop.Result) { res.Content[0].Image.MediaType = "" }),
			map[string]string{"pictures": `the media type of the image is ""`}},
	} {
		t.Run(name, func(t *testing.T) { expect(t, inspect(t, bent(tc.bend), options()), tc.want) })
	}
}

// answering answers one tool in its own way.
type answering struct {
	desktop.Desktop
	tool   string
	window func() desktop.Window
}

func (a answering) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if cmd.ToolName == a.tool {
		return desktop.JSONResult(a.window())
	}
	return a.Desktop.Execute(ctx, cmd)
}

func TestBrokenScopes(t *testing.T) {
	type scope = func(ctx context.Context, id string) (desktop.Desktop, error)
	for want, scope := range map[string]func(c *crooked) scope{
		"Scope of a window that does not exist returns a desktop": func(c *crooked) scope {
			return func(context.Context, string) (desktop.Desktop, error) { return c.Desktop, nil }
		},
		"Scope of a window that does not exist returns neither": func(c *crooked) scope {
			return func(ctx context.Context, id string) (desktop.Desktop, error) {
				if d, err := c.Desktop.Scope(ctx, id); err == nil {
					return d, nil
				}
				return nil, nil
			}
		},
		`Scope of the window "1", which is there, fails: busy`: func(*crooked) scope {
			return func(context.Context, string) (desktop.Desktop, error) { return nil, errors.New("busy") }
		},
		`narrowed to the window "1", get_app_window describes "2"`: func(c *crooked) scope {
			return func(ctx context.Context, id string) (desktop.Desktop, error) {
				if id == "1" {
					id = "2"
				}
				return c.Desktop.Scope(ctx, id)
			}
		},
		`narrowed to the window "2", get_app_window describes "1"`: func(c *crooked) scope { // narrows nothing
			return func(ctx context.Context, id string) (desktop.Desktop, error) {
				_, err := c.Desktop.Scope(ctx, id)
				return struct{ desktop.Desktop }{c.Desktop}, err
			}
		},
		`narrowed to the window "1", get_app_window describes a window without id`: func(c *crooked) scope {
			return func(ctx context.Context, id string) (desktop.Desktop, error) {
				scoped, err := c.Desktop.Scope(ctx, id)
				return answering{scoped, desktop.GetAppWindow, func() desktop.Window { return desktop.Window{Root: "winword"} }}, err
			}
		},
		`narrowed to the window "1", get_app_window describes "2"]`: func(c *crooked) scope { // the last Scope narrows all
			last := ""
			return func(ctx context.Context, id string) (desktop.Desktop, error) {
				scoped, err := c.Desktop.Scope(ctx, id)
				if err == nil {
					last = id
				}
				return answering{scoped, desktop.GetAppWindow, func() desktop.Window { return desktop.Window{ID: last, Root: "x"} }}, err
			}
		},
		`narrowed to the window "1": desktop: tool x: another tool has the same name`: func(c *crooked) scope {
			return func(ctx context.Context, id string) (desktop.Desktop, error) {
				_, err := c.Desktop.Scope(ctx, id)
				return &crooked{Desktop: c.Desktop, tools: func(context.Context) ([]desktop.Tool, error) {
					return []desktop.Tool{{Name: "x"}, {Name: "x"}}, nil
				}}, err
			}
		},
		`Scope of "an id that no window has" panics: no map`: func(c *crooked) scope {
			return func(ctx context.Context, id string) (desktop.Desktop, error) {
				if id != "1" {
					panic("no map")
				}
				return c.Desktop.Scope(ctx, id)
			}
		},
	} {
		found := inspect(t, bent(func(c *crooked) { c.scope = scope(c) }), options())
		expect(t, found, map[string]string{"scope": want})
	}
}

func TestBrokenCloses(t *testing.T) {
	for name, tc := range map[string]struct {
		close func(c *crooked, times int) error
		want  map[string]string
	}{
		"sound": {func(c *crooked, _ int) error { c.Break("", errBroken); return nil }, nil},
		"error": {func(c *crooked, _ int) error { c.Break("", errBroken); return errors.New("stuck") }, map[string]string{"close": "Close fails: stuck"}},
		"panics": {func(c *crooked, times int) error {
			c.Break("", errBroken)
			if times > 1 {
				panic("close of closed channel")
			}
			return nil
		}, map[string]string{"close": "the second Close panics: close of closed channel"}},
		"still works": {func(*crooked, int) error { return nil }, map[string]string{"close": `"look" succeeds after Close`}},
		"panics afterwards": {func(c *crooked, _ int) error {
			c.On("", func(context.Context, Call) (any, error) { panic("nil connection") })
			return nil
		},
			map[string]string{"close": `after Close: Execute of "look" panics: nil connection`}},
	} {
		t.Run(name, func(t *testing.T) {
			maker := func(t testing.TB) desktop.Desktop {
				c, times := straight(t), 0
				return closing{c, func() error { times++; return tc.close(c, times) }}
			}
			expect(t, inspect(t, maker, options()), tc.want)
		})
	}
}

// What does not come back, and what is left behind, takes the time of grace to
// find.
func TestBrokenEnds(t *testing.T) {
	var stop chan struct{} // ends what a case leaves behind, in its bubble
	hangs := func(tool string) func(c *crooked) {
		return func(c *crooked) {
			only(c, tool, func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
				<-stop
				return c.Desktop.Execute(ctx, cmd)
			})
		}
	}
	leaks := func(tool string) func(c *crooked) {
		return func(c *crooked) {
			only(c, tool, func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
				go func() { <-stop }()
				return c.Desktop.Execute(ctx, cmd)
			})
		}
	}
	for name, tc := range map[string]struct {
		bend        func(c *crooked)
		check, want string
	}{
		"a list": {
			func(c *crooked) {
				c.tools = func(context.Context) ([]desktop.Tool, error) { <-stop; return nil, errBroken }
			},
			"tools", "Tools has not come back after 300ms",
		},
		"a call": {hangs("look"), "call", `Execute of "look" has not come back after 300ms`},
		"a call that cannot be cancelled": {
			hangs(desktop.Wait),
			"cancel", `cancelled while it was running: Execute of "wait" has not come back after 300ms`,
		},
		"a goroutine for each call":      {leaks("look"), "goroutines", "goroutines are left after 8 calls of a safe command"},
		"a goroutine for each that ends": {leaks(desktop.Wait), "goroutines", "goroutines are left after 8 calls that were cancelled"},
		"goroutines for each desktop": {
			func(*crooked) {
				for range 3 { // one alone may be made up for by one of another test that ends meanwhile
					go func() { <-stop }()
				}
			}, "goroutines", "goroutines are left when the desktop has been closed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stop = make(chan struct{})
				defer close(stop)
				expectHang(t, inspectNow(t, bent(tc.bend), impatient()), tc.check, tc.want)
			})
		})
	}
}

// What is ended with the test is not left behind.
func TestADesktopThatIsEnded(t *testing.T) {
	maker := func(t testing.TB) desktop.Desktop {
		end, ended := make(chan struct{}), make(chan struct{})
		go func() { <-end; close(ended) }()
		t.Cleanup(func() { close(end); <-ended })
		return straight(t)
	}
	assert.Empty(t, inspect(t, maker, options()))
}

func TestMessagesSayWhy(t *testing.T) {
	names := map[string]bool{}
	for _, c := range checks {
		assert.NotEmpty(t, c.why)
		assert.False(t, names[c.name])
		names[c.name] = true
		assert.Contains(t, c.message("it is broken"), "it is broken\n\twhy it matters: "+c.why)
	}
	assert.True(t, reflect.DeepEqual(guard(func() []string { panic("x") }), []string{"the code under test panicked: x"}))
}
