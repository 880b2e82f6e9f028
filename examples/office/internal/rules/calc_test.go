package rules_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
)

const (
	data = `{"table": 1, "title": "Sales", "rows": [["Region", "2024"], ["North", 4.50], ["South", 7]], "range": "A1:B3", "columns": ["B"]}`
	keys = "^{HOME}+{RIGHT 1}+{DOWN 2}"
)

// sheet is a window with an empty sheet.
var sheet = []desktop.Control{control("bar", "tool bar", "Standard", ""), control("doc", "document spreadsheet", "", "", control("sheet", "table", "Sheet1", ""))}

// inCalc is the prompt of the agent in Calc, with what came from Writer.
func inCalc(controls []desktop.Control, acts ...string) sections {
	return drawing(data, controls, acts...)
}

func drawing(data string, controls []desktop.Control, acts ...string) sections {
	previous := `[{"application": "libreoffice-writer", "status": "FINISH", "data": {"rows": [["old"]]}},
		{"application": "libreoffice-writer", "status": "FINISH", "data": ` + data + `},
		{"application": "libreoffice-writer", "status": "FAIL", "data": {"rows": [["failed"]]}},
		{"application": "libreoffice-calc", "status": "FINISH", "data": {"rows": [["other"]]}}]`
	return app(rules.Calc, controls, acts...).with("previous_subtasks", raw(previous))
}

// The acts on the way to a chart that is saved.
var (
	wrote    = did("write_cells", `{"id":"sheet"}`)
	selected = did(desktop.KeyboardInput, `{"id":"sheet","keys":"`+keys+`"}`)
	inserted = did(desktop.SelectMenu, `{"path":["Insert","Chart"]}`)
	left     = did(desktop.KeyboardInput, `{"keys":"{ESC 2}"}`)
	saving   = did(desktop.SelectMenu, `{"path":["File","Save As"]}`)
)

func TestCalc(t *testing.T) {
	t.Parallel()
	edited := append([]desktop.Control{control("frame", "document frame", "Chart", "")}, sheet...)
	embedded := append([]desktop.Control{control("frame", "document frame", "Picture", ""), control("c", "label", "Chart", "")}, sheet...)
	done := []string{wrote, selected, inserted, clicked("Finish"), left, saving, clicked("Save")}
	titled := func(title string, acts ...string) sections {
		return inCalc(sheet, acts...).with("application", desktop.Window{Root: rules.Calc, Title: title})
	}
	check(t, map[string]step{
		"no table came":          {app(rules.Calc, sheet), "FAIL", "", "not to be tried again: there is no table to draw: nothing came from libreoffice-writer"},
		"no sheet":               {inCalc(nil), "CONTINUE", "wait", "There is no sheet yet."},
		"no sheet comes":         {inCalc(nil, times(25, waited)...), "FAIL", "", "There is no sheet yet. It stays so."},
		"another table":          {inCalc([]desktop.Control{control("t", "table", "Styles", "")}), "CONTINUE", "wait", "There is no sheet yet."},
		"an empty sheet":         {inCalc(sheet), "CONTINUE", "write_cells sheet", "The sheet is empty."},
		"written":                {inCalc(sheet, wrote), "CONTINUE", "keyboard_input sheet " + keys, "The cells are written."},
		"not written":            {inCalc(sheet, failed("write_cells", "busy")), "CONTINUE", "write_cells sheet", "The sheet is empty."},
		"selected":               {inCalc(sheet, wrote, selected), "CONTINUE", "select_menu [Insert Chart]", "selected"},
		"inserted, and no more":  {inCalc(sheet, wrote, selected, inserted), "CONTINUE", "select_menu [Insert Chart]", "selected"},
		"it is edited":           {inCalc(edited, done[:4]...), "CONTINUE", "keyboard_input {ESC 2}", "being edited"},
		"its dialog comes":       {inCalc(edited, done[:3]...), "CONTINUE", "wait", "its dialog comes"},
		"its dialog takes time":  {inCalc(edited, append(done[:3:3], times(8, waited)...)...), "CONTINUE", "wait", "its dialog comes"},
		"edited, nobody clicked": {inCalc(edited, append(done[:3:3], times(9, waited)...)...), "CONTINUE", "keyboard_input {ESC 2}", "being edited"},
		"what is no chart":       {inCalc(embedded, wrote), "CONTINUE", "keyboard_input sheet " + keys, "The cells are written."},
		"drawn":                  {inCalc(sheet, done[:4]...), "CONTINUE", "select_menu [File Save As]", "The chart is there."},
		"left":                   {inCalc(sheet, wrote, selected, inserted, left), "CONTINUE", "select_menu [File Save As]", "The chart is there."},
		"saved, not shown":       {inCalc(sheet, done...), "CONTINUE", "wait", "It was saved a moment ago."},
		"saved":                  {titled("sales.xlsx — LibreOffice Calc", done...), "FINISH", "", "A bar chart of it is in sales.xlsx."},
		"its name, not saved":    {titled("sales.xlsx — LibreOffice Calc", done[:6]...), "CONTINUE", "select_menu [File Save As]", "The chart is there."},
		"another name":           {titled("Untitled of sales.xlsx", done...), "CONTINUE", "wait", "It was saved a moment ago."},
		"another sub-task's":     {inCalc(sheet, wrote).with("subtask", raw(`{"id": "s2"}`)), "CONTINUE", "write_cells sheet", "The sheet is empty."},
		"put off for approval":   {inCalc(sheet, `{"Function": "write_cells", "status": "skipped"}`), "CONTINUE", "write_cells sheet", "The sheet is empty."},
	})
	d := ask[reply.App](t, titled("sales.xlsx", done...))
	assert.JSONEq(t, `{"file": "/out/sales.xlsx"}`, string(d.Result))
	assert.Equal(t, "sheet", ask[reply.App](t, inCalc(sheet, wrote)).Args["id"], "the keys are for the sheet")
}

// Cells are written as Writer's agent has handed them on.
func TestCalcWrites(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		data: `{"id": "sheet", "rows": [["Region", "2024"], ["North", 4.50], ["South", 7]]}`,
		`{"$ref": "subtask_result_1.data", "head": "{", "bytes": 9000}`: `{"id": "sheet", "rows": {"$ref": "subtask_result_1.data.rows"}}`,
	} {
		args, err := json.Marshal(ask[reply.App](t, drawing(data, sheet)).Args)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(args))
	}
}

// What is selected follows from the range and its columns, of a long table from the head that a prompt shows.
func TestCalcSelects(t *testing.T) {
	t.Parallel()
	table := func(span, columns string) string {
		return fmt.Sprintf(`{"range": %q, "columns": %s, "rows": []}`, span, columns)
	}
	long := func(head string) string { return fmt.Sprintf(`{"$ref": "r", "head": %q, "bytes": 9000}`, head) }
	for name, c := range map[string]struct{ data, keys string }{
		"all":                  {table("A1:C13", `["B","C"]`), "^{HOME}+{RIGHT 2}+{DOWN 12}"},
		"the first column":     {table("A1:D5", `["B"]`), "^{HOME}+{RIGHT 1}+{DOWN 4}"},
		"others":               {table("A1:D5", `["B","D"]`), "^{HOME}+{RIGHT 3}+{DOWN 4}"},
		"none is named":        {table("A1:D5", `null`), "^{HOME}+{RIGHT 3}+{DOWN 4}"},
		"columns behind Z":     {table("A1:AC5", `["B","AB"]`), "^{HOME}+{RIGHT 28}+{DOWN 4}"},
		"one row":              {table("A1:B2", `["B"]`), "^{HOME}+{RIGHT 1}+{DOWN 1}"},
		"a cell":               {table("B9", `["B"]`), "^{HOME}^+{END}"},
		"no rows":              {table("A1:B1", `["B"]`), "^{HOME}^+{END}"},
		"no range":             {table("", `["B"]`), "^{HOME}^+{END}"},
		"a range that is none": {table("B2:C9", `["B"]`), "^{HOME}^+{END}"},
		"a head":               {long(`{"columns":["B","C"],"formats":["","0"],"range":"A1:E61","rows":[["x"`), "^{HOME}+{RIGHT 2}+{DOWN 60}"},
		"a head, others":       {long(`{"columns":["C","E"],"formats":[],"range":"A1:E61","rows":[["x"`), "^{HOME}+{RIGHT 4}+{DOWN 60}"},
		"a head without one":   {long(`{"rows":[["x"`), "^{HOME}^+{END}"},
	} {
		assert.Equal(t, "keyboard_input sheet "+c.keys, call(ask[reply.App](t, drawing(c.data, sheet, wrote))), name)
	}
}

// An act that fails is done again, up to four times in a row.
func TestCalcFailures(t *testing.T) {
	t.Parallel()
	busy := failed("write_cells", "the window is busy")
	check(t, map[string]step{
		"three":                 {inCalc(sheet, times(3, busy)...), "CONTINUE", "write_cells sheet", "The sheet is empty."},
		"four":                  {inCalc(sheet, times(4, busy)...), "FAIL", "", "write_cells: the window is busy"},
		"waits between":         {inCalc(sheet, busy, busy, waited, busy, waited, busy, waited), "FAIL", "", "write_cells: the window is busy"},
		"a success between":     {inCalc(sheet, busy, busy, wrote, busy, busy), "CONTINUE", "keyboard_input sheet " + keys, ""},
		"nobody knows of them":  {inCalc(sheet, times(5, failed("write_cells", unknown))...), "CONTINUE", "write_cells sheet", ""},
		"cells that are other":  {inCalc(sheet, failed("write_cells", `1 cells hold something else than what was written: A2 holds "4"`)), "FAIL", "", "not to be tried again: write_cells: 1 cells hold something else"},
		"other cells, long ago": {inCalc(sheet, failed("write_cells", "1 cells hold something else"), wrote), "FAIL", "", "hold something else"},
	})
}
