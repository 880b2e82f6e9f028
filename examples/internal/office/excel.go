package office

import (
	"context"
	"os"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
)

// Save is the name of the tool that writes a file. With its parameter overwrite it replaces one.
const Save = "save_workbook"

// Show is the name of the tool that only looks.
const Show = "show_workbook"

// excel is Excel with a new workbook.
type excel struct {
	path  string
	tools desktop.Desktop

	mu     sync.Mutex
	book   *xlsx.Book
	charts int
	styled bool
	saved  bool // the file has what the workbook has
}

// Workbook is the result of every tool of Excel: the workbook after it.
type Workbook struct {
	File       string `json:"file"`        // where save_workbook writes
	FileExists bool   `json:"file_exists"` // a file of that name is there
	Saved      bool   `json:"saved"`       // the file has what the workbook has
	Sheet      string `json:"sheet"`
	Used       string `json:"used_range"` // such as A1:C13; "" for an empty sheet
	Formatted  bool   `json:"formatted"`  // format_columns was done
	Charts     int    `json:"charts"`
}

type (
	rowsInput struct {
		Rows  [][]any `json:"rows" desc:"texts, numbers, booleans, and null for an empty cell"`
		First int     `json:"first_row,omitempty" desc:"where the first goes; null: 1"`
	}
	formatsInput struct {
		Formats []string `json:"formats" desc:"one for each column, from A on, such as #,##0.00; empty: the usual one"`
	}
	chartInput struct {
		Range   string   `json:"range" desc:"such as A1:C13: names of the series in its first row, categories in its first column"`
		Columns []string `json:"columns,omitempty" desc:"columns of the range to draw, such as C; null: all"`
		Title   string   `json:"title,omitempty"`
	}
	saveInput struct {
		Overwrite bool `json:"overwrite,omitempty" desc:"replace a file that exists"`
	}
)

func newExcel(path string) *excel {
	e := &excel{path: path, book: xlsx.New("Data")}
	writes := &desktop.Annotations{IdempotentHint: true}
	e.tools = must(
		desktop.Func("write_rows", "Write rows into the sheet, from column A on.", change(e, e.writeRows), writes),
		desktop.Func("format_columns", "Set the number format of each column. The first row becomes bold.", change(e, e.formatColumns), writes),
		desktop.Func("add_bar_chart", "Add a bar chart of a range of cells beside them.", change(e, e.addBarChart), &desktop.Annotations{}),
		desktop.Func(Save, "Save the workbook under its name.", e.save, &desktop.Annotations{DestructiveHint: true, IdempotentHint: true}),
		desktop.Func(Show, "Describe the workbook.", func(context.Context, struct{}) (Workbook, error) {
			e.mu.Lock()
			defer e.mu.Unlock()
			return e.state(nil)
		},
			&desktop.Annotations{ReadOnlyHint: true, IdempotentHint: true}),
	)
	return e
}

// change makes a tool of what changes the workbook.
func change[P any](e *excel, do func(P) error) func(context.Context, P) (Workbook, error) {
	return func(_ context.Context, in P) (Workbook, error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		err := do(in)
		e.saved = e.saved && err != nil
		return e.state(err)
	}
}

func (e *excel) save(ctx context.Context, in saveInput) (Workbook, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.book.Save(ctx, e.path, in.Overwrite)
	e.saved = e.saved || err == nil
	return e.state(err)
}

func (e *excel) mark() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.saved = true
}

func (e *excel) state(err error) (Workbook, error) {
	w := Workbook{File: e.path, Saved: e.saved, Sheet: e.book.Sheet(), Formatted: e.styled, Charts: e.charts}
	if info, failed := os.Stat(e.path); failed == nil {
		w.FileExists = info.Mode().IsRegular()
	}
	if rows, cols := e.book.Size(); rows > 0 && err == nil {
		last := ""
		last, err = xlsx.Cell(cols, rows)
		w.Used = "A1:" + last
	}
	return w, err
}

func (e *excel) writeRows(in rowsInput) error {
	for i, row := range in.Rows {
		for c, v := range row {
			if v == "" {
				row[c] = nil // nothing to see is nothing there
			}
		}
		if err := e.book.SetRow(max(in.First, 1)+i, row); err != nil {
			return err
		}
	}
	return nil
}

func (e *excel) formatColumns(in formatsInput) error {
	for i, format := range in.Formats {
		if err := e.book.SetFormat(i+1, format); err != nil {
			return err
		}
	}
	e.styled = true
	return e.book.SetHeader(1)
}

func (e *excel) addBarChart(in chartInput) error {
	chart, err := e.book.ChartOf(in.Range, in.Columns...)
	if err != nil {
		return err
	}
	chart.Title = in.Title
	if err := e.book.BarChart(chart); err != nil {
		return err
	}
	e.charts++
	return nil
}
