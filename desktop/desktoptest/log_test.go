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
	d.Break(desktop.SetEditText, errBroken).Late().Times(1)
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
typo {"x":"y"} in winword/report.docx: failure: there is no tool "typo"
set_edit_text {"id":"3","text":"Eve"} in winword/report.docx: error: the transport is broken (but executed)
set_edit_text {"id":"3","text":"Eve"} in winword/report.docx: success (but not executed)
set_edit_text {"id":"3","text":"Eve"} in winword/report.docx: skipped
close_application {"id":"2"} in excel/2: success
`, transcript(d))

	assert.Len(t, d.Log(), 8)
	assert.Len(t, d.Actions(), 7, "the window list is no action")
	assert.Len(t, d.Calls(desktop.SetEditText), 3)
	assert.Empty(t, d.Calls(desktop.RunShell))
	assert.Equal(t, "c", d.Calls("login")[0].Command.CallID)
	assert.Equal(t, "report.docx", d.Calls("login")[0].Window.Process)
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
	used := &desktoptest.App{Root: "used"}
	desktoptest.New(t, used)
	noop := func(context.Context, desktoptest.Call) (any, error) { return nil, nil }
	app := func(tb testing.TB, a *desktoptest.App) *desktoptest.App { desktoptest.New(tb, a); return a }
	tool := func(tb testing.TB, t ...desktoptest.Tool) { app(tb, &desktoptest.App{Root: "a", Tools: t}) }
	for want, do := range map[string]func(tb testing.TB){
		`the App "x" (): it has no Root`: func(tb testing.TB) { app(tb, &desktoptest.App{Title: "x"}) },
		`another one has the id "2"`: func(tb testing.TB) {
			desktoptest.New(tb, &desktoptest.App{Root: "a", ID: "2"}, &desktoptest.App{Root: "b"})
		},
		"in a desktop already":           func(tb testing.TB) { desktoptest.New(tb, used) },
		`desktoptest: desktop: tool "x"`: func(tb testing.TB) { tool(tb, desktoptest.Tool{Name: "x", Schema: `{"type":`}) },
		"both Returns and Run":           func(tb testing.TB) { tool(tb, desktoptest.Tool{Name: "x", Returns: 1, Run: noop}) },
		"what tool x returns": func(tb testing.TB) {
			desktoptest.New(tb).AddTools(desktoptest.Tool{Name: "x", Returns: make(chan int)})
		},
		`a rule is for the tool "clik", which nothing offers`: func(tb testing.TB) { desktoptest.New(tb).Fail("clik", "x") },
		`Without: there is no tool "clik"`:                    func(tb testing.TB) { desktoptest.New(tb).Without("clik") },
		"a has no window now": func(tb testing.TB) {
			app(tb, &desktoptest.App{Root: "a"}).ChangeWindow(func(now *desktop.Window) { now.Title = "x" })
		},
		`the window of a has no control "3"`: func(tb testing.TB) {
			app(tb, &desktoptest.App{Root: "a", Running: true}).ChangeControl("3", func(now *desktop.Control) { now.Name = "x" })
		},
	} {
		t.Run(want, func(t *testing.T) {
			tb := &spy{TB: t}
			func() {
				defer func() {
					if r := recover(); r != nil {
						require.Same(t, tb, r)
					}
				}()
				do(tb)
			}()
			require.Len(t, tb.said, 1)
			assert.Contains(t, tb.said[0], want)

			defer func() {
				require.Contains(t, fmt.Sprint(recover()), want, "without a test it panics")
			}()
			do(nil)
		})
	}
}

func TestAnAppOfNoDesktopPanics(t *testing.T) {
	assert.Panics(t, func() { desktoptest.New(t).Gone(&desktoptest.App{Root: "stray"}) })
	assert.Panics(t, func() { (&desktoptest.App{Root: "stray"}).ChangeWindow(func(*desktop.Window) {}) })
}
