package table

import (
	"fmt"
	"strings"
)

// Source is a table as the Word application returns it. Rows is a rectangle;
// shorter rows count as filled up with empty places.
type Source struct {
	Number     int        `json:"number"`
	Parent     int        `json:"parent,omitempty"`
	Heading    string     `json:"heading,omitempty"`
	Sections   []string   `json:"sections,omitempty"`
	Caption    string     `json:"caption,omitempty"`
	Above      string     `json:"above,omitempty"` // a line above the table, which may say what is in it
	HeaderRows int        `json:"header_rows,omitempty"`
	Rows       [][]string `json:"rows"`
	Merges     []Merge    `json:"merges,omitempty"`
	Unclear    []Unclear  `json:"unclear,omitempty"`
	Languages  string     `json:"languages,omitempty"` // of its numbers, such as "de-CH en-US"

	proof *proof // of the decimal signs of the document
}

// Unclear is a cell in which a person sees more than its text says.
type Unclear struct {
	Row int    `json:"row"`
	Col int    `json:"col"`
	Why string `json:"why"` // such as "a picture"
}

// Merge is a cell that covers Rows × Cols places; its text is at Row, Col.
type Merge struct {
	Row  int `json:"row"`
	Col  int `json:"col"`
	Rows int `json:"rows"`
	Cols int `json:"cols"`
}

// grid is a Source with its merges at hand.
type grid struct {
	rows  [][]string
	width int
	merge map[[2]int]Merge // of places that a merge covers, its first too

	unclear map[[2]int]string // why
	habits  habits
}

func newGrid(s Source) *grid {
	g := &grid{rows: s.Rows, merge: map[[2]int]Merge{}, unclear: map[[2]int]string{}, habits: habitsOf(s)}
	for _, u := range s.Unclear {
		g.unclear[[2]int{u.Row, u.Col}] = fmt.Sprintf("in %q is more than I can read: %s", oneLine(g.cell(u.Row, u.Col)), u.Why)
	}
	for _, row := range s.Rows {
		g.width = max(g.width, len(row))
	}
	for _, m := range s.Merges {
		// JSON from elsewhere may say anything: a merge stays inside.
		for r := max(m.Row, 0); r < min(m.Row+m.Rows, len(g.rows)); r++ {
			for c := max(m.Col, 0); c < min(m.Col+m.Cols, g.width); c++ {
				g.merge[[2]int{r, c}] = m
			}
		}
	}
	return g
}

// cell is what stands at a place itself.
func (g *grid) cell(row, col int) string {
	if row < 0 || col < 0 || row >= len(g.rows) || col >= len(g.rows[row]) {
		return ""
	}
	return g.rows[row][col]
}

// label is what a reader sees at a place: of a merged cell, its text.
func (g *grid) label(row, col int) string {
	if m, ok := g.merge[[2]int{row, col}]; ok {
		row, col = m.Row, m.Col
	}
	return oneLine(g.cell(row, col))
}

// under says whether a place belongs to a cell that begins in a row above.
func (g *grid) under(row, col int) bool {
	m, ok := g.merge[[2]int{row, col}]
	return ok && m.Row < row
}

// banner says whether a row is one cell, such as a title over the columns.
func (g *grid) banner(row int) bool {
	m, ok := g.merge[[2]int{row, 0}]
	return ok && g.width > 1 && m.Cols >= g.width
}

// blank says whether no cell with a text begins in a row.
func (g *grid) blank(row int) bool {
	for c := range g.width {
		if strings.TrimSpace(g.cell(row, c)) != "" {
			return false
		}
	}
	return true
}

// silent says whether a reader sees nothing in a row, not even a cell that
// began above.
func (g *grid) silent(row int) bool {
	for c := range g.width {
		if g.label(row, c) != "" {
			return false
		}
	}
	return true
}

// oneLine turns all space into single blanks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
