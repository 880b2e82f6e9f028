package table

import (
	"errors"
	"slices"
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
	Header   []string `json:"header,omitempty"` // all that the header rows say, each text once
	Rows     int      `json:"rows"`             // below the header
	Series   int      `json:"series,omitempty"`
	Numbers  int      `json:"numbers,omitempty"` // in the series
	Skipped  int      `json:"skipped,omitempty"` // cells among them that are none
	Unfit    string   `json:"unfit,omitempty"`   // why it cannot be drawn

	err error // behind Unfit, where the summary was made
}

// Title is what a chart of the table would be called: the caption, else the
// heading.
func (s Summary) Title() string {
	if title := oneLine(s.Caption); title != "" {
		return title
	}
	return oneLine(s.Heading)
}

// Summarize describes a table.
func Summarize(s Source) Summary {
	g := newGrid(s)
	header := headerRows(g, s.HeaderRows)
	out := Summary{
		Number: s.Number, Parent: s.Parent, Heading: s.Heading, Sections: s.Sections, Caption: s.Caption,
		Rows: len(bodyRows(g, header)),
	}
	for h := range header {
		for _, cell := range g.rows[h] {
			if text := oneLine(cell); text != "" && !slices.Contains(out.Header, text) {
				out.Header = append(out.Header, text)
			}
		}
	}
	d, err := Read(s)
	if err != nil {
		if unfit, ok := errors.AsType[*UnfitError](err); ok {
			err = unfit.Err
		}
		out.Unfit, out.err = strings.TrimPrefix(err.Error(), "table: "), err
		return out
	}
	out.Series, out.Numbers, out.Skipped = len(d.Series), d.Numbers(), len(d.Skipped)
	return out
}

// Choose returns which of the tables the request means, by its place in the
// list, and the words that led to it, sorted. Errors: [ErrNoTables],
// [*NotFoundError].
func Choose(request string, tables []Summary) (index int, words []string, err error) {
	if len(tables) == 0 {
		return 0, nil, ErrNoTables
	}
	wanted := wordsOf(request)
	none := &NotFoundError{}
	index = -1
	var best [3]int
	for i, s := range tables {
		if s.Unfit != "" {
			none.Tables = append(none.Tables, &UnfitError{Table: s.Number, Err: s.reason()})
			continue
		}
		common := shared(wanted, wordsOf(append([]string{s.Heading, s.Caption}, s.Header...)...))
		score := [3]int{len(common), len(shared(wanted, wordsOf(s.Sections...))), s.Numbers}
		if index < 0 || slices.Compare(score[:], best[:]) > 0 {
			index, words, best = i, common, score
		}
	}
	if index < 0 {
		return 0, nil, none
	}
	return index, words, nil
}

// reason is the error behind Unfit, also after a way through JSON.
func (s Summary) reason() error {
	if s.err != nil {
		return s.err
	}
	return errors.New(s.Unfit)
}
