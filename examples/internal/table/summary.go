package table

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Summary is what must be known of a table to choose among several, without
// its rows. It is what the Word application lists.
type Summary struct {
	Number   int      `json:"number"`
	Parent   int      `json:"parent,omitempty"`
	Heading  string   `json:"heading,omitempty"`
	Sections []string `json:"sections,omitempty"`
	Caption  string   `json:"caption,omitempty"`
	Above    string   `json:"above,omitempty"`
	Header   []string `json:"header,omitempty"`  // what the header says over several columns
	Label    string   `json:"label,omitempty"`   // header of the column that labels the rows
	Columns  []Column `json:"columns,omitempty"` // those with numbers; a long list may be cut
	Series   int      `json:"series,omitempty"`  // how many those are
	Drawn    int      `json:"drawn,omitempty"`   // how many of them a chart shows if nobody asks for certain ones
	Others   []Unread `json:"others,omitempty"`  // those with anything else
	Rows     int      `json:"rows"`              // below the header
	Totals   []string `json:"totals,omitempty"`  // labels of those among them that are totals
	Numbers  int      `json:"numbers,omitempty"` // in the columns
	Skipped  []string `json:"skipped,omitempty"` // texts among them
	Unfit    string   `json:"unfit,omitempty"`   // why it cannot be drawn
	Doubt    string   `json:"doubt,omitempty"`   // why a column of numbers is among the others

	err error // behind Unfit, where the summary was made
}

// Title is what a chart of the table would be called: the caption, else the
// heading, else the line above.
func (s Summary) Title() string { return title(s.Caption, s.Heading, s.Above) }

func title(caption, heading, above string) string {
	return cmp.Or(oneLine(caption), oneLine(heading), oneLine(above))
}

// shown is how an error speaks of it.
func (s Summary) shown() string {
	title := s.Title()
	switch {
	case title != "" && title == oneLine(s.Heading) && oneLine(s.Caption) == "" && len(s.Sections) > 0:
		return fmt.Sprintf("%q below %q", title, oneLine(s.Sections[len(s.Sections)-1]))
	case title != "":
		return strconv.Quote(title)
	}
	return fmt.Sprintf("table %d of the document, without a caption or heading", s.Number)
}

// Unread is a column without numbers.
type Unread struct {
	Name       string `json:"name,omitempty"`
	Why        string `json:"why"`
	Quantities bool   `json:"quantities,omitempty"` // it looks as if it had some
}

// Summarize describes a table.
func Summarize(s Source) Summary {
	l := lay(s)
	out := Summary{
		Number: s.Number, Parent: s.Parent, Heading: s.Heading, Sections: s.Sections, Caption: s.Caption, Above: s.Above,
		Doubt: l.doubt(), Rows: len(l.rows), Header: l.over(),
	}
	d, err := l.data(s)
	for c := range l.columns {
		if col := &l.columns[c]; col.kind != kindEmpty && (err != nil || c != l.label && col.kind != kindNumbers) {
			out.Others = append(out.Others, l.unread(c))
		}
	}
	if err != nil {
		if unfit, ok := errors.AsType[*UnfitError](err); ok {
			err = unfit.Err
		}
		out.Unfit, out.err = strings.TrimPrefix(err.Error(), "table: "), err
		return out
	}
	out.Label, out.Columns, out.Numbers = d.Label, d.columns(), d.Numbers()
	out.Series, out.Drawn = len(d.Series), len(d.Drawn)
	out.Totals = d.Labels[len(d.Labels)-d.Totals:]
	for _, cell := range d.Skipped {
		out.Skipped = append(out.Skipped, cell.Text)
	}
	return out
}

// reason is the error behind Unfit, also after a way through JSON.
func (s Summary) reason() error {
	if s.err != nil {
		return s.err
	}
	return errors.New(s.Unfit)
}
