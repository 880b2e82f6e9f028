package rules

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/fsm"
)

// leave are the keys that leave a chart.
const leave = "{ESC 2}"

// calc fills the sheet, draws it and saves. What is next follows from what the window shows.
func (a *agent) calc() fakemodel.Reply {
	data := a.Result(Writer)
	if data == nil {
		return never("there is no table to draw: nothing came from " + Writer)
	}
	switch last := a.lastFailure(); {
	case strings.Contains(last, "cells hold something else"), strings.Contains(last, "would become a formula"), strings.Contains(last, "are not empty"):
		return never(last)
	case a.failures() >= maxFailures:
		return fakemodel.Fail("%s", last)
	}
	if d := a.dialog(); d != nil {
		return a.inDialog(*d, data)
	}
	file := filepath.Base(a.out)
	// A chart that was just inserted is being edited, and is left by keys.
	drawn := a.did(desktop.ClickInput, "Finish") > 0 || a.did(desktop.KeyboardInput, leave) > 0
	editing := Find(a.Controls, func(c desktop.Control) bool { return c.Type == "document frame" && c.Name == "Chart" }) != nil
	sheet := Find(a.Controls, func(c desktop.Control) bool { return c.Type == "table" && strings.HasPrefix(c.Name, "Sheet") })
	switch {
	case strings.HasPrefix(a.Application.Title, file) && a.did(desktop.ClickInput, "Save") > 0: // the title has the name: it is saved
		return fakemodel.Reply{Status: fsm.Finish, Result: map[string]string{"file": a.out}, Comment: "A bar chart of it is in " + file + "."}
	case editing && a.justDid(desktop.SelectMenu, "Chart", 8): // keys that came before its dialog would break the program
		return a.wait("The chart is there, and its dialog comes.")
	case editing:
		return fakemodel.Act("The chart is there, and being edited.", keys(leave))
	case sheet == nil:
		return a.wait("There is no sheet yet.")
	case a.did("write_cells", "") == 0:
		return fakemodel.Act("The sheet is empty.", on(*sheet, "write_cells", map[string]any{"rows": fakemodel.Ref(data, "rows")}))
	case !drawn && a.did(desktop.KeyboardInput, "^{HOME}") == 0:
		return fakemodel.Act("The cells are written.", on(*sheet, desktop.KeyboardInput, map[string]any{"keys": spanOf(data).selection()}))
	case !drawn:
		return fakemodel.Act("What is to be drawn is selected.", menu("Insert", "Chart"))
	case a.did(desktop.ClickInput, "Save") > 0:
		return a.wait("It was saved a moment ago.")
	}
	return fakemodel.Act("The chart is there.", menu("File", "Save As"))
}

// inDialog answers the dialogs on the way.
func (a *agent) inDialog(d desktop.Control, data json.RawMessage) fakemodel.Reply {
	if b := button(d.Children, "Finish"); b != nil {
		return a.wizard(d, *b, data)
	}
	exists := Find(d.Children, func(c desktop.Control) bool { return strings.Contains(c.Name+c.Value, "already exists") })
	if b := button(d.Children, "Replace", "Yes"); exists != nil && b != nil {
		return fakemodel.Act(exists.Name+exists.Value, click(*b)) // the policy has a person asked
	}
	if b := button(d.Children, "Use Excel", "Keep Current Format"); b != nil {
		return fakemodel.Act("It asks for the format.", click(*b))
	}
	name := Find(d.Children, func(c desktop.Control) bool { return c.Type == "text" && strings.HasPrefix(c.Name, "Name") })
	save := button(d.Children, "Save")
	switch {
	case name == nil || save == nil:
		return a.unexpected(d)
	case name.Value != a.out:
		return fakemodel.Act("It asks for the name.", set(*name, a.out))
	case a.justDid(desktop.ClickInput, "Save", 4): // what it asks may come yet
		return a.wait("It was told to save a moment ago.")
	}
	return fakemodel.Act("The name is there.", click(*save))
}

// wizard ends the making of a chart. Its second page has the columns and whether these are the series, its last one the
// title.
func (a *agent) wizard(d, finish desktop.Control, data json.RawMessage) fakemodel.Reply {
	s := spanOf(data)
	text := func(name string) *desktop.Control {
		return Find(d.Children, func(c desktop.Control) bool { return c.Type == "text" && c.Name == name })
	}
	title, err := json.Marshal(fakemodel.Ref(data, "title"))
	titled := err == nil && string(title) != `""` && string(title) != "null"
	special := !s.first() || s.across()
	next, field, head := button(d.Children, "Next"), text("Data range"), text("Title")
	switch {
	case field != nil && !s.first() && field.Value != s.cells():
		return fakemodel.Act("Not all columns are to be drawn.", set(*field, s.cells()))
	case field != nil:
		columns := Find(d.Children, func(c desktop.Control) bool { return c.Type == "radio button" && c.Name == "Data series in columns" })
		if s.across() && columns != nil && !has(*columns, "checked") {
			return fakemodel.Act("Each column is to be a series.", click(*columns))
		}
	case head != nil:
		if titled && a.did(desktop.SetEditText, `"Title"`) == 0 {
			return fakemodel.Act("The chart is to have a title.", set(*head, json.RawMessage(title)))
		}
		next = nil
	case next == nil && special:
		return a.unexpected(d)
	}
	if next != nil && (titled || field == nil && special) {
		return fakemodel.Act("A later page has what the chart is to show.", click(*next))
	}
	return fakemodel.Act("The chart is as it is to be.", click(finish))
}

// span is what a chart is to show.
type span struct {
	Range   string   `json:"range"`
	Columns []string `json:"columns"`

	column, row int // the last ones of the range, from 1
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
	_ = json.Unmarshal(data, &s) // it is the result of extract_table
	if json.Unmarshal(data, &cut) == nil && cut.Head != "" {
		for pattern, into := range map[*regexp.Regexp]any{rangeIn: &s.Range, columnsIn: &s.Columns} {
			if m := pattern.FindStringSubmatch(cut.Head); m != nil {
				_ = json.Unmarshal([]byte(m[1]), into) // the pattern is of JSON
			}
		}
	}
	if last, ok := strings.CutPrefix(s.Range, "A1:"); ok {
		s.column, s.row, _ = excelize.CellNameToCoordinates(last) // 0 if it is none
	}
	return s
}

// first reports whether the columns are the first ones behind the labels.
func (s span) first() bool {
	for i, c := range s.Columns {
		if name, err := excelize.ColumnNumberToName(i + 2); err != nil || c != name {
			return false
		}
	}
	return true
}

// selection are the keys that select what is to be drawn, as far as it is in one piece.
func (s span) selection() string {
	if s.row < 2 {
		return "^{HOME}^+{END}"
	}
	right := s.column - 1
	if n := len(s.Columns); n > 0 && s.first() {
		right = n
	}
	return fmt.Sprintf("^{HOME}+{RIGHT %d}+{DOWN %d}", right, s.row-1)
}

// across reports whether Calc takes rows for series by itself: there are more columns than rows.
func (s span) across() bool {
	columns := s.column
	if n := len(s.Columns); n > 0 {
		columns = n + 1
	}
	return s.row > 0 && columns > s.row
}

// cells are the labels and the columns, as Calc writes them.
func (s span) cells() string {
	var list []string
	for _, c := range slices.Concat([]string{"A"}, s.Columns) {
		list = append(list, fmt.Sprintf("$Sheet1.$%s$1:$%s$%d", c, c, s.row))
	}
	return strings.Join(list, ",")
}
