package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
)

// saveAs is the dialog that asks for a name.
func saveAs(name string) []desktop.Control {
	return inFront("Save As", control("l", "label", "Name:", ""), control("s", "text", "Search", ""), control("pane", "panel", "", "", control("name", "text", "Name:", name)), button("save", "Save"), button("cancel", "Cancel"))
}

// Calc's agent answers the dialogs on the way to the file.
func TestCalcDialogs(t *testing.T) {
	t.Parallel()
	exists := control("x", "label", "A file named “sales.xlsx” already exists.", "")
	asked := control("x", "label", "", "It already exists. Do you want to overwrite it?")
	format := func(names ...string) (list []desktop.Control) {
		for _, name := range names {
			list = append(list, button(name, name))
		}
		return inFront("Confirm File Format", list...)
	}
	check(t, map[string]step{
		"a name":                   {inCalc(saveAs("Untitled 1")), "CONTINUE", "set_edit_text name /out/sales.xlsx", "It asks for the name."},
		"the name":                 {inCalc(saveAs(out)), "CONTINUE", "click_input save", "The name is there."},
		"told to save":             {inCalc(saveAs(out), clicked("Save")), "CONTINUE", "wait", "It was told to save a moment ago."},
		"told to save, still":      {inCalc(saveAs(out), clicked("Save"), waited, waited, waited, waited), "CONTINUE", "wait", "It was told to save a moment ago."},
		"told to save, no more":    {inCalc(saveAs(out), clicked("Save"), waited, waited, waited, waited, waited), "CONTINUE", "click_input save", "The name is there."},
		"another act since":        {inCalc(saveAs(out), clicked("Save"), saving), "CONTINUE", "click_input save", "The name is there."},
		"another click since":      {inCalc(saveAs(out), clicked("Save"), clicked("OK")), "CONTINUE", "click_input save", "The name is there."},
		"the click has failed":     {inCalc(saveAs(out), failed(desktop.ClickInput, "no")), "CONTINUE", "click_input save", "The name is there."},
		"a name, and no button":    {inCalc(inFront("Save As", control("name", "text", "Name:", out), button("cancel", "Cancel"))), "CONTINUE", "click_input cancel", "in the way"},
		"a file is there":          {inCalc(inFront("Question", exists, button("no", "Cancel"), button("yes", "Replace"))), "CONTINUE", "click_input yes", "already exists"},
		"a file is there, or so":   {inCalc(inFront("Question", asked, button("no", "No"), button("yes", "Yes"))), "CONTINUE", "click_input yes", "already exists"},
		"a file, and no button":    {inCalc(inFront("Question", exists, button("no", "Cancel"))), "CONTINUE", "click_input no", "in the way"},
		"Yes of something else":    {inCalc(inFront("Delete the sheet?", button("yes", "Yes"), button("no", "No"))), "CONTINUE", "click_input no", "in the way"},
		"a format":                 {inCalc(format("Use ODF Format!", "Use Excel 2007–365 Format!")), "CONTINUE", "click_input Use Excel 2007–365 Format!", "It asks for the format."},
		"the format":               {inCalc(format("Use ODF Format!", "Keep Current Format!")), "CONTINUE", "click_input Keep Current Format!", "It asks for the format."},
		"in small letters":         {inCalc(format("use excel 2007")), "CONTINUE", "click_input use excel 2007", "It asks for the format."},
		"a dialog before the data": {inCalc(inFront("Tip of the Day", button("ok", "OK"))), "CONTINUE", "click_input ok", "The dialog Tip of the Day is in the way."},
	})
}

// A chart of columns that are not the first ones is told so on the second page, and its title on the last one.
func TestCalcWizard(t *testing.T) {
	t.Parallel()
	const (
		some = `{"range": "A1:D5", "columns": ["B", "D"], "rows": []}`
		wide = `{"range": "A1:AC5", "columns": ["B", "AB"], "rows": []}`
		span = "$Sheet1.$A$1:$A$5,$Sheet1.$B$1:$B$5,$Sheet1.$D$1:$D$5"
	)
	const oneRow = `{"range": "A1:C2", "columns": ["B", "C"], "rows": []}`
	checked := control("series", "radio button", "Data series in columns", "")
	checked.State = []string{"checked"}
	first := inFront("Chart Type", button("next", "Next >"), button("finish", "Finish"), button("cancel", "Cancel"))
	second := func(span string) []desktop.Control {
		return inFront("Data Range", control("l", "label", "Data range", ""), control("t", "text", "Title", ""), control("field", "text", "Data range", span), button("finish", "Finish"))
	}
	without := inFront("Chart Type", button("finish", "Finish"), button("cancel", "Cancel"))
	last := inFront("Chart Elements", control("head", "text", "Title", ""), control("sub", "text", "Subtitle", ""), button("next", "Next >"), button("finish", "Finish"))
	const (
		long        = `{"$ref": "subtask_result_1.data", "head": "{", "bytes": 9000}`
		later, done = "A later page has what the chart is to show.", "The chart is as it is to be."
	)
	none := `{"range": "A1:D5", "columns": null, "rows": []}`
	check(t, map[string]step{
		"a title":           {inCalc(first), "CONTINUE", "click_input next", later},
		"no page for it":    {inCalc(without), "CONTINUE", "click_input finish", done},
		"the third page":    {inCalc(inFront("Data Series", button("next", "Next >"), button("finish", "Finish"))), "CONTINUE", "click_input next", later},
		"the last page":     {inCalc(last), "CONTINUE", "set_edit_text head Sales", "The chart is to have a title."},
		"a long table":      {drawing(long, last), "CONTINUE", "set_edit_text head map[$ref:subtask_result_1.data.title]", "title"},
		"it has its title":  {inCalc(last, did(desktop.SetEditText, `{"id":"head","name":"Title","text":"Sales"}`)), "CONTINUE", "click_input finish", done},
		"it takes no title": {inCalc(last, failed(desktop.SetEditText, "busy")), "CONTINUE", "click_input finish", done},
		"no title":          {drawing(none, last), "CONTINUE", "click_input finish", done},
		"an empty title":    {drawing(`{"title": "", "range": "A1:B5", "columns": ["B"]}`, first), "CONTINUE", "click_input finish", done},
		"the first columns": {drawing(`{"range": "A1:B5", "columns": ["B"]}`, first), "CONTINUE", "click_input finish", done},
		"none is named":     {drawing(none, first), "CONTINUE", "click_input finish", done},
		"others":            {drawing(some, first), "CONTINUE", "click_input next", later},
		"the second page":   {drawing(some, second("$Sheet1.$A$1:$D$5")), "CONTINUE", "set_edit_text field " + span, "Not all columns are to be drawn."},
		"they are chosen":   {drawing(some, second(span)), "CONTINUE", "click_input finish", done},
		"no second page":    {drawing(some, without), "CONTINUE", "click_input cancel", "in the way"},
		"one row":           {drawing(oneRow, first), "CONTINUE", "click_input next", later},
		"one row on the second page": {
			drawing(oneRow, inFront("Data Range", control("series", "radio button", "Data series in columns", ""), control("field", "text", "Data range", ""), button("finish", "Finish"))),
			"CONTINUE", "click_input series", "Each column is to be a series.",
		},
		"one row that is a series in each column": {
			drawing(oneRow, inFront("Data Range", checked, control("field", "text", "Data range", ""), button("finish", "Finish"))), "CONTINUE", "click_input finish", done,
		},
		"fewer rows than columns": {drawing(`{"range": "A1:D3", "columns": ["B", "C", "D"], "rows": []}`, first), "CONTINUE", "click_input next", ""},
		"as many":                 {drawing(`{"range": "A1:D4", "columns": ["B", "C", "D"], "rows": []}`, first), "CONTINUE", "click_input finish", ""},
		"columns behind Z": {
			drawing(wide, second("")), "CONTINUE", "set_edit_text field $Sheet1.$A$1:$A$5,$Sheet1.$B$1:$B$5,$Sheet1.$AB$1:$AB$5", "Not all columns",
		},
	})
}

// A window that asks something before a program comes up is answered once.
func TestQuestions(t *testing.T) {
	t.Parallel()
	inUse := []desktop.Control{control("a", "alert", "Document in Use", "", button("copy", "Open Copy"), button("read", "Open Read-Only"), button("ok", "OK"))}
	ask1 := func(controls []desktop.Control, acts ...string) sections { return app("soffice", controls, acts...) }
	check(t, map[string]step{
		"in use":          {ask1(inUse), "FINISH", "click_input read", "answered: Open Read-Only"},
		"recovery":        {ask1([]desktop.Control{button("d", "Discard All"), button("ok", "OK")}), "FINISH", "click_input d", "answered: Discard All"},
		"nothing special": {ask1([]desktop.Control{button("c", "Close")}), "FINISH", "click_input c", "answered: Close"},
		"no button":       {ask1(nil), "CONTINUE", "wait", "Nobody knows what it asks."},
		"none that helps": {ask1([]desktop.Control{button("x", "Format the disk")}, times(25, waited)...), "FAIL", "", "Nobody knows what it asks. It stays so."},
		"it is answered":  {ask1(inUse, clicked("Open Read-Only")), "FINISH", "", "it is answered"},
	})
}

// What is clicked is said by its name, too: policies know controls by that.
func TestClicksAreNamed(t *testing.T) {
	t.Parallel()
	d := ask[reply.App](t, inCalc(saveAs(out)))
	assert.Equal(t, map[string]any{"id": "save", "name": "Save"}, d.Args)
	assert.Equal(t, "Save", d.ControlText)
	d = ask[reply.App](t, inCalc(saveAs("")))
	assert.Equal(t, map[string]any{"id": "name", "name": "Name:", "text": out}, d.Args)
}
