package desktoptest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

// saveAs is Word with a modal dialog, which has a pop-up of its own.
func saveAs(t *testing.T) (d *desktoptest.Desktop, word, dialog, list *desktoptest.App) {
	word, excel := wordAndExcel()
	word.Tools = nil
	dialog = &desktoptest.App{ID: "d", Owner: word, Modal: true, Title: "Save as", Description: "asks for a name",
		Controls: []desktop.Control{{ID: "name", Name: "Name", Type: "Edit"}, {ID: "ok", Name: "OK", Type: "Button", Bounds: [4]int{0, 0, 20, 20}}}}
	list = &desktoptest.App{ID: "l", Owner: dialog, Title: "Folders", Controls: []desktop.Control{{ID: "home", Name: "Home", Type: "ListItem"}}}
	d = desktoptest.New(t, word, excel, dialog, list)
	d.AddTools(extra...)
	return d, word, dialog, list
}

func TestADialogBelongsToItsWindow(t *testing.T) {
	d, word, dialog, list := saveAs(t)
	inWord, err := d.Scope(t.Context(), "1")
	require.NoError(t, err)
	inExcel, err := d.Scope(t.Context(), "2")
	require.NoError(t, err)
	alone := ok[[]desktop.Control](t, inWord, desktop.GetUITree, nil)

	d.Show(dialog)
	d.Show(list)
	save := desktop.Window{ID: "d", Root: "winword", Process: "report.docx", Title: "Save as", Owner: "1", Description: "asks for a name"}
	folders := desktop.Window{ID: "l", Root: "winword", Process: "report.docx", Title: "Folders", Owner: "d", Focused: true}
	report := desktop.Window{ID: "1", Root: "winword", Process: "report.docx", Title: "report.docx - Word"}
	excel := desktop.Window{ID: "2", Root: "excel", Process: "2", Title: "excel"}
	assert.Equal(t, []desktop.Window{report, excel, save, folders}, windows(t, d), "the list has them all; the last that opened takes the keys")
	own := report
	own.Dialog = "d"
	assert.Equal(t, []desktop.Window{own, save, folders}, ok[[]desktop.Window](t, inWord, desktop.GetAppWindow, nil))
	assert.Equal(t, []desktop.Window{excel}, ok[[]desktop.Window](t, inExcel, desktop.GetAppWindow, nil))

	tree := ok[[]desktop.Control](t, inWord, desktop.GetUITree, nil)
	require.Len(t, tree, 2+len(alone))
	assert.Equal(t, "Save as", tree[0].Name)
	assert.Equal(t, dialog.Controls, tree[0].Children)
	assert.Equal(t, list.Controls, tree[1].Children)
	assert.Equal(t, alone, tree[2:])

	const inFront = `the dialog "Save as" is in front of the window and takes its input`
	for tool, p := range map[string]params{
		desktop.ClickInput:    {"id": "1"},
		desktop.SetEditText:   {"id": "3", "text": "Eve"},
		desktop.KeyboardInput: {"id": "3", "keys": "Eve"},
	} {
		assert.Equal(t, inFront, do(t, inWord, tool, p).Error, tool)
	}
	assert.Equal(t, "Ada", word.Value("3"))
	assert.Equal(t, desktop.Success, do(t, inWord, desktop.SetEditText, params{"id": "name", "text": "b.docx"}).Status)
	assert.Equal(t, "b.docx", dialog.Value("name"))
	assert.Equal(t, "b.docx", ok[desktop.Control](t, inWord, desktop.GetControl, params{"id": "name"}).Value)

	d.Gone(dialog)
	report.Focused = true
	assert.Equal(t, []desktop.Window{report, excel}, windows(t, d), "what the dialog owns closes with it")
	assert.Equal(t, alone, ok[[]desktop.Control](t, inWord, desktop.GetUITree, nil))
	assert.Equal(t, desktop.Success, do(t, inWord, desktop.ClickInput, params{"id": "1"}).Status)
	d.Show(dialog)
	d.Gone(word)
	assert.Equal(t, []desktop.Window{excel}, windows(t, d))
}

func TestAClosedWindowIsGone(t *testing.T) {
	d, word, _, _ := saveAs(t)
	inWord, err := d.Scope(t.Context(), "1")
	require.NoError(t, err)
	d.Gone(word)
	for _, tool := range []string{desktop.GetAppWindow, desktop.GetUITree, desktop.CaptureWindowScreenshot} {
		res, err := desktop.Execute(t.Context(), inWord, desktop.Command{ToolName: tool})
		require.NoError(t, err)
		assert.True(t, res.Gone, tool)
		assert.ErrorIs(t, res.Err(), desktop.ErrWindowGone, tool)
	}
	assert.False(t, do(t, d, desktop.GetUITree, nil).Gone, "no window was closed: none has the focus")
}
