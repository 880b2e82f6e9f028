package xlsx

import (
	"errors"
	"strings"
)

var (
	// ErrCell says that a name of a cell or range is none, or lies outside of
	// what a sheet has: 1,048,576 rows and 16,384 columns.
	ErrCell = errors.New("xlsx: not a cell or range of a sheet")
	// ErrValue says that a cell cannot keep a value as it is.
	ErrValue = errors.New("xlsx: not a value of a cell")
	// ErrFormat says that a number format is not one.
	ErrFormat = errors.New("xlsx: not a number format")
	// ErrChart says that a chart would not show what it is asked to.
	ErrChart = errors.New("xlsx: not a chart")
	// ErrName says that the name of a file does not end in .xlsx.
	ErrName = errors.New("xlsx: the name must end in .xlsx")
	// ErrBroken says that a file is no workbook that can be read.
	ErrBroken = errors.New("xlsx: not a workbook that can be read")
	// ErrExists says that the file exists, or is none that may be replaced.
	ErrExists = errors.New("xlsx: the file exists")
)

// Error is what the methods of [Book] return.
type Error struct {
	Where  string // a cell, a range or a path
	Reason string // more detail, may be empty
	Err    error
}

func (e *Error) Error() string {
	text := strings.TrimPrefix(e.Err.Error(), "xlsx: ")
	if e.Where != "" && !strings.Contains(text, e.Where) {
		text = e.Where + ": " + text
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return "xlsx: " + text
}

// Unwrap returns the error behind e.
func (e *Error) Unwrap() error { return e.Err }
