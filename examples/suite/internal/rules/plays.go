package rules

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
)

// The windows of the programs.
const (
	calculator = "galculator"
	editor     = "mousepad"
	files      = "thunar"
	browser    = "chromium"
	writer     = "libreoffice-writer"
	calc       = "libreoffice-calc"
)

var (
	field = named("text", "")
	page  = field // of the editor
	sheet = named("table", "Sheet")
	name  = named("text", "Name") // of a file, in a dialog
)

// plays do the tasks, by their names.
var plays = map[string]func(dir string) []part{
	"calculator": func(string) []part {
		return []part{
			{calculator, "Compute 12.5 * 64.", []step{keys("12.5*64{ENTER}")}, display},
			{editor, "Write the result into the file and save it.", []step{previous(page), menu("File", "Save"), await("*", true)}, nil},
		}
	},
	"letters": func(dir string) []part {
		return []part{{editor, "Write the line and save the document.", []step{
			fill(page, "Grüße, 世界 → Ω"), menu("File", "Save As"), fill(name, filepath.Join(dir, "letters.txt")), press("Save"), await("letters.txt", false),
		}, nil}}
	},
	"folder": func(string) []part {
		return []part{{files, "Make the folder.", []step{menu("File", "Create Folder"), fill(field, "Reports"), press("Create")}, nil}}
	},
	"form": func(string) []part {
		return []part{{browser, "Fill in the form and send it.", []step{
			fill(named("entry", "Name"), "Ada Jansen"), fill(named("entry", "Amount"), "42"), press("Send"), await("Thank you", false),
		}, nil}}
	},
	"heading": func(string) []part {
		return []part{{writer, "Centre the heading and save the document.", append([]step{
			click(named("heading", "")), menu("Format", "Align Text", "Centered"),
		}, saved()...), nil}}
	},
	"word": func(string) []part {
		return []part{{writer, "Replace the word and save the document.", append([]step{
			keysIn(named("document text", ""), "^h"),
			below("Search For", keysIn(field, "^ared")), below("Replace With", keysIn(field, "^ablue")), press("Replace All"), press("Close"),
		}, saved()...), nil}}
	},
	"sum": func(string) []part {
		return []part{{calc, "Write the formula and save the spreadsheet.", append([]step{
			click(sheet), keysIn(sheet, "^{HOME}"), keysIn(sheet, "{DOWN 4}"), keysIn(sheet, "{RIGHT}"), keysIn(sheet, "=SUM{(}B1:B4{)}{ENTER}"),
		}, saved()...), nil}}
	},
	"sort": func(string) []part {
		return []part{{calc, "Sort the rows and save the spreadsheet.", append([]step{
			click(sheet), keysIn(sheet, "^{HOME}"), menu("Data", "Sort Ascending"),
		}, saved()...), nil}}
	},
	"pdf": func(dir string) []part {
		return []part{{writer, "Export the document.", []step{
			menu("File", "Export As", "Export Directly as PDF"), fill(name, filepath.Join(dir, "letter.pdf")), press("Export"), pause,
		}, nil}}
	},
	"rename": func(string) []part {
		var steps []step
		for _, pair := range [][2]string{{"a.txt", "one.txt"}, {"b.txt", "two.txt"}, {"c.txt", "three.txt"}} {
			steps = append(steps, selected(pair[0])...)
			steps = append(steps, keys("{F2}"), fill(field, pair[1]), press("Rename"))
		}
		return []part{{files, "Rename the files.", steps, nil}}
	},
	"replace": func(string) []part {
		return []part{
			{files, "Open the file.", append(selected("notes.txt"), keys("{ENTER}")), nil},
			{editor, "Replace the word everywhere and save the file.", []step{
				menu("Search", "Find and Replace"),
				nth(field, 0, "colour"), nth(field, 1, "color"), click(named("check box", "Replace all in")), press("Replace"), press("Close"),
				menu("File", "Save"), await("*", true),
			}, nil},
		}
	},
	"chart": func(string) []part {
		return []part{
			{writer, "Extract the table of the document.", []step{on(named("document text", ""), func(c desktop.Control) *reply.Action {
				return &reply.Action{Function: "read_document", ControlLabel: c.ID, ControlText: c.Name, Args: map[string]any{"id": c.ID}}
			})}, anyTable},
			{calc, "Draw it and save the spreadsheet.", nil, nil},
		}
	},
	// Nobody sends mail here: the host sees that.
	"mail": func(string) []part { return []part{{"mail program", "Send the file.", nil, nil}} },
}

// display is what the calculator shows.
func display(p *sections.Prompt) (string, error) {
	if c := find(p.Controls, field); c != nil && c.Value != "" {
		return c.Value, nil
	}
	return "", errors.New("the calculator shows nothing")
}

// previous writes the result of the sub-task before.
func previous(want is) step {
	return func(p *sections.Prompt) *reply.Action {
		text := ""
		for _, s := range p.Previous {
			text = strings.Trim(string(s.Result), `"`) // a number, or a text
		}
		return fill(want, text)(p)
	}
}

// saved saves a document under its name.
func saved() []step {
	return []step{keys("^s"), pause}
}

// pause gives a program that shows nothing of it the time to write a file.
func pause(*sections.Prompt) *reply.Action {
	return &reply.Action{Function: desktop.Wait, Args: map[string]any{"seconds": 1}}
}

// selected selects a file by its name.
func selected(file string) []step {
	return []step{menu("Edit", "Select by Pattern"), fill(named("text", "Pattern"), file), press("Select")}
}

// below does a step with the field of a panel.
func below(panel string, do step) step {
	return func(p *sections.Prompt) *reply.Action {
		c := find(p.Controls, inside(named("panel", panel), field))
		if c == nil {
			return nil
		}
		within := *p
		within.Controls = c.Children
		return do(&within)
	}
}

// nth writes into one of several fields without a name, in a dialog.
func nth(want is, n int, text string) step {
	return func(p *sections.Prompt) *reply.Action {
		var fields []desktop.Control
		dialog := find(p.Controls, named("Dialog", ""))
		if dialog == nil {
			return nil
		}
		var walk func([]desktop.Control)
		walk = func(list []desktop.Control) {
			for _, c := range list {
				if want(c) {
					fields = append(fields, c)
				}
				walk(c.Children)
			}
		}
		walk(dialog.Children)
		if n >= len(fields) {
			return nil
		}
		id := fields[n].ID
		return fill(func(c desktop.Control) bool { return c.ID == id }, text)(p)
	}
}

// anyTable fails where the document has no table.
func anyTable(p *sections.Prompt) (string, error) {
	at := slices.IndexFunc(p.Done(), func(a acting.MemoAction) bool { return a.Tool == "read_document" })
	if at < 0 || !strings.Contains(string(p.Done()[at].Output), `"table"`) {
		return "", errors.New("the document has no table")
	}
	return string(p.Done()[at].Output), nil
}
