// Package tables finds the table that a request is about and reads its numbers. A program reads its document into a
// list of [Block], and [Read] makes tables of it. [Tools] makes the tools list_tables and extract_table of them, and
// [Rule] plays the model that uses these tools.
//
// A number is read as a person reads it, or its column is refused with a reason. If 1.200 may be 1200 or 1.2, the
// other numbers of the column decide, then those of the document, then its language. A cell such as "1.5 kg", "1204¹"
// or "~5" is no number. 12.5 % is the number 0.125.
package tables

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Block is a paragraph, a heading or a table of a document.
type Block struct {
	Text    string
	Level   int     // of a heading, from 1; 0: it is none
	Caption bool    // by its style
	Table   *Source // nil: a text
}

// Unknown marks in the text of a cell what a person sees there and a program cannot read. The reason follows it.
const Unknown = "\uFFFD"

// Source is a table as it stands in a document.
type Source struct {
	Caption    string     // if no paragraph is one
	HeaderRows int        // how many rows the document marks as header; 0: it marks none
	Rows       [][]string // the text of a merged cell stands at its upper left place
	Merges     []Merge
	Languages  []string // of its numbers, such as de-CH
}

// Merge is a cell that covers Rows × Cols places.
type Merge struct{ Row, Col, Rows, Cols int }

// Table is a table that was read. Its JSON describes it to the model that chooses one.
type Table struct {
	Number  int      `json:"number"` // in the document, from 1
	Title   string   `json:"title,omitempty"`
	Under   []string `json:"under,omitempty"` // headings and lines above it
	Columns []Column `json:"columns,omitempty"`
	Rows    int      `json:"rows"`
	Unfit   string   `json:"unfit,omitempty"` // why the table cannot be drawn

	values [][]any // a header, then a label and numbers or nil in each row
}

// Column is a column beside the labels.
type Column struct {
	Name string `json:"name,omitempty"`
	Unit string `json:"unit,omitempty"` // % or a currency
	Why  string `json:"why,omitempty"`  // it cannot be drawn
}

// Read reads the tables of a document.
func Read(blocks []Block) (list []*Table) {
	blocks = slices.DeleteFunc(blocks, func(b Block) bool { return b.Table == nil && b.Text == "" })
	proved, captions := proofs(blocks), captionsOf(blocks)
	var path []Block // the headings above
	for i, b := range blocks {
		if b.Table == nil {
			if b.Level > 0 {
				path = append(slices.DeleteFunc(path, func(h Block) bool { return h.Level >= b.Level }), b)
			}
			continue
		}
		names := []string{cmp.Or(captions[i], b.Table.Caption)}
		for _, h := range slices.Backward(path) {
			names = append(names, h.Text)
		}
		if i > 0 && blocks[i-1].Table == nil && blocks[i-1].Level == 0 && !blocks[i-1].isCaption() && len(blocks[i-1].Text) <= maxName {
			names = append(names, blocks[i-1].Text)
		}
		t := readTable(b.Table, proved)
		t.Number = len(list) + 1
		for _, name := range names {
			if name = oneLine(name); t.Title == "" {
				t.Title = name
			} else if name != "" {
				t.Under = append(t.Under, name)
			}
		}
		list = append(list, t)
	}
	return list
}

// maxName is how many bytes a paragraph may have that is a name of a table.
const maxName = 200

// captioned is how captions begin, with a style or without: "Table 2.1: Costs".
var captioned = regexp.MustCompile(`^[\p{L}\p{M}]+\.?\s*\p{Nd}+(\.\p{Nd}+)*\s*([:：。]|[.)–—-](\s|$))`)

func (b Block) isCaption() bool {
	return b.Table == nil && b.Level == 0 && (b.Caption || len(b.Text) <= maxName && captioned.MatchString(b.Text))
}

// captionsOf finds the captions of tables, by place: all above or all below. If the document does not show which, a
// caption between two tables belongs to neither.
func captionsOf(blocks []Block) map[int]string {
	isTable := func(i int) bool { return i >= 0 && i < len(blocks) && blocks[i].Table != nil }
	sides := map[int]bool{} // 1: above its table
	for i, b := range blocks {
		if b.isCaption() && isTable(i-1) != isTable(i+1) {
			sides[map[bool]int{true: 1, false: -1}[isTable(i+1)]] = true
		}
	}
	captions := map[int]string{}
	for i, b := range blocks {
		for _, side := range []int{1, -1} {
			if b.isCaption() && isTable(i+side) && (!isTable(i-side) || sides[side] && !sides[-side]) {
				captions[i+side] = b.Text
			}
		}
	}
	return captions
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
