package desktoptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
)

func TestStraightDesktop(t *testing.T) {
	assert.Empty(t, inspect(t, bent(func(*crooked) {}), options()))
}

func TestBrokenMakers(t *testing.T) {
	expect(t, inspect(t, nil, options()), map[string]string{"tools": "newDesktop is nil"})
	none := func(testing.TB) desktop.Desktop { return (*Desktop)(nil) }
	expect(t, inspect(t, none, options()), map[string]string{"tools": "newDesktop returns nil"})
	bad := options()
	bad.Safe = desktop.Command{ToolName: "look"}
	expect(t, inspect(t, bent(func(*crooked) {}), bad), map[string]string{"call": "Options.Safe is no command for this desktop: "})
	mute := func(testing.TB) desktop.Desktop { d, _ := desktop.New(); return d }
	expect(t, inspect(t, mute, nil), map[string]string{"call": "no tool says that it only reads and needs no parameters"})
	quick := options()
	quick.Slow = look
	expect(t, inspect(t, bent(func(*crooked) {}), quick), map[string]string{"cancel": `the command of Options.Slow, "look", ends at once with the status "success"`})
}

type tools = []desktop.Tool

func TestBrokenLists(t *testing.T) {
	shared := tools{{Name: "look", InputSchema: json.RawMessage(`{}`), Annotations: desktop.Annotations{ReadOnlyHint: true}}}
	var calls atomic.Int32
	for want, bend := range map[string]func(*crooked){
		"Tools fails: cut":               func(c *crooked) { c.Break(desktop.ListTools, errors.New("cut")) },
		"Tools panics: boom":             func(c *crooked) { c.On(desktop.ListTools, func(context.Context, Call) (any, error) { panic("boom") }) },
		"another tool has the same name": list(func(l tools) tools { return append(l, l[0]) }),
		`desktop: tool "capture_desktop_screenshot" cannot be used: `: list(func(l tools) tools { l[0].InputSchema = json.RawMessage(`{`); return l }),
		"says that it only reads and that it destroys":                list(func(l tools) tools { l[0].Annotations.DestructiveHint = true; return l }),
		"changes the tools of the desktop: return a copy":             list(func(tools) tools { return shared }),
		"Tools lists other tools the second time":                     list(func(l tools) tools { n := int(calls.Add(1)) % 2; l[0], l[n] = l[n], l[0]; return l }),
		"with nothing in between: ":                                   list(func(l tools) tools { return l[int(calls.Add(1))%2:] }),
	} {
		t.Run(want, func(t *testing.T) {
			found := inspect(t, bent(bend), options())
			assert.Contains(t, fmt.Sprint(found["tools"]), want)
			assert.Len(t, found, 1, "what builds on it is not checked")
		})
	}
	click := func(l tools) *desktop.Tool {
		for i := range l {
			if l[i].Name == desktop.ClickInput {
				return &l[i]
			}
		}
		panic("no click_input")
	}
	for want, bend := range map[string]func(l tools){
		"does not say that it only reads":                   func(l tools) { l[0].Annotations.ReadOnlyHint = false },
		"a policy for reading would let it act":             func(l tools) { click(l).Annotations.ReadOnlyHint = true },
		`the schema of "click_input" refuses what agents s`: func(l tools) { click(l).InputSchema = json.RawMessage(`{"required":["x"]}`) },
	} {
		found := inspect(t, bent(list(func(l tools) tools { bend(l); return l })), options())
		expect(t, found, map[string]string{"wellknown": want})
	}
}

func TestBrokenAnswers(t *testing.T) {
	image := func(mediaType, data string) desktop.Result {
		return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: mediaType, Data: []byte(data)}}}}
	}
	const unknown = "a_tool_that_nobody_has"
	look := func(change func(res *desktop.Result)) func(*crooked) { return alter("look", change) }
	shot := func(change func(res *desktop.Result)) func(*crooked) {
		return alter(desktop.CaptureDesktopScreenshot, change)
	}
	for name, tc := range map[string]struct {
		check, want string
		bend        func(*crooked)
	}{
		"another status": {"call", `ends with the status "ok", which is none of success, failure and skipped`, look(func(res *desktop.Result) { res.Status = "ok" })},
		"another call":   {"call", `answers with the id "7" of another call`, look(func(res *desktop.Result) { res.CallID = "7" })},
		"bad JSON":       {"call", `content 0 of "look": the JSON is not valid`, look(func(res *desktop.Result) { res.Content[0].JSON = json.RawMessage("{") })},
		"two in one":     {"call", "several of text, image and JSON at once", look(func(res *desktop.Result) { res.Content[0].Text = "x" })},
		"empty image":    {"call", "the image is empty", look(func(res *desktop.Result) { *res = image("image/png", "") })},
		"refused":        {"call", `should end with the status "success", and ends with the status "failure" with "no"`, func(c *crooked) { c.Fail("look", "no") }},
		"error":          {"call", `"look" ends with the error "cut"`, func(c *crooked) { c.Break("look", errors.New("cut")) }},
		"panic":          {"call", `Execute of "look" panics: boom`, answers("look", panics("boom"))},

		"failure as an error": {"failure", `"click_input" ends with the error "no such control": an error means that the transport is broken`,
			says(desktop.ClickInput, desktop.Result{}, errors.New("no such control"))},
		"failure as success": {"failure", `should end with the status "failure", and ends with the status "success"`,
			says(desktop.ClickInput, desktop.TextResult("clicked"), nil)},
		"failure without a word": {"failure", "says no and not why", says(desktop.ClickInput, desktop.FailureResult(""), nil)},
		"unknown tool as success": {"unknown", `a command of a tool that does not exist ends with the status "success": it must be a failure`,
			says(unknown, desktop.TextResult("done"), nil)},
		"unknown tool as an error": {"unknown", `ends with the error "404", as a broken transport does`, says(unknown, desktop.Result{}, errors.New("404"))},
		"unknown tool as a panic":  {"unknown", `Execute of "a_tool_that_nobody_has" panics: nil map`, answers(unknown, panics("nil map"))},

		"arguments not looked at": {"arguments", `"look" with no parameters, which its schema forbids, ends with the status "success"`,
			func(c *crooked) {
				all(c, "look", func(ctx context.Context, _ desktop.Command) (desktop.Result, error) {
					return c.Desktop.Execute(ctx, options().Safe)
				})
			}},
		"arguments trusted": {"arguments", `Execute of "look" panics: interface conversion`, func(c *crooked) {
			all(c, "look", func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
				_ = cmd.Parameters["at"].([]any)
				return c.Desktop.Execute(ctx, cmd)
			})
		}},
		"parameters changed": {"parameters", `Execute of "look" changed the Parameters of its command from map[at:[top `,
			answers("look", func(ctx context.Context, c *crooked, cmd desktop.Command) (desktop.Result, error) {
				defer func() { cmd.Parameters["at"].([]any)[0] = "bottom" }()
				return c.Desktop.Execute(ctx, cmd)
			})},
		"parameters kept": {"parameters", "after the caller changed the parameters of the first: they were kept", func(c *crooked) {
			var mu sync.Mutex
			var first map[string]any
			answers("look", func(ctx context.Context, c *crooked, cmd desktop.Command) (desktop.Result, error) {
				mu.Lock()
				defer mu.Unlock()
				if first == nil {
					first = cmd.Parameters
				}
				if first["spoilt"] != nil {
					return desktop.FailureResult("I do not know the parameter spoilt"), nil
				}
				return c.Desktop.Execute(ctx, cmd)
			})(c)
		}},
		"results not copied": {"results", `two results of "look" share memory`, func(c *crooked) {
			shared := []desktop.Content{{JSON: json.RawMessage(`{"seen":1}`)}}
			look(func(res *desktop.Result) { res.Content = shared })(c)
		}},
		"twice": {"effect", `"bump" was executed 1 times and had its effect 2 times`,
			answers("bump", func(ctx context.Context, c *crooked, cmd desktop.Command) (desktop.Result, error) {
				_, _ = c.Desktop.Execute(ctx, cmd)
				return c.Desktop.Execute(ctx, cmd)
			})},
		"never": {"effect", `"bump" was executed 1 times and had its effect 0 times`, says("bump", desktop.TextResult("done"), nil)},
		"a context that is not read": {"cancel", `"bump" had its effect under a context that was done before the call`,
			answers("bump", func(ctx context.Context, c *crooked, cmd desktop.Command) (desktop.Result, error) {
				return c.Desktop.Execute(context.WithoutCancel(ctx), cmd)
			})},
		"a cancelled call as a success": {"cancel", `cancelled while it was running: "wait" ends with the status "success"`,
			answers(desktop.Wait, func(ctx context.Context, _ *crooked, _ desktop.Command) (desktop.Result, error) {
				<-ctx.Done()
				return desktop.TextResult("waited"), nil
			})},
		"one call at a time": {"concurrent", `with several goroutines at once: "look" should end with the status "success", and ends with the status "failure" with "busy"`, func(c *crooked) {
			var busy atomic.Bool
			answers("look", func(ctx context.Context, c *crooked, cmd desktop.Command) (desktop.Result, error) {
				if !busy.CompareAndSwap(false, true) {
					return desktop.FailureResult("busy"), nil
				}
				defer busy.Store(false)
				time.Sleep(time.Millisecond)
				return c.Desktop.Execute(ctx, cmd)
			})(c)
		}},
		"answers mixed up": {"concurrent", "with several goroutines at once: \"look\" answers with the id ", func(c *crooked) {
			var last atomic.Value
			answers("look", func(ctx context.Context, c *crooked, cmd desktop.Command) (desktop.Result, error) {
				last.Store(cmd.CallID)
				time.Sleep(time.Millisecond)
				res, err := c.Desktop.Execute(ctx, cmd)
				res.CallID, _ = last.Load().(string)
				return res, err
			})(c)
		}},

		"no root": {"windows", `window 0 ("1") has no root`, as(desktop.GetDesktopAppInfo, []desktop.Window{{ID: "1"}})},
		"two in front": {"windows", "2 windows have the focus",
			as(desktop.GetDesktopAppInfo, []desktop.Window{{ID: "1", Root: "a", Focused: true}, {ID: "2", Root: "b", Focused: true}})},
		"no picture":        {"pictures", `"capture_window_screenshot" returns no image`, says(desktop.CaptureWindowScreenshot, desktop.TextResult("saved"), nil)},
		"a torn picture":    {"pictures", "the image cannot be read as image/png", says(desktop.CaptureDesktopScreenshot, image("image/png", "x"), nil)},
		"a refused picture": {"pictures", "is listed and cannot be used: desktop: failed: locked", func(c *crooked) { c.Fail(desktop.CaptureDesktopScreenshot, "locked") }},
		"another form":      {"pictures", `the media type of the image is "image/jpeg", but it is a png`, shot(func(res *desktop.Result) { res.Content[0].Image.MediaType = "image/jpeg" })},
		"no media type":     {"pictures", `the media type of the image is ""`, shot(func(res *desktop.Result) { res.Content[0].Image.MediaType = "" })},
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, inspect(t, bent(tc.bend), options()), map[string]string{tc.check: tc.want})
		})
	}
}

// What cannot be read is no view of the screen, nor of a window.
func TestBrokenViews(t *testing.T) {
	word := desktop.Window{ID: "1", Root: "winword"}
	for want, bend := range map[string]func(*crooked){
		"cannot be used: desktop: get_desktop_app_info: bad result": says(desktop.GetDesktopAppInfo, desktop.TextResult("two windows"), nil),
		"window 1 has no id":                        as(desktop.GetDesktopAppInfo, []desktop.Window{word, {Root: "x"}}),
		"2 windows instead of one":                  as(desktop.GetAppWindow, []desktop.Window{word, word}),
		"1 of 1 controls of get_ui_tree have no id": as(desktop.GetUITree, []desktop.Control{{Name: "Save"}}),
		`two controls have the id "1"`:              as(desktop.GetUITree, []desktop.Control{{ID: "1", Children: []desktop.Control{{ID: "1"}}}}),
	} {
		expect(t, inspect(t, bent(bend), options()), map[string]string{"windows": want})
	}
}

// answering answers get_app_window in its own way.
type answering struct {
	desktop.Desktop
	window func() desktop.Window
}

func (a answering) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if cmd.ToolName == desktop.GetAppWindow {
		return desktop.JSONResult(a.window())
	}
	return a.Desktop.Execute(ctx, cmd)
}

func TestBrokenScopes(t *testing.T) {
	type scope = func(d desktop.Desktop, id string, err error) (desktop.Desktop, error) // of what a sound Scope returns
	last := ""
	for want, change := range map[string]func(c *crooked) scope{
		"Scope of a window that does not exist returns a desktop": func(c *crooked) scope {
			return func(desktop.Desktop, string, error) (desktop.Desktop, error) { return c.Desktop, nil }
		},
		`Scope of the window "an id that no window has" returns neither`: func(*crooked) scope {
			return func(d desktop.Desktop, _ string, _ error) (desktop.Desktop, error) { return d, nil }
		},
		`Scope of the window "1", which is there, fails: busy`: func(*crooked) scope {
			return func(desktop.Desktop, string, error) (desktop.Desktop, error) { return nil, errors.New("busy") }
		},
		`narrowed to the window "2", get_app_window describes "1"`: func(c *crooked) scope { // narrows nothing
			return func(_ desktop.Desktop, _ string, err error) (desktop.Desktop, error) {
				return struct{ desktop.Desktop }{c.Desktop}, err
			}
		},
		`narrowed to the window "1", get_app_window describes ""`: func(*crooked) scope {
			return func(d desktop.Desktop, _ string, err error) (desktop.Desktop, error) {
				return answering{d, func() desktop.Window { return desktop.Window{Root: "winword"} }}, err
			}
		},
		`narrowed to the window "1", get_app_window describes "2": nobody can tell that it is this one]`: func(*crooked) scope { // the last Scope narrows all
			return func(d desktop.Desktop, id string, err error) (desktop.Desktop, error) {
				if err == nil {
					last = id
				}
				return answering{d, func() desktop.Window { return desktop.Window{ID: last, Root: "x"} }}, err
			}
		},
		`narrowed to the window "1": desktop: tool "x" cannot be used: another tool has the same name`: func(c *crooked) scope {
			return func(_ desktop.Desktop, _ string, err error) (desktop.Desktop, error) {
				return &crooked{Desktop: c.Desktop, tools: func(context.Context) ([]desktop.Tool, error) { return tools{{Name: "x"}, {Name: "x"}}, nil }}, err
			}
		},
		`Scope of "an id that no window has" panics: no map`: func(*crooked) scope {
			return func(d desktop.Desktop, id string, err error) (desktop.Desktop, error) {
				if id != "1" {
					panic("no map")
				}
				return d, err
			}
		},
	} {
		found := inspect(t, bent(func(c *crooked) {
			c.scope = func(ctx context.Context, id string) (desktop.Desktop, error) {
				d, err := c.Desktop.Scope(ctx, id)
				return change(c)(d, id, err)
			}
		}), options())
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
		"still works": {func(*crooked, int) error { return nil }, map[string]string{"close": `after Close: "look" succeeds`}},
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

// What does not come back, and what is left behind, takes the time of grace to find.
func TestBrokenEnds(t *testing.T) {
	var stop chan struct{} // ends what a case leaves behind, in its bubble
	hangs := func(ctx context.Context, c *crooked, cmd desktop.Command) (desktop.Result, error) {
		<-stop
		return c.Desktop.Execute(ctx, cmd)
	}
	leaks := func(ctx context.Context, c *crooked, cmd desktop.Command) (desktop.Result, error) {
		go func() { <-stop }()
		return c.Desktop.Execute(ctx, cmd)
	}
	for name, tc := range map[string]struct {
		check, want string
		bend        func(c *crooked)
	}{
		"a list": {"tools", "Tools has not come back after 300ms", func(c *crooked) {
			c.tools = func(context.Context) ([]desktop.Tool, error) { <-stop; return nil, errBroken }
		}},
		"a call": {"call", `Execute of "look" has not come back after 300ms`, answers("look", hangs)},
		"a call that cannot be cancelled": {"cancel", `cancelled while it was running: Execute of "wait" has not come back after 300ms`,
			answers(desktop.Wait, hangs)},
		"a goroutine for each call":      {"goroutines", "goroutines are left after 8 calls of a safe command", answers("look", leaks)},
		"a goroutine for each that ends": {"goroutines", "goroutines are left after 8 calls that were cancelled", answers(desktop.Wait, leaks)},
		"goroutines for each desktop": {"goroutines", "goroutines are left when the desktop has been closed", func(*crooked) {
			for range 3 { // one alone may be made up for by one of another test that ends meanwhile
				go func() { <-stop }()
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				stop = make(chan struct{})
				defer close(stop)
				opts := options()
				opts.Grace = 300 * time.Millisecond
				assert.Contains(t, fmt.Sprint(inspectNow(t, bent(tc.bend), opts)[tc.check]), tc.want)
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
