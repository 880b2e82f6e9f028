package xlsx

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/xuri/excelize/v2"
)

// Book is a workbook, of which one sheet is worked on. Make one with [New], or with
// [Open] of a file.
type Book struct {
	mu      sync.Mutex
	file    *excelize.File
	sheet   string
	numbers map[place]bool // cells that hold a number; false: text or a boolean
	columns map[int]*column
	formats map[string]int // number format to style
	charts  int
	bottom  int  // where the last chart ends, in pixels
	opened  bool // from a file: columns are not made narrower
}

// place is a cell by column and row, from 1.
type place struct{ col, row int }

// New returns an empty book. What a sheet may not be called is taken out of
// sheet; nothing left means Sheet1.
func New(sheet string) *Book {
	b := &Book{file: excelize.NewFile(), sheet: sheetName(sheet), numbers: map[place]bool{}, columns: map[int]*column{}, formats: map[string]int{}}
	// The name is valid and the sheet exists, so this cannot fail.
	_ = b.file.SetSheetName(b.file.GetSheetName(0), b.sheet)
	return b
}

// Close gives up what the book holds. It may be called twice.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.file.Close()
}

// Sheet returns the name of the sheet.
func (b *Book) Sheet() string { return b.sheet }

// Size returns the number of the last row and column with something in it.
func (b *Book) Size() (rows, cols int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.size()
}

func (b *Book) size() (rows, cols int) {
	for p := range b.numbers {
		rows, cols = max(rows, p.row), max(cols, p.col)
	}
	return rows, cols
}

// Cell returns the name of a cell, such as B7. Both count from 1.
func Cell(col, row int) (string, error) {
	name, err := excelize.CoordinatesToCellName(col, row)
	if err != nil {
		return "", &Error{Err: ErrCell, Reason: fmt.Sprintf("column %d, row %d", col, row)}
	}
	return name, nil
}

// Column returns the name of a column, such as B. It counts from 1.
func Column(col int) (string, error) {
	name, err := excelize.ColumnNumberToName(col)
	if err != nil {
		return "", &Error{Err: ErrCell, Reason: fmt.Sprintf("column %d", col)}
	}
	return name, nil
}

// Set puts a value into a cell. Values: string, bool, nil, json.Number, and
// Go's integers and floats.
func (b *Book) Set(cell string, value any) error {
	p, err := parseCell(cell)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.set(p, value)
}

// SetRow puts values into a row, from its first column on. When one of them
// is refused, none is put.
func (b *Book) SetRow(row int, values []any) error {
	for i, v := range values {
		cell, err := Cell(i+1, row)
		if err != nil {
			return err
		}
		if _, err := checked(v); err != nil {
			return at(cell, err)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, v := range values {
		if err := b.set(place{i + 1, row}, v); err != nil {
			return err
		}
	}
	return nil
}

func (b *Book) set(p place, value any) error {
	cell, err := Cell(p.col, p.row)
	if err != nil {
		return err
	}
	value, err = checked(value)
	if err != nil {
		return at(cell, err)
	}
	switch v := value.(type) {
	case string:
		err = b.file.SetCellStr(b.sheet, cell, escaped(v))
		b.column(p.col).text(v)
	case bool:
		err = b.file.SetCellBool(b.sheet, cell, v)
	case float64:
		err = b.file.SetCellFloat(b.sheet, cell, v, -1, 64)
		b.column(p.col).number(v)
	default:
		delete(b.numbers, p)
		if err := b.file.SetCellValue(b.sheet, cell, nil); err != nil {
			return at(cell, err)
		}
		return nil
	}
	if err != nil {
		return at(cell, err)
	}
	_, b.numbers[p] = value.(float64)
	return nil
}

// at says where an error happened; nil stays nil.
func at(where string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*Error); ok { //nolint:errorlint // one that is wrapped has a place already
		if e.Where == "" {
			e.Where = where
		}
		return e
	}
	return &Error{Where: where, Err: err}
}

func parseCell(cell string) (place, error) {
	col, row, err := excelize.CellNameToCoordinates(cell)
	if err != nil {
		return place{}, &Error{Where: strconv.Quote(cell), Err: ErrCell}
	}
	return place{col, row}, nil
}
