package tables

import (
	"slices"
	"strings"
)

// Unknown marks in the text of a cell what a person sees there and a program cannot read. The reason follows it.
const Unknown = "\uFFFD"

// Source is a table as it stands in a document. Every name may be empty.
type Source struct {
	Number     int // in the document, from 1
	Caption    string
	Heading    string     // the nearest one above
	Sections   []string   // the headings above that one
	Above      string     // a line above the table that may say what is in it
	HeaderRows int        // how many rows the document marks as header; 0: it marks none
	Rows       [][]string // the text of a merged cell stands at its upper left place
	Merges     []Merge
	Languages  string // of its numbers, such as "de-CH en-US"
}

// Merge is a cell that covers Rows × Cols places.
type Merge struct{ Row, Col, Rows, Cols int }

// grid is a table with its merged cells at hand.
type grid struct {
	rows   [][]string
	width  int
	merges map[[2]int]Merge // of each place that one covers
}

func newGrid(s Source) *grid {
	g := &grid{rows: s.Rows, merges: map[[2]int]Merge{}}
	for _, row := range s.Rows {
		g.width = max(g.width, len(row))
	}
	for _, m := range s.Merges {
		for r := m.Row; r < min(m.Row+m.Rows, len(g.rows)); r++ {
			for c := m.Col; c < min(m.Col+m.Cols, g.width); c++ {
				g.merges[[2]int{r, c}] = m
			}
		}
	}
	return g
}

func (g *grid) cell(row, col int) string {
	if col < len(g.rows[row]) {
		return g.rows[row][col]
	}
	return ""
}

// label returns the text that a reader sees at a place: of a merged cell, its text in each of its places.
func (g *grid) label(row, col int) string {
	if m, ok := g.merges[[2]int{row, col}]; ok {
		row, col = m.Row, m.Col
	}
	return oneLine(g.cell(row, col))
}

// banner reports whether a row is one cell, such as a title over all columns.
func (g *grid) banner(row int) bool { return g.width > 1 && g.merges[[2]int{row, 0}].Cols >= g.width }

// name is what the header says over a column.
func (g *grid) name(header, col int) string {
	var parts []string
	for r := range header {
		if name := g.label(r, col); name != "" && !g.banner(r) && !slices.Contains(parts, name) {
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, " ")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
