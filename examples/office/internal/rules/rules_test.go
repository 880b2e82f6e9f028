package rules_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/llm"
)

type sections map[string]string

// ask returns the reply to a prompt as one line: status, act and what it is about.
func ask(t *testing.T, prompt sections) string {
	t.Helper()
	var list []llm.Section
	for name, value := range prompt {
		list = append(list, llm.Section{Name: name, Value: json.RawMessage(value)})
	}
	text, err := llm.Prompt(list...)
	require.NoError(t, err)
	response, err := rules.Model("draw a bar chart of the sales", "/out/sales.xlsx").Complete(t.Context(), &llm.Request{Messages: []llm.Message{
		llm.Text(llm.System, "Status is one of CONTINUE PENDING FINISH ."), llm.Text(llm.User, text),
	}})
	require.NoError(t, err)
	var r struct {
		Status, Function, ControlLabel, Comment string
		Args                                    map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(response.Text), &r))
	for _, about := range []string{"text", "keys", "path", "name"} {
		if v, ok := r.Args[about]; ok {
			raw, err := json.Marshal(v)
			require.NoError(t, err)
			return r.Status + " " + r.Function + " " + string(raw)
		}
	}
	return r.Status + " " + r.Function + r.ControlLabel + r.Comment
}

func TestHost(t *testing.T) {
	t.Parallel()
	const programs = `[{"id": "w", "root": "libreoffice-writer"}, {"id": "c", "root": "libreoffice-calc"}`
	const writer, calc = `{"application": "libreoffice-writer", "status": "FINISH", "reason": "a."}`, `{"application": "libreoffice-calc", "status": "FINISH", "reason": "b."}`
	failed := func(reason string) string {
		return `{"application": "libreoffice-calc", "status": "FAIL", "reason": "` + reason + `"}`
	}
	for name, c := range map[string]struct{ windows, previous, want string }{
		"the table first":       {programs + `]`, `[]`, "ASSIGN w"},
		"then the chart":        {programs + `]`, `[` + writer + `]`, "ASSIGN c"},
		"the newest window":     {programs + `, {"id": "1", "root": "libreoffice-calc", "running": true}, {"id": "2", "root": "libreoffice-calc", "running": true}]`, `[` + writer + `]`, "ASSIGN 2"},
		"a question first":      {programs + `, {"id": "q", "root": "soffice", "running": true}]`, `[]`, "ASSIGN q"},
		"a part again":          {programs + `]`, `[` + writer + `,` + failed("it died") + `]`, "ASSIGN c"},
		"three times":           {programs + `]`, `[` + writer + `,` + failed("it died") + `,` + failed("it died") + `,` + failed("it died") + `]`, "FAIL it died"},
		"not after a no":        {programs + `]`, `[` + writer + `,` + failed("not approved") + `]`, "FAIL not approved"},
		"not what cannot be":    {programs + `]`, `[` + failed("not to be tried again: no table") + `]`, "FAIL no table"},
		"the end":               {programs + `]`, `[` + writer + `,` + calc + `]`, "FINISH a. b."},
		"there is no such part": {`[]`, `[]`, "FAIL there is no libreoffice-writer on this desktop"},
	} {
		assert.Equal(t, c.want, ask(t, sections{"windows": c.windows, "previous_subtasks": c.previous}), name)
	}
}

func TestCalc(t *testing.T) {
	t.Parallel()
	const sheet = `{"id": "t", "type": "table", "name": "Sheet1"}`
	const chart = `{"type": "document frame", "name": "Chart"}`
	dialog := func(inside string) string { return `{"type": "Dialog", "name": "D", "children": [` + inside + `]}` }
	button := func(name string) string { return `{"id": "b", "type": "push button", "name": "` + name + `"}` }
	text := func(name, value string) string {
		return `{"id": "x", "type": "text", "name": "` + name + `", "value": "` + value + `"}`
	}
	act := func(tool, parameters string) string {
		return `{"Function": "` + tool + `", "Args": ` + parameters + `},`
	}
	written := act("write_cells", `{}`)
	selected := written + act("keyboard_input", `{"keys": "^{HOME}+{RIGHT 1}"}`)
	drawn := selected + act("select_menu", `{"path": ["Insert", "Chart"]}`) + act("click_input", `{"name": "Finish"}`)
	inserted := selected + act("select_menu", `{"path": ["Insert", "Chart"]}`)
	wide := `{"title": "T", "range": "A1:D9", "columns": ["C", "D"]}`
	for name, c := range map[string]struct{ title, shown, done, data, want string }{
		"no sheet yet":             {"", "", "", "", "CONTINUE wait"},
		"the cells":                {"", sheet, "", "", "CONTINUE write_cellst"},
		"the selection":            {"", sheet, written, "", `CONTINUE keyboard_input "^{HOME}+{RIGHT 1}+{DOWN 2}"`},
		"the chart":                {"", sheet, selected, "", `CONTINUE select_menu ["Insert","Chart"]`},
		"its dialog comes":         {"", chart, inserted, "", "CONTINUE wait"},
		"a chart that is edited":   {"", chart, drawn, "", `CONTINUE keyboard_input "{ESC 2}"`},
		"the wizard":               {"", dialog(button("Finish") + "," + button("Next >")), inserted, "", `CONTINUE click_input "Next \u003e"`},
		"not all columns":          {"", dialog(button("Finish") + "," + text("Data range", "")), inserted, wide, `CONTINUE set_edit_text "$Sheet1.$A$1:$A$9,$Sheet1.$C$1:$C$9,$Sheet1.$D$1:$D$9"`},
		"the title":                {"", dialog(button("Finish") + "," + text("Title", "")), inserted, "", `CONTINUE set_edit_text "T"`},
		"the end of the wizard":    {"", dialog(button("Finish") + "," + text("Title", "T")), inserted + act("set_edit_text", `{"name": "Title"}`), "", `CONTINUE click_input "Finish"`},
		"save as":                  {"", sheet, drawn, "", `CONTINUE select_menu ["File","Save As"]`},
		"the name":                 {"", dialog(button("Save") + "," + text("Name:", "Untitled")), drawn, "", `CONTINUE set_edit_text "/out/sales.xlsx"`},
		"save":                     {"", dialog(button("Save") + "," + text("Name:", "/out/sales.xlsx")), drawn, "", `CONTINUE click_input "Save"`},
		"the format":               {"", dialog(button("Use Excel 2007–365 Format")), drawn, "", `CONTINUE click_input "Use Excel 2007–365 Format"`},
		"it exists":                {"", dialog(`{"type": "label", "name": "it already exists"},` + button("Replace")), drawn, "", `CONTINUE click_input "Replace"`},
		"a tip of the day":         {"", dialog(button("OK")), "", "", `CONTINUE click_input "OK"`},
		"it is saved":              {"sales.xlsx - Calc", sheet, drawn + act("click_input", `{"name": "Save"}`), "", "FINISH A bar chart of it is in sales.xlsx."},
		"cells that are not empty": {"", sheet, `{"Function": "write_cells", "status": "failure", "error": "the cells are not empty"},`, "", "FAIL not to be tried again: write_cells: the cells are not empty"},
		"nothing from Writer":      {"", sheet, "", "none", "FAIL not to be tried again: there is no table to draw: nothing came from libreoffice-writer"},
	} {
		if c.data == "" {
			c.data = `{"title": "T", "range": "A1:B3", "columns": ["B"], "rows": [["a", "b"]]}`
		}
		done := c.done
		if done != "" {
			done = done[:len(done)-1]
		}
		prompt := sections{
			"application": `{"root": "libreoffice-calc", "title": "` + c.title + `"}`, "subtask": `{"id": "s"}`, "controls": `[` + c.shown + `]`,
			"history": `[{"task": "s", "actions": [` + done + `]}]`,
		}
		if c.data != "none" {
			prompt["previous_subtasks"] = `[{"application": "libreoffice-writer", "status": "FINISH", "data": ` + c.data + `}]`
		}
		assert.Equal(t, c.want, ask(t, prompt), name)
	}
}

func TestWriter(t *testing.T) {
	t.Parallel()
	writer := func(done, answers string) sections {
		return sections{
			"application": `{"root": "libreoffice-writer"}`, "subtask": `{"id": "s"}`, "answers": answers,
			"history": `[{"task": "s", "actions": [` + done + `]}]`,
		}
	}
	const failed = `{"Function": "list_tables", "Args": {"from": 1}, "status": "failure", "error": "it loads"}`
	const two = `{"Function": "list_tables", "output": {"items": [{"number": 1, "title": "Sales 2023", "rows": 1}, {"number": 2, "title": "Sales 2024", "rows": 1}]}}`
	assert.Equal(t, "CONTINUE list_tables", ask(t, writer("", `[]`)))
	assert.Equal(t, "CONTINUE list_tables", ask(t, writer(failed, `[]`)), "the document may load")
	assert.Contains(t, ask(t, writer(failed+","+failed+","+failed+","+failed, `[]`)), "FAIL not to be tried again: it loads")
	assert.Contains(t, ask(t, writer(two, `[]`)), "PENDING")
	assert.Equal(t, "CONTINUE extract_table", ask(t, writer(two, `[{"answer": "that of 2024"}]`)))
	assert.Contains(t, ask(t, writer(two, `[{"answer": "no"}]`)), "FAIL")

	window := sections{"application": `{"root": "soffice"}`, "controls": `[{"id": "b", "type": "push button", "name": "Open Read-Only"}]`}
	assert.Equal(t, `FINISH click_input "Open Read-Only"`, ask(t, window))
}
