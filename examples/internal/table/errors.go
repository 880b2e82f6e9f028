package table

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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
	// ErrUnclear says that what a person reads in the labels or the only numbers of a table is not certain.
	ErrUnclear = errors.New("table: its cells are not clear")
	// ErrNotNamed says that a request names no table, and several can be drawn.
	ErrNotNamed = errors.New("table: the request names no table, and more than one can be drawn")
	// ErrNoSuch says that no table is called what the request says.
	ErrNoSuch = errors.New("table: no table fits")
	// ErrSeveral says that a request fits more than one table.
	ErrSeveral = errors.New("table: the request fits more than one table")
	// ErrColumns says that the columns that a request names cannot be drawn.
	ErrColumns = errors.New("table: not what a chart of this table can show")
)

// UnfitError says why a table cannot be drawn.
type UnfitError struct {
	Table int    // number of the table
	Name  string // its title, may be empty
	Err   error
}

func (e *UnfitError) Error() string {
	name := fmt.Sprintf("table %d", e.Table)
	if e.Name != "" {
		name += fmt.Sprintf(", %q", e.Name)
	}
	return "table: " + name + ": " + strings.TrimPrefix(e.Err.Error(), "table: ")
}

// Unwrap returns the reason.
func (e *UnfitError) Unwrap() error { return e.Err }

// ChoiceError says why a request leads to no table, or to nothing that can be drawn.
type ChoiceError struct {
	Err    error     // one of the sentinels of this package
	Detail string    // such as the words that fit nothing; may be empty
	Tables []Summary // those that the request could mean
}

func (e *ChoiceError) Error() string {
	text := e.Err.Error()
	if errors.Is(e.Err, ErrSeveral) {
		text = fmt.Sprintf("table: the request fits %d tables", len(e.Tables))
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if errors.Is(e.Err, ErrColumns) {
		var names []string
		for _, c := range e.Tables[0].Columns {
			names = append(names, strconv.Quote(c.Name))
		}
		return text + fmt.Sprintf("; the numeric columns of %s are %s", e.Tables[0].shown(), listed(names))
	}
	var names []string
	for _, s := range e.Tables {
		name := s.shown()
		if s.Unfit != "" {
			name += " (" + s.Unfit + ")"
		}
		names = append(names, name)
	}
	if errors.Is(e.Err, ErrSeveral) {
		titles := slices.Clone(names)
		for i, name := range titles { // captions mostly have their number; headings do not
			if slices.Index(titles, name) != i || slices.Contains(titles[i+1:], name) {
				names[i] = fmt.Sprintf("%s (table %d)", name, e.Tables[i].Number)
			}
		}
		return text + ": " + listed(names) + "; say more of the caption of the one that is meant, or its number"
	}
	return text + "; the tables are " + listed(names)
}

// Unwrap returns the sentinel.
func (e *ChoiceError) Unwrap() error { return e.Err }

// maxListed is how many tables or columns an error names.
const maxListed = 10

func listed(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		names = append(slices.Clone(names[:maxListed]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

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
