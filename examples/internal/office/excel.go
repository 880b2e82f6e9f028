package office

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
)

// Save is the name of the tool that writes a file. Its parameter overwrite says
// that it may replace one.
const Save = "save_workbook"

// Show is the name of the tool that only looks.
const Show = "show_workbook"

// excel is Excel with a new workbook.
type excel struct {
	path string

	mu     sync.Mutex
	book   *xlsx.Book
	charts int
	styled bool
	saved  bool
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
	cellInput struct {
		Cell  string `json:"cell" desc:"such as B7"`
		Value any    `json:"value" desc:"a text, a number, a boolean, or null to empty it"`
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

func newExcel(path string) *excel { return &excel{path: path, book: xlsx.New("Data")} }

func (e *excel) name() string { return filepath.Base(e.path) }

func (e *excel) close() error { return e.book.Close() }

func (e *excel) tools() toolset {
	writes := desktop.Annotations{IdempotentHint: true}
	return toolset{
		newTool("write_rows", "Write rows into the sheet, from column A on.", writes, change(e, e.writeRows)),
		newTool("write_cell", "Write one cell.", writes, change(e, e.writeCell)),
		newTool("format_columns", "Set the number format of each column. The first row becomes bold.", writes, change(e, e.formatColumns)),
		newTool("add_bar_chart", "Add a bar chart of a range of cells beside them.", desktop.Annotations{}, change(e, e.addBarChart)),
		newTool(Save, "Save the workbook under its name.", desktop.Annotations{DestructiveHint: true, IdempotentHint: true},
			func(ctx context.Context, in saveInput) (any, error) {
				e.mu.Lock()
				defer e.mu.Unlock()
				if err := e.book.Save(ctx, e.path, in.Overwrite); err != nil {
					return nil, err
				}
				e.saved = true
				return e.state()
			}),
		newTool(Show, "Describe the workbook.", desktop.Annotations{ReadOnlyHint: true, IdempotentHint: true},
			func(context.Context, struct{}) (any, error) {
				e.mu.Lock()
				defer e.mu.Unlock()
				return e.state()
			}),
	}
}

// change makes a tool of what changes the workbook.
func change[P any](e *excel, do func(P) error) func(context.Context, P) (any, error) {
	return func(ctx context.Context, in P) (any, error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := do(in); err != nil {
			return nil, err
		}
		e.saved = false
		return e.state()
	}
}

// markSaved says that the file has what the workbook has.
func (e *excel) markSaved() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.saved = true
}

func (e *excel) state() (Workbook, error) {
	w := Workbook{File: e.path, Saved: e.saved, Sheet: e.book.Sheet(), Formatted: e.styled, Charts: e.charts}
	if info, err := os.Stat(e.path); err == nil {
		w.FileExists = info.Mode().IsRegular()
	}
	if rows, cols := e.book.Size(); rows > 0 {
		last, err := xlsx.Cell(cols, rows)
		if err != nil {
			return w, err
		}
		w.Used = "A1:" + last
	}
	return w, nil
}

func (e *excel) writeRows(in rowsInput) error {
	first := max(in.First, 1)
	for i, row := range in.Rows {
		for c, v := range row {
			if v == "" {
				row[c] = nil // nothing to see is nothing there
			}
		}
		if err := e.book.SetRow(first+i, row); err != nil {
			return err
		}
	}
	return nil
}

func (e *excel) writeCell(in cellInput) error { return e.book.Set(in.Cell, in.Value) }

func (e *excel) formatColumns(in formatsInput) error {
	for i, format := range in.Formats {
		if err := e.book.SetFormat(i+1, format); err != nil {
			return err
		}
	}
	if err := e.book.SetHeader(1); err != nil {
		return err
	}
	e.styled = true
	return nil
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
