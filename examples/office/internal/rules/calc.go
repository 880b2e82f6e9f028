package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/fsm"
)

const writeCells = "write_cells"

// calc fills the sheet, draws it and saves. What is next follows from what the window shows.
func calc(p *prompt) reply.App {
	data := extracted(p)
	if data == nil {
		return never("there is no table to draw: nothing came from " + Writer)
	}
	switch last := lastFailure(p); {
	case strings.Contains(last, "cells hold something else"), strings.Contains(last, "would become a formula"), strings.Contains(last, "are not empty"):
		return never(last)
	case failures(p) >= maxFailures:
		return givesUp(last)
	}
	if d, ok := dialog(p); ok {
		return inDialog(p, d, data)
	}
	switch {
	case strings.HasPrefix(p.Application.Title, p.wish.file()) && did(p, desktop.ClickInput, "Save") > 0:
		return reply.App{
			Status: fsm.Finish, Observation: "The title has the name of the file: it is saved.",
			Result: mustJSON(map[string]string{"file": p.wish.out}), Comment: fmt.Sprintf("A bar chart of it is in %s.", p.wish.file()),
		}
	case editing(p) && justDid(p, desktop.SelectMenu, "Chart", 8): // keys that came before its dialog would break the program
		return wait(p, "The chart is there, and its dialog comes.")
	case editing(p):
		return act("The chart is there, and being edited.", reply.Action{Function: desktop.KeyboardInput, Args: map[string]any{"keys": leave}})
	}
	sheet := find(p.Controls, func(c desktop.Control) bool { return c.Type == "table" && strings.HasPrefix(c.Name, "Sheet") })
	if sheet == nil {
		return wait(p, "There is no sheet yet.")
	}
	switch {
	case did(p, writeCells, "") == 0:
		return act("The sheet is empty.", reply.Action{Function: writeCells, ControlLabel: sheet.ID, ControlText: sheet.Name, Args: map[string]any{"id": sheet.ID, "rows": sections.Member(data, "rows")}})
	case !drawn(p) && did(p, desktop.KeyboardInput, "^{HOME}") == 0:
		return act("The cells are written.", reply.Action{Function: desktop.KeyboardInput, ControlLabel: sheet.ID, ControlText: sheet.Name, Args: map[string]any{"id": sheet.ID, "keys": selection(data)}})
	case !drawn(p):
		return act("What is to be drawn is selected.", menu("Insert", "Chart"))
	case did(p, desktop.ClickInput, "Save") > 0:
		return wait(p, "It was saved a moment ago.")
	}
	return act("The chart is there.", menu("File", "Save As"))
}

// leave are the keys that leave a chart.
const leave = "{ESC 2}"

// extracted is the table from Writer, nil for none.
func extracted(p *prompt) (data json.RawMessage) {
	for _, s := range p.Previous {
		if s.App == Writer && s.Status == string(fsm.Finish) {
			data = s.Result
		}
	}
	return data
}

// editing reports whether a chart is being edited.
func editing(p *prompt) bool {
	return find(p.Controls, func(c desktop.Control) bool { return c.Type == "document frame" && c.Name == "Chart" }) != nil
}

// drawn reports whether the chart is there. One that was just inserted is being edited, and is left by keys: a step that
// was interrupted shows so, too.
func drawn(p *prompt) bool {
	return did(p, desktop.ClickInput, "Finish") > 0 || did(p, desktop.KeyboardInput, leave) > 0
}

// span is what a chart is to show.
type span struct {
	Range   string   `json:"range"`
	Columns []string `json:"columns"`
}

var (
	rangeIn   = regexp.MustCompile(`"range":("[A-Z]+1:[A-Z]+[0-9]+")`)
	columnsIn = regexp.MustCompile(`"columns":(\[[A-Z",]*\])`)
)

// spanOf reads what is to be drawn. Of a table that is too long for the prompt only the head is shown, which has that.
func spanOf(data json.RawMessage) (s span) {
	var cut struct {
		Head string `json:"head"`
	}
	if json.Unmarshal(data, &cut) != nil || cut.Head == "" {
		_ = json.Unmarshal(data, &s) // it is the result of extract_table
		return s
	}
	for pattern, into := range map[*regexp.Regexp]any{rangeIn: &s.Range, columnsIn: &s.Columns} {
		if m := pattern.FindStringSubmatch(cut.Head); m != nil {
			_ = json.Unmarshal([]byte(m[1]), into) // the pattern is of JSON
		}
	}
	return s
}

// end is the last column and row of what is to be drawn, both from 1; 0: nobody knows.
func (s span) end() (column, row int) {
	last, ok := strings.CutPrefix(s.Range, "A1:")
	column, row, err := excelize.CellNameToCoordinates(last)
	if !ok || err != nil {
		return 0, 0
	}
	return column, row
}

// selection are the keys that select what is to be drawn.
func selection(data json.RawMessage) string {
	s := spanOf(data)
	column, row := s.end()
	if row < 2 {
		return "^{HOME}^+{END}"
	}
	last := column - 1
	if n := len(s.Columns); n > 0 && inRow(s.Columns) {
		last = n
	}
	return fmt.Sprintf("^{HOME}+{RIGHT %d}+{DOWN %d}", last, row-1)
}

// inRow reports whether columns are the first behind the labels.
func inRow(columns []string) bool {
	for i, c := range columns {
		if name, err := excelize.ColumnNumberToName(i + 2); err != nil || c != name {
			return false
		}
	}
	return true
}

// inDialog answers the dialogs on the way.
func inDialog(p *prompt, d desktop.Control, data json.RawMessage) reply.App {
	if b := button(d, "Finish"); b != nil {
		return wizard(p, d, *b, data)
	}
	if exists := find(d.Children, func(c desktop.Control) bool { return strings.Contains(c.Name+c.Value, "already exists") }); exists != nil {
		if b := button(d, "Replace", "Yes"); b != nil {
			return act(exists.Name+exists.Value, click(*b)) // the policy has a person asked
		}
	}
	for _, format := range []string{"Use Excel", "Keep Current Format"} {
		if b := button(d, format); b != nil {
			return act("It asks for the format.", click(*b))
		}
	}
	name := find(d.Children, func(c desktop.Control) bool { return c.Type == "text" && strings.HasPrefix(c.Name, "Name") })
	save := button(d, "Save")
	switch {
	case name == nil || save == nil:
		return unexpected(p, d)
	case name.Value != p.wish.out:
		return act("It asks for the name.", reply.Action{
			Function: desktop.SetEditText, ControlLabel: name.ID, ControlText: name.Name, Args: map[string]any{"id": name.ID, "name": name.Name, "text": p.wish.out},
		})
	case justClicked(p, "Save"): // what it asks may come yet
		return wait(p, "It was told to save a moment ago.")
	}
	return act("The name is there.", click(*save))
}

// wizard ends the making of a chart. Its second page is told of columns that are not the first ones, its last one of the title.
func wizard(p *prompt, d, finish desktop.Control, data json.RawMessage) reply.App {
	s := spanOf(data)
	chosen, across := len(s.Columns) > 0 && !inRow(s.Columns), s.across()
	text := func(name string) *desktop.Control {
		return find(d.Children, func(c desktop.Control) bool { return c.Type == "text" && c.Name == name })
	}
	set := func(c *desktop.Control, to any) reply.Action {
		return reply.Action{Function: desktop.SetEditText, ControlLabel: c.ID, ControlText: c.Name, Args: map[string]any{"id": c.ID, "name": c.Name, "text": to}}
	}
	title := mustJSON(sections.Member(data, "title"))
	titled := string(title) != `""` && string(title) != "null"
	next, field, head := button(d, "Next"), text("Data range"), text("Title")
	switch {
	case field != nil:
		if want := ranges(s); chosen && field.Value != want {
			return act("Not all columns are to be drawn.", set(field, want))
		}
		columns := find(d.Children, func(c desktop.Control) bool { return c.Type == "radio button" && c.Name == "Data series in columns" })
		if across && columns != nil && !slices.Contains(columns.State, "checked") {
			return act("Each column is to be a series.", click(*columns))
		}
	case head != nil:
		if titled && did(p, desktop.SetEditText, `"Title"`)+failures(p) == 0 { // it does without one
			return act("The chart is to have a title.", set(head, title))
		}
		next = nil
	case next == nil && (chosen || across):
		return unexpected(p, d)
	}
	if next != nil && (titled || field == nil && (chosen || across)) {
		return act("A later page has what the chart is to show.", click(*next))
	}
	return act("The chart is as it is to be.", click(finish))
}

// across reports whether Calc takes rows for series by itself: there are more columns than rows.
func (s span) across() bool {
	column, row := s.end()
	if n := len(s.Columns); n > 0 {
		column = n + 1
	}
	return row > 0 && column > row
}

// ranges are the labels and the columns of a span, as Calc writes them.
func ranges(s span) string {
	_, row := s.end()
	if row == 0 {
		return ""
	}
	var list []string
	for _, c := range slices.Concat([]string{"A"}, s.Columns) {
		list = append(list, fmt.Sprintf("$Sheet1.$%s$1:$%s$%d", c, c, row))
	}
	return strings.Join(list, ",")
}
