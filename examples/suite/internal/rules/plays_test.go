package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
)

// The windows that the plays meet. Beside what a play needs there is what it must not take.
var (
	off     = desktop.Control{ID: "off", Type: "text", State: []string{"disabled"}}
	display = desktop.Control{ID: "d", Type: "text", Value: "800"}
	editor  = []desktop.Control{
		control("bar", "menu bar", "", control("f", "menu", "File")), off, control("page", "text", "notes.txt"),
		control("dialog", "Dialog", "Save As", control("name", "text", "Name:"), control("cancel", "push button", "Cancel"), control("save", "push button", "Save")),
	}
	replacing = []desktop.Control{
		control("page", "text", ""), control("tick", "check box", "Match case"), control("dialog", "Dialog", "Find and Replace",
			control("box", "panel", "", control("from", "text", "")), off, control("to", "text", ""), control("all", "check box", "Replace all in:"),
			control("replace", "push button", "Replace"), control("close", "push button", "Close")),
	}
	files = []desktop.Control{
		control("path", "tool bar", ""), control("new", "text", "New name"),
		control("dialog", "Dialog", "", control("pattern", "text", "Pattern:"), control("select", "push button", "Select"), control("create", "push button", "Create"), control("rename", "push button", "Rename")),
	}
	form   = []desktop.Control{control("url", "entry", "Address or Name"), control("n", "entry", "Name"), control("a", "entry", "Amount"), control("s", "push button", "Send")}
	writer = []desktop.Control{
		control("doc", "document text", "sea", control("h", "heading", "The sea")),
		control("tab", "panel", "Search For"), control("search", "panel", "Search For", control("box", "panel", "", control("red", "text", ""))),
		control("new", "panel", "Replace With", control("blue", "text", "")),
		control("one", "push button", "Replace"), control("all", "push button", "Replace All"), control("close", "push button", "Close"),
		control("dialog", "Dialog", "Export", control("name", "text", "Name"), control("export", "push button", "Export")),
	}
	calc = []desktop.Control{control("line", "text", "Input line"), control("sheet", "table", "Sheet Sheet1")}
)

// What the plays do in each window, if all goes well, and what they hand on.
func TestPlays(t *testing.T) {
	for name, c := range map[string]struct {
		task   string
		window window
		acts   []string
		result string // "": nothing is handed on
	}{
		"calculator":        {"calculator", window{root: "galculator", controls: []desktop.Control{off, display}}, []string{"keyboard_input 12.5*64{ENTER}"}, `"800"`},
		"calculator, file":  {"calculator", window{root: "mousepad", controls: editor, previous: `[{"status": "FINISH", "data": "800"}]`}, []string{"set_edit_text page 800", `select_menu "File > Save"`, "wait_for * gone"}, ""},
		"calculator, a sum": {"calculator", window{root: "mousepad", controls: editor, previous: `[{"status": "FINISH", "data": 7}]`}, []string{"set_edit_text page 7", `select_menu "File > Save"`, "wait_for * gone"}, ""},
		"letters":           {"letters", window{root: "mousepad", controls: editor}, []string{"set_edit_text page Grüße, 世界 → Ω", `select_menu "File > Save As"`, "set_edit_text name dir/letters.txt", "click_input save", "wait_for letters.txt"}, ""},
		"folder":            {"folder", window{root: "thunar", controls: files}, []string{`select_menu "File > Create Folder"`, "set_edit_text new Reports", "click_input create"}, ""},
		"form":              {"form", window{root: "chromium", controls: form}, []string{"set_edit_text n Ada Jansen", "set_edit_text a 42", "click_input s", "wait_for Thank you"}, ""},
		"heading":           {"heading", window{root: "libreoffice-writer", controls: writer}, []string{"click_input h", `select_menu "Format > Align Text > Centered"`, "keyboard_input ^s", "wait 1"}, ""},
		"word":              {"word", window{root: "libreoffice-writer", controls: writer}, []string{"keyboard_input doc ^h", "keyboard_input red ^ared", "keyboard_input blue ^ablue", "click_input all", "click_input close", "keyboard_input ^s", "wait 1"}, ""},
		"sum":               {"sum", window{root: "libreoffice-calc", controls: calc}, []string{"click_input sheet", "keyboard_input sheet ^{HOME}", "keyboard_input sheet {DOWN 4}", "keyboard_input sheet {RIGHT}", "keyboard_input sheet =SUM{(}B1:B4{)}{ENTER}", "keyboard_input ^s", "wait 1"}, ""},
		"sort":              {"sort", window{root: "libreoffice-calc", controls: calc}, []string{"click_input sheet", "keyboard_input sheet ^{HOME}", `select_menu "Data > Sort Ascending"`, "keyboard_input ^s", "wait 1"}, ""},
		"pdf":               {"pdf", window{root: "libreoffice-writer", controls: writer}, []string{`select_menu "File > Export As > Export Directly as PDF"`, "set_edit_text name dir/letter.pdf", "click_input export", "wait 1"}, ""},
		"rename": {"rename", window{root: "thunar", controls: files}, []string{
			`select_menu "Edit > Select by Pattern"`, "set_edit_text pattern a.txt", "click_input select", "keyboard_input {F2}", "set_edit_text new one.txt", "click_input rename",
			`select_menu "Edit > Select by Pattern"`, "set_edit_text pattern b.txt", "click_input select", "keyboard_input {F2}", "set_edit_text new two.txt", "click_input rename",
			`select_menu "Edit > Select by Pattern"`, "set_edit_text pattern c.txt", "click_input select", "keyboard_input {F2}", "set_edit_text new three.txt", "click_input rename",
		}, ""},
		"replace":         {"replace", window{root: "thunar", controls: files}, []string{`select_menu "Edit > Select by Pattern"`, "set_edit_text pattern notes.txt", "click_input select", "keyboard_input {ENTER}"}, ""},
		"replace, editor": {"replace", window{root: "mousepad", controls: replacing}, []string{`select_menu "Search > Find and Replace"`, "set_edit_text from colour", "set_edit_text to color", "click_input all", "click_input replace", "click_input close", `select_menu "File > Save"`, "wait_for * gone"}, ""},
		"chart, a table":  {"chart", window{root: "libreoffice-writer", controls: writer, output: map[string]string{"read_document": `[{"type": "table"}]`}}, []string{"read_document doc"}, `"[{\"type\":\"table\"}]"`},
	} {
		t.Run(name, func(t *testing.T) {
			acts, end := c.window.played(t, rulesOf(t, c.task))
			assert.Equal(t, c.acts, acts)
			assert.Equal(t, "FINISH", string(end.Status), end.Comment)
			assert.Equal(t, c.result, string(end.Result))
			assert.NotEmpty(t, end.Comment)
		})
	}
}

// Where a play cannot go on it waits, and then ends in FAIL with the reason.
func TestPlaysFail(t *testing.T) {
	step := func(n string) string { return "what step " + n + " needs does not come" }
	dialog := []desktop.Control{control("dialog", "Dialog", "Find and Replace", control("from", "text", ""), off)}
	for name, c := range map[string]struct {
		task   string
		window window
		acts   int // that are no waiting
		why    string
	}{
		"a display of nothing": {"calculator", window{root: "galculator", controls: []desktop.Control{control("d", "text", "")}}, 1, "the calculator shows nothing"},
		"no display":           {"calculator", window{root: "galculator", controls: []desktop.Control{off}}, 1, "the calculator shows nothing"},
		"no text":              {"calculator", window{root: "mousepad", controls: []desktop.Control{off}}, 0, step("1")},
		"no dialog to save":    {"letters", window{root: "mousepad", controls: []desktop.Control{control("page", "text", "")}}, 2, step("3")},
		"no name of a folder":  {"folder", window{root: "thunar"}, 1, step("2")},
		"no form":              {"form", window{root: "chromium"}, 0, step("1")},
		"no button":            {"form", window{root: "chromium", controls: form[:3]}, 2, step("3")},
		"no heading":           {"heading", window{root: "libreoffice-writer"}, 0, step("1")},
		"no panel":             {"word", window{root: "libreoffice-writer", controls: append([]desktop.Control{control("t", "text", "")}, writer[0])}, 1, step("2")},
		"a panel of nothing":   {"word", window{root: "libreoffice-writer", controls: []desktop.Control{writer[0], control("search", "panel", "Search For")}}, 1, step("2")},
		"no sheet":             {"sum", window{root: "libreoffice-calc"}, 0, step("1")},
		"no sheet to sort":     {"sort", window{root: "libreoffice-calc"}, 0, step("1")},
		"no dialog to export":  {"pdf", window{root: "libreoffice-writer"}, 1, step("2")},
		"no pattern":           {"rename", window{root: "thunar"}, 1, step("2")},
		"no file to open":      {"replace", window{root: "thunar"}, 1, step("2")},
		"no dialog to replace": {"replace", window{root: "mousepad", controls: []desktop.Control{control("page", "text", "")}}, 1, step("2")},
		"one field":            {"replace", window{root: "mousepad", controls: dialog}, 2, step("3")},
		"no document":          {"chart", window{root: "libreoffice-writer"}, 0, step("1")},
		"no table":             {"chart", window{root: "libreoffice-writer", controls: writer, output: map[string]string{"read_document": `[{"type": "heading"}]`}}, 1, "the document has no table"},
	} {
		t.Run(name, func(t *testing.T) {
			acts, end := c.window.played(t, rulesOf(t, c.task))
			waits := 0
			for _, act := range acts {
				if act == "wait 0.4" {
					waits++
				}
			}
			assert.Equal(t, "FAIL", string(end.Status))
			assert.Equal(t, c.why, end.Comment)
			assert.Equal(t, c.acts, len(acts)-waits, acts)
			assert.Equal(t, len(acts) > c.acts, waits == 20, "what comes late is waited for")
		})
	}
}

// The field of a panel is that of what is seen now, though an id of before is that of another control.
func TestPlaysLookAgain(t *testing.T) {
	decide := rulesOf(t, "word")
	w := window{root: "libreoffice-writer", controls: writer}
	acts, _ := w.played(t, decide)
	assert.Contains(t, acts, "keyboard_input red ^ared")

	w.controls = append([]desktop.Control{control("red", "text", "Font Name")}, writer...)
	w.controls[3] = control("search", "panel", "Search For", control("other", "text", ""))
	acts, _ = w.played(t, decide)
	assert.Contains(t, acts, "keyboard_input other ^ared")
	assert.NotContains(t, acts, "keyboard_input red ^ared")
}
