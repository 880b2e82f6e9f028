package desktoptest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
)

type (
	controls = []desktop.Control
	windows  = []desktop.Window
)

// only has the option that one check needs.
func only(check string) *Options {
	opts := options()
	all := WithEvents(*opts, func(d desktop.Desktop) *Desktop { return d.(interface{ base() *Desktop }).base() })
	switch check {
	case "gone":
		opts.CloseWindow = all.CloseWindow
	case "dialog":
		opts.OpenDialog = all.OpenDialog
	case "second":
		opts.OpenSecond = all.OpenSecond
	case "moves":
		opts.MoveControl = all.MoveControl
	case "large":
		opts.LargeWindow = all.LargeWindow
	case "":
		return all
	}
	return opts
}

func TestStraightWindows(t *testing.T) {
	for name, bend := range map[string]func(*crooked){
		"as they are": func(*crooked) {},
		"gone as an error": gone(desktop.GetUITree, func(context.Context, *crooked, desktop.Result) (desktop.Result, error) {
			return desktop.Result{}, fmt.Errorf("tab 7: %w", desktop.ErrWindowGone)
		}),
		"empty lists in place of none": everywhere(desktop.GetControl, func(_ context.Context, _ *crooked, _ string, res desktop.Result) (desktop.Result, error) {
			if res.Status == desktop.Success {
				res.Content[0].JSON = append([]byte(`{"state":[],`), res.Content[0].JSON[1:]...)
			}
			return res, nil
		}),
		"nobody knows where controls are": func(c *crooked) {
			tree(func(_ *crooked, _ string, list controls) controls {
				for i := range list {
					list[i].Bounds = [4]int{}
				}
				return list
			})(c)
			c.Without(desktop.GetControl)
		},
	} {
		t.Run(name, func(t *testing.T) {
			sound := bent(func(c *crooked) {
				c.AddTools(Tool{Name: desktop.GetControl})
				bend(c)
			})
			assert.Empty(t, inspect(t, sound, only("")))
		})
	}
	t.Run("a dialog in the second window alone", func(t *testing.T) {
		opts := only("dialog")
		open := opts.OpenDialog
		opts.OpenDialog = func(d desktop.Desktop, id string) string {
			if id == "1" {
				return ""
			}
			return open(d, id)
		}
		assert.Empty(t, inspect(t, bent(func(*crooked) {}), opts))
	})
}

func TestBrokenWindows(t *testing.T) {
	var looks atomic.Int32
	for name, tc := range map[string]struct {
		check, want string
		bend        func(*crooked)
	}{
		"ids of each look": {"ids", ` number 1 has the id "`, tree(func(_ *crooked, _ string, list controls) controls {
			n := looks.Add(1)
			for i := range list {
				list[i].ID += fmt.Sprint("-", n)
			}
			return list
		})},
		"ids by the place in a list": {"ids", `" in one look and "`, tree(func(_ *crooked, _ string, list controls) controls {
			if looks.Add(1)%2 == 0 {
				slices.Reverse(list)
			}
			for i := range list {
				list[i].ID = fmt.Sprint(i + 1)
			}
			return list
		})},
		"ids of the inner ones": {"ids", `the Cell "" number 2 has the id`, tree(func(_ *crooked, _ string, list controls) controls {
			if len(list) > 0 {
				list[0].Children = controls{{ID: "a", Type: "Cell"}, {ID: fmt.Sprint("b", looks.Add(1)), Type: "Cell"}}
			}
			return list
		})},

		"the window with the focus answers for one that is closed": {"gone", `"get_app_window", narrowed to the window "2", which was closed since, ends with the status "success"`,
			gone(desktop.GetAppWindow, func(ctx context.Context, c *crooked, _ desktop.Result) (desktop.Result, error) {
				return c.Desktop.Execute(ctx, desktop.Command{ToolName: desktop.GetAppWindow})
			})},
		"its controls answer": {"gone", `"get_ui_tree", narrowed to the window "2", which was closed since, ends with the status "success"`,
			gone(desktop.GetUITree, func(ctx context.Context, c *crooked, _ desktop.Result) (desktop.Result, error) {
				return c.Desktop.Execute(ctx, desktop.Command{ToolName: desktop.GetUITree})
			})},
		"no controls are a success": {"gone", `ends with the status "success": return a failure that is Gone`,
			gone(desktop.GetUITree, func(context.Context, *crooked, desktop.Result) (desktop.Result, error) {
				return desktop.JSONResult(controls{})
			})},
		"any failure": {"gone", `with "the window \"1\" is closed": return a failure that is Gone`,
			gone(desktop.GetUITree, func(_ context.Context, _ *crooked, res desktop.Result) (desktop.Result, error) {
				res.Gone = false
				return res, nil
			})},
		"a broken transport": {"gone", `ends with the error "no target": return a failure`,
			gone(desktop.GetAppWindow, func(context.Context, *crooked, desktop.Result) (desktop.Result, error) {
				return desktop.Result{}, errors.New("no target")
			})},
		"a panic": {"gone", `Execute of "get_ui_tree" panics: no target`,
			gone(desktop.GetUITree, func(context.Context, *crooked, desktop.Result) (desktop.Result, error) { panic("no target") })},
		"one crash closes all": {"gone", `after the window "2" was closed: "get_ui_tree" is listed and cannot be used`, func(c *crooked) {
			everywhere(desktop.GetUITree, func(_ context.Context, c *crooked, _ string, res desktop.Result) (desktop.Result, error) {
				if c.windowOpen("2") {
					return res, nil
				}
				return desktop.Result{Status: desktop.Failure, Error: "the connection is closed", Gone: true}, nil
			})(c)
		}},
		"without the focus nothing answers": {"gone", `after the window "1" was closed: "get_ui_tree" is listed and cannot be used`, func(c *crooked) {
			everywhere(desktop.GetUITree, func(_ context.Context, c *crooked, _ string, res desktop.Result) (desktop.Result, error) {
				if c.windowOpen("1") || res.Gone {
					return res, nil
				}
				return desktop.FailureResult("nothing has the focus"), nil
			})(c)
		}},

		"a dialog that belongs to nobody": {"dialog", `get_desktop_app_info lists the dialog "3" of the window "1" with the Owner ""`,
			sees(desktop.GetDesktopAppInfo, func(_ *crooked, _ string, list windows) windows {
				for i := range list {
					list[i].Owner = ""
				}
				return list
			})},
		"a dialog that is not listed": {"dialog", `get_desktop_app_info does not list the dialog "3"`,
			sees(desktop.GetDesktopAppInfo, func(_ *crooked, _ string, list windows) windows { return list[:2] })},
		"a dialog that the window does not know": {"dialog", `narrowed to the window "1", get_app_window does not list the dialog "3"`,
			sees(desktop.GetAppWindow, func(_ *crooked, _ string, list windows) windows { return list[:1] })},
		"a dialog with no owner in the window": {"dialog", `"3" belongs to none before it`,
			sees(desktop.GetAppWindow, func(_ *crooked, _ string, list windows) windows {
				list[len(list)-1].Owner = ""
				return list
			})},
		"a dialog that is not in front": {"dialog", `get_app_window describes "1" with the Dialog "", and not "1" with the Dialog "3"`,
			sees(desktop.GetAppWindow, func(_ *crooked, _ string, list windows) windows {
				list[0].Dialog = ""
				return list
			})},
		"a dialog in place of the window": {"dialog", `get_app_window describes "3" with the Dialog`,
			sees(desktop.GetAppWindow, func(_ *crooked, _ string, list windows) windows { return list[len(list)-1:] })},
		"a dialog without controls":     {"dialog", `get_ui_tree does not begin with the controls of the dialog "3"`, dialog(func(_ desktop.Control, list controls) controls { return list })},
		"a dialog at the end":           {"dialog", `get_ui_tree does not begin with the controls of the dialog "3"`, dialog(func(c desktop.Control, list controls) controls { return append(list, c) })},
		"a dialog that is not a branch": {"dialog", `begins with "yes", which has nothing in it`, dialog(func(c desktop.Control, list controls) controls { return append(c.Children, list...) })},
		"a dialog in every window": {"dialog", `narrowed to the window "2", get_app_window knows of the dialog "3"`,
			sees(desktop.GetAppWindow, func(c *crooked, _ string, list windows) windows {
				if c.windowOpen("3") {
					list[0].Dialog = "3"
				}
				return list
			})},
		"its controls in every window": {"dialog", `narrowed to the window "2", get_ui_tree has controls of the dialog "3"`,
			tree(func(c *crooked, window string, list controls) controls {
				if c.windowOpen("3") && window == "2" {
					return append(list, desktop.Control{ID: "yes"})
				}
				return list
			})},
		"a window that is locked meanwhile": {"dialog", `Scope of the window "1", which is there, fails: the window "1" is disabled`, noScope("1")},
		"a dialog of old scopes alone": {"dialog", `get_app_window does not list the dialog "3"`, func(c *crooked) {
			c.scope = func(ctx context.Context, id string) (desktop.Desktop, error) {
				scoped, err := c.Desktop.Scope(ctx, id)
				if err != nil || !c.windowOpen("3") {
					return scoped, err
				}
				return changed(scoped, c, id, desktop.GetAppWindow, func(context.Context, *crooked, string, desktop.Result) (desktop.Result, error) {
					return desktop.JSONResult(desktop.Window{ID: id, Root: "x", Dialog: "3"})
				}), nil
			}
		}},

		"the last window of the process": {"second", `narrowed to the window "1", get_app_window describes "3"`,
			sees(desktop.GetAppWindow, func(c *crooked, window string, list windows) windows {
				if window == "1" && c.windowOpen("3") {
					list[0].ID = "3"
				}
				return list
			})},
		"the first window of the process": {"second", `narrowed to the window "3", get_app_window describes "1"`,
			sees(desktop.GetAppWindow, func(_ *crooked, window string, list windows) windows {
				if window == "3" {
					list[0].ID = "1"
				}
				return list
			})},
		"one window for each process": {"second", `get_desktop_app_info does not list "3", the second window`,
			sees(desktop.GetDesktopAppInfo, func(_ *crooked, _ string, list windows) windows { return list[:2] })},
		"a second window out of reach": {"second", `Scope of the window "3", which is there, fails`, noScope("3")},

		"an id by the place": {"moves", `the id "1", which the control "File" had before it moved, is now that of another control, or of none`,
			moved(func(list controls) controls { list[0].ID = "110,10"; return list })},
		"a control that is lost": {"moves", `is now that of another control, or of none`, moved(func(list controls) controls { return list[1:] })},
		"an id by the order": {"moves", `is now that of another control, or of none`,
			moved(func(list controls) controls { list[0].ID, list[1].ID = "2", "1"; return list })},
		"an old place": {"moves", `get_ui_tree says that its Bounds are [10 10 40 20] as before`,
			moved(func(list controls) controls { list[0].Bounds[0] = 10; return list })},
		"an old place of the control": {"moves", `get_control returns {"id":"1","name":"File","bounds":[10,10,40,20]} after the control "1" moved`, func(c *crooked) {
			c.AddTools(Tool{Name: desktop.GetControl})
			sees(desktop.GetControl, func(_ *crooked, _ string, v desktop.Control) desktop.Control { v.Bounds[0] = 10; return v })(c)
		}},
		"a control that cannot be asked": {"moves", `"get_control" is listed and cannot be used: desktop: failed: not now`, func(c *crooked) {
			c.AddTools(Tool{Name: desktop.GetControl})
			c.Fail(desktop.GetControl, "not now")
		}},

		"a tree that takes too long": {"large", `get_ui_tree: no answer within 1m0s`,
			everywhere(desktop.GetUITree, func(ctx context.Context, _ *crooked, _ string, res desktop.Result) (desktop.Result, error) {
				var list controls
				_ = res.Decode(&list)
				return res, sleep(ctx, time.Duration(len(idsIn(list)))*time.Second) // each asked for by itself
			})},
		"a tree that is cut off": {"large", "get_ui_tree has 410 controls in the window",
			tree(func(_ *crooked, _ string, list controls) controls { return list[:min(10, len(list))] })},
		"two controls with one id": {"large", `two controls have the id "cell0-7"`, tree(func(_ *crooked, _ string, list controls) controls {
			if len(list) > 2 {
				list[9].Children[3].ID = list[0].Children[7].ID
			}
			return list
		})},
		"ids for some": {"large", `in the window "3": 40 of 2050 controls of get_ui_tree have no id`, tree(func(_ *crooked, _ string, list controls) controls {
			if len(list) > 2 {
				for i := range list[49].Children {
					list[49].Children[i].ID = ""
				}
			}
			return list
		})},
		"a large window out of reach": {"large", `Scope of the window "3", which is there, fails`, noScope("3")},
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, inspect(t, bent(tc.bend), only(tc.check)), map[string]string{tc.check: tc.want})
		})
	}
}

// What the funcs of the options return is looked at, too.
func TestBrokenEvents(t *testing.T) {
	for want, change := range map[string]func(opts *Options){
		"Options.OpenDialog returns no id for any of the 2 windows": func(o *Options) {
			o.OpenDialog = func(desktop.Desktop, string) string { return "" }
		},
		"Options.OpenSecond returns no id for any of the 2 windows": func(o *Options) {
			o.OpenSecond = func(desktop.Desktop, string) string { return "" }
		},
		`the second window of the process has the id of the first, "1"`: func(o *Options) {
			o.OpenSecond = func(_ desktop.Desktop, id string) string { return id }
		},
		`Options.MoveControl returns the control "9", which was not in the window "1" before`: func(o *Options) {
			o.MoveControl = func(desktop.Desktop) (string, string) { return "1", "9" }
		},
		"get_ui_tree has 2 controls in the window": func(o *Options) {
			o.LargeWindow = func(desktop.Desktop) string { return "1" }
		},
		"the code under test panicked: no window": func(o *Options) {
			o.CloseWindow = func(desktop.Desktop, string) { panic("no window") }
		},
	} {
		t.Run(want, func(t *testing.T) {
			opts := options()
			change(opts)
			found := inspect(t, bent(func(*crooked) {}), opts)
			assert.Len(t, found, 1)
			assert.Contains(t, fmt.Sprint(found), want)
		})
	}
}

func (d *Desktop) windowOpen(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.windowByID(id) != nil
}
