package desktoptest_test

import (
	"bytes"
	"context"
	"image/png"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

func TestWindows(t *testing.T) {
	word, excel := wordAndExcel()
	d := desktoptest.New(t, word, excel, &desktoptest.App{Root: "notepad"})
	assert.Equal(t, []desktop.Window{
		{ID: "1", Root: "winword", Process: "report.docx", Title: "report.docx - Word", Focused: true},
		{ID: "2", Root: "excel", Process: "2", Title: "excel"},
	}, windows(t, d))

	got := ok[[]desktop.Window](t, d, desktop.SelectApplicationWindow, params{"id": "2"})
	assert.Equal(t, []desktop.Window{{ID: "2", Root: "excel", Process: "2", Title: "excel", Focused: true}}, got)
	assert.Equal(t, got, ok[[]desktop.Window](t, d, desktop.GetAppWindow, nil))
	assert.Equal(t, desktop.Failure, do(t, d, desktop.SelectApplicationWindow, params{"id": "3"}).Status, "notepad does not run")

	word.ChangeWindow(func(now *desktop.Window) { now.Title = "other" })
	assert.Equal(t, "other", windows(t, d)[0].Title)
	w, shows := word.Window()
	assert.True(t, shows)
	assert.Equal(t, "other", w.Title)
	assert.Equal(t, "report.docx - Word", word.Title, "the script stays")
	assert.Equal(t, "no window has the focus", do(t, desktoptest.New(t), desktop.GetUITree, nil).Error)
}

// A test that guards the day on which package desktop gets a new command.
func TestEveryWellKnownCommandWorks(t *testing.T) {
	given := map[string]params{
		desktop.SelectApplicationWindow: {"id": "1"},
		desktop.LaunchApplication:       {"name": "EXCEL"},
		desktop.CloseApplication:        {"id": "1"},
		desktop.ClickInput:              {"id": "1", "name": "Save"},
		desktop.SetEditText:             {"id": "3", "text": "x"},
		desktop.KeyboardInput:           {"id": "3", "keys": "x"},
		desktop.WheelMouseInput:         {"wheel_dist": 1},
		desktop.Texts:                   {"id": "2"},
		desktop.Wait:                    {"seconds": 0.001},
		desktop.RunShell:                {"bash_command": "ls"},
		desktop.GetControl:              {"id": "3"},
		desktop.DoubleClick:             {"id": "1", "name": "Save"},
		desktop.ClickOnCoordinates:      {"x": 5, "y": 5},
		desktop.DragOnCoordinates:       {"start_x": 5, "start_y": 5, "end_x": 9, "end_y": 9},
	}
	usual, err := desktoptest.New(t).Tools(t.Context())
	require.NoError(t, err)
	require.Len(t, usual, 16)
	every := desktoptest.New(t)
	every.AddTools(extra...)
	tools, err := every.Tools(t.Context())
	require.NoError(t, err)
	require.Len(t, tools, 20)
	for _, tool := range tools {
		t.Run(tool.Name, func(t *testing.T) {
			known, _ := desktop.ToolNamed(tool.Name)
			assert.Equal(t, known, tool)
			word, excel := wordAndExcel()
			word.Tools = nil
			word.Controls[0].Bounds = [4]int{0, 0, 10, 10}
			d := desktoptest.New(t, word, excel)
			d.AddTools(extra...)
			res := do(t, d, tool.Name, given[tool.Name])
			assert.Equal(t, desktop.Success, res.Status, res.Error)
			require.Len(t, d.Log(), 1)
			assert.True(t, d.Log()[0].Executed)
			assert.Equal(t, tool.Annotations.ReadOnlyHint, len(d.Actions()) == 0)
		})
	}
}

func TestLaunch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := &desktoptest.App{Root: "notepad"}
		slow := &desktoptest.App{Root: "excel", LaunchDelay: 3 * time.Second}
		never := &desktoptest.App{Root: "paint", LaunchDelay: -1}
		d := desktoptest.New(t, now, slow, never)
		launch := func(name string) desktop.Result { return do(t, d, desktop.LaunchApplication, params{"name": name}) }

		require.Equal(t, desktop.Success, launch("notepad").Status)
		require.Equal(t, desktop.Success, launch("EXCEL").Status)
		require.Equal(t, "excel is starting", launch("Excel").Content[0].Text, "again while it starts")
		require.Equal(t, desktop.Success, launch("paint").Status)
		assert.Len(t, windows(t, d), 1)
		_, shows := slow.Window()
		assert.False(t, shows)

		time.Sleep(3*time.Second - time.Nanosecond)
		assert.Len(t, windows(t, d), 1)
		time.Sleep(time.Nanosecond)
		assert.Equal(t, []string{"1", "2"}, ids(windows(t, d)))
		assert.True(t, windows(t, d)[1].Focused, "a window that shows takes the focus")
		assert.Equal(t, []desktop.Window{{ID: "1", Root: "notepad", Process: "1", Title: "notepad", Focused: true}},
			ok[[]desktop.Window](t, d, desktop.LaunchApplication, params{"name": "notepad"}), "running: it takes the focus")

		time.Sleep(1000 * time.Hour)
		assert.Len(t, windows(t, d), 2)
		d.Show(never)
		assert.Len(t, windows(t, d), 3)

		res := launch("word")
		assert.Equal(t, desktop.Failure, res.Status)
		assert.Contains(t, res.Error, `"word"`)
	})
}

// Two that come up at the same time take the focus in the order in which they
// show, not in that of the Apps.
func TestLaunchOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := desktoptest.New(t, &desktoptest.App{Root: "late", LaunchDelay: 2 * time.Second}, &desktoptest.App{Root: "soon", LaunchDelay: time.Second})
		do(t, d, desktop.LaunchApplication, params{"name": "late"})
		do(t, d, desktop.LaunchApplication, params{"name": "soon"})
		time.Sleep(time.Minute)
		assert.True(t, windows(t, d)[0].Focused)
	})
}

func TestLaunchWithCommand(t *testing.T) {
	a := &desktoptest.App{Root: "winword", Process: "a"}
	b := &desktoptest.App{Root: "winword", Process: "b", Command: []string{"winword", "b.docx"}}
	c := &desktoptest.App{Root: "winword", Process: "c"}
	d := desktoptest.New(t, a, b, c)
	launch := func(command ...any) string {
		p := params{"name": "winword"}
		if command != nil {
			p["command"] = command
		}
		return ok[[]desktop.Window](t, d, desktop.LaunchApplication, p)[0].Process
	}
	assert.Equal(t, "b", launch("winword", "b.docx"))
	assert.Equal(t, "b", launch("winword", "b.docx"), "it runs already")
	assert.Equal(t, "a", launch("winword", "x.docx"))
	assert.Equal(t, "c", launch(), "a runs")
	assert.Equal(t, "a", launch(), "all run")
}

func TestCloseAndGone(t *testing.T) {
	word, excel := wordAndExcel()
	d := desktoptest.New(t, word, excel)
	scope, err := d.Scope(t.Context(), "1")
	require.NoError(t, err)
	word.ChangeControl("3", func(now *desktop.Control) { now.Value = "Eve" })

	require.Equal(t, desktop.Success, do(t, d, desktop.CloseApplication, params{"id": "1"}).Status)
	assert.Equal(t, []string{"2"}, ids(windows(t, d)))
	assert.Equal(t, desktop.Failure, do(t, d, desktop.CloseApplication, params{"id": "1"}).Status)
	assert.Equal(t, desktop.Failure, do(t, d, desktop.GetAppWindow, nil).Status, "the focus goes to nobody")
	_, shows := word.Window()
	assert.False(t, shows)
	assert.Empty(t, word.Value("3"))

	require.Equal(t, desktop.Success, do(t, d, desktop.LaunchApplication, params{"name": "winword"}).Status)
	w, shows := word.Window()
	assert.True(t, shows)
	assert.Equal(t, "1-2", w.ID, "a new window")
	assert.Equal(t, "Ada", word.Value("3"), "a new start")

	for _, tool := range []string{desktop.GetUITree, "extract_table"} {
		assert.Equal(t, `the window "1" is closed`, do(t, scope, tool, nil).Error)
	}
	assert.NotContains(t, names(t, scope), "extract_table")
	assert.Equal(t, desktop.Success, do(t, scope, desktop.GetDesktopAppInfo, nil).Status, "this needs no window")

	d.Gone(word)
	d.Gone(word)
	assert.Equal(t, []string{"2"}, ids(windows(t, d)))
	d.Show(word)
	assert.Equal(t, []string{"1-3", "2"}, ids(windows(t, d)))
	assert.False(t, windows(t, d)[0].Focused)
}

func TestScope(t *testing.T) {
	word, excel := wordAndExcel()
	d := desktoptest.New(t, word, excel)
	d.AddTools(desktoptest.Tool{Name: "everywhere"})
	inExcel, err := d.Scope(t.Context(), "2")
	require.NoError(t, err)

	assert.Equal(t, "2", ok[[]desktop.Window](t, inExcel, desktop.GetAppWindow, nil)[0].ID)
	assert.Equal(t, "1", ok[[]desktop.Window](t, d, desktop.GetAppWindow, nil)[0].ID)
	assert.Contains(t, names(t, d), "extract_table")
	assert.NotContains(t, names(t, inExcel), "extract_table")
	assert.Contains(t, names(t, inExcel), "everywhere")
	assert.Equal(t, `there is no tool "extract_table"`, do(t, inExcel, "extract_table", nil).Error)
	assert.Len(t, names(t, d), len(names(t, inExcel))+1, "an App's tool takes the place of one of the same name")

	_, err = d.Scope(t.Context(), "9")
	assert.EqualError(t, err, `desktoptest: no such window: "9"`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = d.Scope(ctx, "1")
	assert.ErrorIs(t, err, context.Canceled)

	d.Without(desktop.CaptureDesktopScreenshot, desktop.ListTools)
	assert.NotContains(t, names(t, d), desktop.CaptureDesktopScreenshot)
	assert.Contains(t, names(t, d), desktop.CaptureWindowScreenshot)
	assert.Equal(t, `there is no tool "capture_desktop_screenshot"`, do(t, d, desktop.CaptureDesktopScreenshot, nil).Error)
}

func TestControls(t *testing.T) {
	word, _ := wordAndExcel()
	word.Tools = nil
	d := desktoptest.New(t, word)
	tree := ok[[]desktop.Control](t, d, desktop.GetUITree, nil)
	assert.Equal(t, word.Controls, tree)

	do(t, d, desktop.SetEditText, params{"id": "3", "text": "Grace"})
	do(t, d, desktop.KeyboardInput, params{"id": "3", "keys": " H."})
	do(t, d, desktop.KeyboardInput, params{"id": "3", "keys": "{ENTER}"})
	do(t, d, desktop.KeyboardInput, params{"keys": "^s"})
	assert.Equal(t, "Grace H.", word.Value("3"))
	assert.Equal(t, "Grace H.\na heading", do(t, d, desktop.Texts, params{"id": "2"}).Content[0].Text[len("Body\n"):])
	assert.Equal(t, "Ada", word.Controls[1].Children[0].Value, "the script stays")

	for tool, p := range map[string]params{
		desktop.ClickInput:      {"id": "9"},
		desktop.SetEditText:     {"id": "9", "text": ""},
		desktop.KeyboardInput:   {"id": "9", "keys": "x"},
		desktop.WheelMouseInput: {"id": "9", "wheel_dist": 1},
		desktop.Texts:           {"id": "9"},
	} {
		assert.Equal(t, `the window "1" has no control "9"`, do(t, d, tool, p).Error, tool)
	}

	word.ChangeControl("1", func(now *desktop.Control) { now.Name = "Delete all" })
	res := do(t, d, desktop.ClickInput, params{"id": "1", "name": "Save"})
	assert.Equal(t, `the control "1" is called "Delete all", not "Save"`, res.Error)

	word.SetControls(desktop.Control{ID: "7"})
	assert.Equal(t, []desktop.Control{{ID: "7"}}, ok[[]desktop.Control](t, d, desktop.GetUITree, nil))
	word.SetControls()
	assert.JSONEq(t, "[]", string(do(t, d, desktop.GetUITree, nil).Content[0].JSON))
}

func TestScreenshots(t *testing.T) {
	word, excel := wordAndExcel()
	d := desktoptest.New(t, word, excel)
	shot := func(tool string) []byte {
		img := do(t, d, tool, nil).Content[0].Image
		require.NotNil(t, img)
		assert.Equal(t, "image/png", img.MediaType)
		_, err := png.Decode(bytes.NewReader(img.Data))
		require.NoError(t, err)
		return img.Data
	}
	desk, window := shot(desktop.CaptureDesktopScreenshot), shot(desktop.CaptureWindowScreenshot)
	assert.Equal(t, desk, shot(desktop.CaptureDesktopScreenshot))
	excel.ChangeWindow(func(now *desktop.Window) { now.Title = "new" })
	assert.NotEqual(t, desk, shot(desktop.CaptureDesktopScreenshot))
	assert.Equal(t, window, shot(desktop.CaptureWindowScreenshot))
	word.ChangeControl("3", func(now *desktop.Control) { now.Value = "new" })
	assert.NotEqual(t, window, shot(desktop.CaptureWindowScreenshot))
}

func TestWhatNeverReachesTheDesktop(t *testing.T) {
	d := desktoptest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := d.Execute(ctx, desktop.Command{ToolName: desktop.RunShell})
	require.ErrorIs(t, err, context.Canceled)
	_, err = d.Tools(ctx)
	require.ErrorIs(t, err, context.Canceled)
	_, err = d.Execute(t.Context(), desktop.Command{ToolName: desktop.Wait, Parameters: params{"seconds": math.NaN()}})
	require.ErrorContains(t, err, "desktoptest: the parameters of wait are no JSON")
	_, err = d.Tools(t.Context())
	require.NoError(t, err)
	assert.Empty(t, d.Log(), "a listing is no command")
}
