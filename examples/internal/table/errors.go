package table

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrNoTables says that there is no table at all.
	ErrNoTables = errors.New("table: the document has no table")
	// ErrNoNumbers says that a table has no numeric column.
	ErrNoNumbers = errors.New("table: no numeric column")
	// ErrNoLabels says that a table has no column that could label its rows.
	ErrNoLabels = errors.New("table: no label column")
	// ErrMixed says that the only numeric columns of a table mix units.
	ErrMixed = errors.New("table: its numbers are of different units")
)

// UnfitError says why a table cannot be drawn.
type UnfitError struct {
	Table int // number of the table
	Err   error
}

func (e *UnfitError) Error() string {
	return fmt.Sprintf("table: table %d: %s", e.Table, strings.TrimPrefix(e.Err.Error(), "table: "))
}

// Unwrap returns the reason.
func (e *UnfitError) Unwrap() error { return e.Err }

// NotFoundError says that none of the tables can be drawn.
type NotFoundError struct {
	Tables []*UnfitError // one for each table, in their order
}

// maxReasons is how many tables the text of a NotFoundError speaks of.
const maxReasons = 5

func (e *NotFoundError) Error() string {
	var b strings.Builder
	b.WriteString("table: no table has a label column and a numeric column")
	for i, t := range e.Tables {
		if i == maxReasons {
			fmt.Fprintf(&b, "; and %d more", len(e.Tables)-i)
			break
		}
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		b.WriteString(sep + strings.TrimPrefix(t.Error(), "table: "))
	}
	return b.String()
}

// Unwrap returns the reasons, table by table.
func (e *NotFoundError) Unwrap() []error {
	errs := make([]error, len(e.Tables))
	for i, t := range e.Tables {
		errs[i] = t
	}
	return errs
}
