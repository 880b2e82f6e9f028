package desktoptest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

func TestLog(t *testing.T) {
	word, excel := wordAndExcel()
	d := desktoptest.New(t, word, excel)
	d.AddTools(desktoptest.Tool{Name: "login", Schema: `{"type":"object","properties":{"password":{"type":"string","writeOnly":true},"user":{"type":"string"}}}`})

	do(t, d, desktop.GetDesktopAppInfo, nil)
	do(t, d, "login", params{"user": "<ada>", "password": "hunter2"})
	do(t, d, desktop.ClickInput, params{"id": "9"})
	do(t, d, "typo", params{"x": "y"})
	d.Break(desktop.SetEditText, nil).Late().Times(1)
	_, err := d.Execute(t.Context(), setEve)
	require.Error(t, err)
	d.Lie(desktop.SetEditText, desktop.TextResult("typed")).Times(1)
	_, err = d.Execute(t.Context(), setEve)
	require.NoError(t, err)
	d.Lie(desktop.SetEditText, desktop.Result{Status: desktop.Skipped}).Times(1)
	_, err = d.Execute(t.Context(), setEve)
	require.NoError(t, err)
	do(t, d, desktop.CloseApplication, params{"id": "2"})

	assert.Equal(t, `get_desktop_app_info {}: success
login {"password":"***","user":"<ada>"} in winword/report.docx: success
click_input {"id":"9"} in winword/report.docx: failure: the window "1" has no control "9"
typo {"x":"***"} in winword/report.docx: failure: there is no tool "typo"
set_edit_text {"id":"3","text":"Eve"} in winword/report.docx: error: desktoptest: the transport is broken (but executed)
set_edit_text {"id":"3","text":"Eve"} in winword/report.docx: success (but not executed)
set_edit_text {"id":"3","text":"Eve"} in winword/report.docx: skipped
close_application {"id":"2"} in excel/2: success
`, transcript(d))

	assert.Len(t, d.Log(), 8)
	assert.Len(t, d.Actions(), 7, "the window list is no action")
	assert.Len(t, d.Calls(desktop.SetEditText), 3)
	assert.Empty(t, d.Calls(desktop.RunShell))
	assert.Equal(t, "hunter2", d.Calls("login")[0].Command.Parameters["password"], "a test can see it")
	assert.Equal(t, "c", d.Calls("login")[0].Command.CallID)
	assert.Equal(t, "report.docx", d.Calls("login")[0].Window.Process)

	d.Log()[1].Command.Parameters["user"] = "changed"
	assert.Equal(t, "<ada>", d.Log()[1].Command.Parameters["user"])
}

// spy is a testing.TB that keeps what it is told. Fatalf stops as the real one
// does, by a panic that the test catches.
type spy struct {
	testing.TB
	said []string
}

func (s *spy) Helper() {}
func (s *spy) Errorf(format string, args ...any) {
	s.said = append(s.said, fmt.Sprintf(format, args...))
}
func (s *spy) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	panic(s)
}

// A script that cannot work says so, instead of making a test that passes for
// nothing.
func TestMisuse(t *testing.T) {
	type app = desktoptest.App
	used := &app{Root: "used"}
	desktoptest.New(t, used)
	noop := func(context.Context, desktoptest.Call) (any, error) { return nil, nil }
	for _, tc := range []struct {
		name string
		do   func(tb testing.TB)
		want string
	}{
		{"nil App", func(tb testing.TB) { desktoptest.New(tb, nil) }, "nil App"},
		{"no Root", func(tb testing.TB) { desktoptest.New(tb, &app{Title: "x"}) }, `the title "x" has no Root`},
		{"same id", func(tb testing.TB) { desktoptest.New(tb, &app{Root: "a", ID: "2"}, &app{Root: "b"}) }, `the same id "2"`},
		{"used twice", func(tb testing.TB) { desktoptest.New(tb, used) }, "in a desktop already"},
		{"bad schema", func(tb testing.TB) {
			desktoptest.New(tb, &app{Root: "a", Tools: []desktoptest.Tool{{Name: "x", Schema: `{"type":`}}})
		}, "desktoptest: desktop: tool x"},
		{"two results", func(tb testing.TB) {
			desktoptest.New(tb).AddTools(desktoptest.Tool{Name: "x", Returns: 1, Run: noop})
		}, "both Returns and Run"},
		{"no result", func(tb testing.TB) {
			desktoptest.New(tb).AddTools(desktoptest.Tool{Name: "x", Returns: make(chan int)})
		}, "what tool x returns"},
		{"same tool", func(tb testing.TB) {
			desktoptest.New(tb, &app{Root: "a", Tools: []desktoptest.Tool{{Name: "x"}, {Name: "x"}}})
		}, `called "x"`},
		{"misspelt fault", func(tb testing.TB) { desktoptest.New(tb).Fail("clik", "x") }, `Fail: there is no tool "clik"`},
		{"misspelt tool", func(tb testing.TB) { desktoptest.New(tb).Without("clik") }, `Without: there is no tool "clik"`},
		{"no window", func(tb testing.TB) {
			a := &app{Root: "a"}
			desktoptest.New(tb, a)
			a.ChangeWindow(func(now *desktop.Window) { now.Title = "x" })
		}, "ChangeWindow: a has no window now"},
		{"no control", func(tb testing.TB) {
			a := &app{Root: "a", Running: true}
			desktoptest.New(tb, a)
			a.ChangeControl("3", func(now *desktop.Control) { now.Name = "x" })
		}, `ChangeControl: the window of a has no control "3"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tb := &spy{TB: t}
			func() {
				defer func() {
					if r := recover(); r != nil {
						require.Same(t, tb, r)
					}
				}()
				tc.do(tb)
			}()
			require.Len(t, tb.said, 1)
			assert.Contains(t, tb.said[0], tc.want)

			defer func() {
				require.Contains(t, fmt.Sprint(recover()), tc.want, "without a test it panics")
			}()
			tc.do(nil)
		})
	}
}

func TestAnAppOfNoDesktopPanics(t *testing.T) {
	assert.Panics(t, func() { desktoptest.New(t).Gone(&desktoptest.App{Root: "stray"}) })
	assert.Panics(t, func() { (&desktoptest.App{Root: "stray"}).ChangeWindow(func(*desktop.Window) {}) })
}
