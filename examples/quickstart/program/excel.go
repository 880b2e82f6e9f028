package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/desktop"
)

const sheet = "Data"

// excel is Excel with a new workbook. Nothing is on disk before save_workbook.
type excel struct {
	path string

	mu     sync.Mutex
	book   *excelize.File
	charts int
	saved  bool
}

// Workbook is the result of each tool: the workbook behind it.
type Workbook struct {
	File       string `json:"file"`
	FileExists bool   `json:"file_exists"`
	Saved      bool   `json:"saved"`
	Charts     int    `json:"charts"`
}

type (
	rowsInput struct {
		Rows [][]any `json:"rows" desc:"texts, numbers, and null for an empty cell"`
	}
	chartInput struct {
		Range   string   `json:"range" desc:"such as A1:C13: names of the series in its first row, categories in its first column"`
		Columns []string `json:"columns" desc:"those of the range to draw, such as C"`
		Title   string   `json:"title,omitempty"`
	}
	saveInput struct {
		Overwrite bool `json:"overwrite,omitempty" desc:"replace a file that exists"`
	}
)

func newExcel(path string) (desktop.Desktop, error) {
	e := &excel{path: path, book: excelize.NewFile()}
	if err := e.book.SetSheetName("Sheet1", sheet); err != nil {
		return nil, err
	}
	return desktop.New(
		desktop.Func("write_rows", "Write rows into the empty sheet, from A1 on.", tool(e, e.writeRows), &desktop.Annotations{IdempotentHint: true}),
		desktop.Func("add_bar_chart", "Add a bar chart of a range of cells.", tool(e, e.addBarChart), nil),
		desktop.Func("save_workbook", "Save the workbook under its name.", tool(e, e.save), &desktop.Annotations{DestructiveHint: true, IdempotentHint: true}),
	)
}

// tool makes a tool of a method: one call at a time, and each returns the workbook.
func tool[In any](e *excel, do func(In) error) func(context.Context, In) (Workbook, error) {
	return func(_ context.Context, in In) (Workbook, error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.saved = false
		if err := do(in); err != nil {
			return Workbook{}, err
		}
		_, err := os.Stat(e.path)
		return Workbook{File: e.path, FileExists: err == nil, Saved: e.saved, Charts: e.charts}, nil
	}
}

func (e *excel) writeRows(in rowsInput) error {
	for i, row := range in.Rows {
		if err := e.book.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row); err != nil {
			return err
		}
	}
	return nil
}

func (e *excel) addBarChart(in chartInput) error {
	first, last, _ := strings.Cut(in.Range, ":")
	left, top, err1 := excelize.CellNameToCoordinates(first)
	right, bottom, err2 := excelize.CellNameToCoordinates(last)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	ref := func(column, from, to int) string {
		name, _ := excelize.ColumnNumberToName(column) // it came from one
		return fmt.Sprintf("%s!$%s$%d:$%s$%d", sheet, name, from, name, to)
	}
	chart := &excelize.Chart{Type: excelize.Col, Legend: excelize.ChartLegend{Position: "bottom"}}
	if in.Title != "" {
		chart.Title = excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: in.Title}}}
	}
	for column := left + 1; column <= right; column++ {
		if name, _ := excelize.ColumnNumberToName(column); slices.Contains(in.Columns, name) {
			chart.Series = append(chart.Series, excelize.ChartSeries{
				Name: fmt.Sprintf("%s!$%s$%d", sheet, name, top), Categories: ref(left, top+1, bottom), Values: ref(column, top+1, bottom),
			})
		}
	}
	if len(chart.Series) != len(in.Columns) || len(in.Columns) == 0 || bottom == top {
		return fmt.Errorf("the range %s has no columns %v with numbers", in.Range, in.Columns)
	}
	place, err := excelize.CoordinatesToCellName(right+2, top+1)
	if err != nil {
		return err
	}
	e.charts++
	return e.book.AddChart(sheet, place, chart)
}

// save writes a file beside the place of the workbook first: a file that exists is replaced whole, or kept.
func (e *excel) save(in saveInput) error {
	if info, err := os.Stat(e.path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", e.path)
	}
	data, err := e.book.WriteToBuffer()
	if err != nil {
		return err
	}
	part := e.path + ".part"
	if err = os.WriteFile(part, data.Bytes(), 0o600); err != nil {
		return err
	}
	if in.Overwrite {
		err = os.Rename(part, e.path)
	} else {
		err = os.Link(part, e.path) // fails if it exists
	}
	_ = os.Remove(part) // it is gone after Rename
	e.saved = err == nil
	return err
}
