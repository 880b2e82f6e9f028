package linuxdesktop

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var partName = regexp.MustCompile(`^(.*)-([1-9][0-9]*)$`)

// part is a part of a table: the whole, where it is on one page.
type part struct {
	*node
	name string // of the table, without the page
	page int    // 0: it has none
}

func partOf(t *node) part {
	p := part{node: t, name: oneLine(t.name)}
	if m := partName.FindStringSubmatch(p.name); m != nil {
		if n, err := strconv.Atoi(m[2]); err == nil {
			p.name, p.page = m[1], n
		}
	}
	return p
}

// grid is the cells of a table.
type grid [][]cell

// with appends another part. Its cells have the names of those that were read, such as A1, where they are the
// same: in the header that is repeated, and where a row, or a cell of several rows, goes on. Their texts do not
// tell: another row may say the same.
func (g grid) with(more grid) grid {
	read := len(g)
	for _, row := range more {
		same := 0
		for same < read && !g.isRow(same, row) {
			same++
		}
		switch {
		case same == read:
			g = append(g, row)
		case same == read-1: // its lines go on, unless it is a header of one row
			g.goesOn(same, row)
		}
	}
	for r := max(1, read); r < len(g); r++ {
		for i := range min(len(g[r]), len(g[r-1])) {
			if above := g[r-1][i]; g[r][i].name == above.name && above.name != "" {
				g[r][i].ref = above.ref
			}
		}
	}
	return g
}

// isRow reports whether a row of another part is row r. Of a cell that belongs to a row above, too, the name differs.
func (g grid) isRow(r int, row []cell) bool {
	own := 0
	for i, c := range g[r] {
		if g.begun(r, i) {
			continue
		}
		if own++; i >= len(row) || c.name == "" || row[i].name != c.name {
			return false
		}
	}
	return own > 0
}

// begun reports whether the cell in a place has begun in a row above.
func (g grid) begun(r, i int) bool { return r > 0 && i < len(g[r-1]) && g[r-1][i].ref == g[r][i].ref }

// fill puts the cell above where a row has none: a cell of several rows that the program made too short leaves a hole. There
// the program gives the next cell of the row, which begins further right.
func (g grid) fill() {
	const near = 2        // pixels
	left := map[int]int{} // where a column begins
	for _, row := range g {
		for i, c := range row {
			if i > 0 && row[i-1].ref == c.ref || c.unseen() {
				continue
			}
			if x, ok := left[i]; !ok || c.bounds.Min.X < x {
				left[i] = c.bounds.Min.X
			}
		}
	}
	for r, row := range g {
		for i := 0; i+1 < len(row); i++ {
			x, ok := left[i+1]
			if row[i].ref != row[i+1].ref || row[i].unseen() || !ok || row[i].bounds.Min.X < x-near || x <= left[i]+near {
				continue
			}
			hole := cell{bounds: row[i].bounds}
			if r > 0 && i < len(g[r-1]) {
				hole = g[r-1][i]
			}
			row[i] = hole
		}
	}
}

// goesOn puts the rest of a row behind what was read of it.
func (g grid) goesOn(r int, rest []cell) {
	if slices.EqualFunc(g[r], rest, func(a, b cell) bool { return a.text == b.text }) {
		return
	}
	for i := range min(len(rest), len(g[r])) {
		whole, ref := together(g[r][i].text, rest[i].text), g[r][i].ref
		for up := r; up >= 0 && i < len(g[up]) && g[up][i].ref == ref; up-- {
			g[up][i].text = whole
		}
	}
}

// together puts the two parts of a text together that a page divides. Lines end behind a blank, but in a number, before and
// behind some signs, and in scripts without blanks.
func together(text, rest string) string {
	last, _ := utf8.DecodeLastRuneInString(text)
	next, _ := utf8.DecodeRuneInString(rest)
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, ".,'’"))
	switch {
	case text == "" || rest == "", last == '-', strings.ContainsRune(".,'’)", next), unicode.IsDigit(before) && unicode.IsDigit(next),
		unicode.In(last, unblanked...) && unicode.In(next, unblanked...):
		return text + rest
	}
	return text + " " + rest
}

// unblanked are scripts that do not put blanks between words.
var unblanked = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// maxHeader is how many rows of a header are looked for.
const maxHeader = 10

var cellNumber = regexp.MustCompile(`^[A-Za-z]+([1-9][0-9]*)`)

// goOn reports whether cells are those of a part behind the first: behind a header that is repeated, if there is
// one, comes a row of a higher number.
func (g grid) goOn() bool {
	for r, row := range g[:min(len(g), maxHeader)] {
		for _, c := range row {
			if m := cellNumber.FindStringSubmatch(c.name); m != nil {
				if n, err := strconv.Atoi(m[1]); err == nil && n > r+1 {
					return true
				}
			}
		}
	}
	return false
}

// uncover puts cells into a row that begins where what is left of the row above has no height: of two cells in
// one place the program gives that of the row above. cells say how wide the columns are.
func uncover(row, others []cell, cells grid) {
	if allUnseen(row) {
		return
	}
	top := 0
	for _, c := range row {
		if !c.unseen() {
			top = c.bounds.Min.Y
		}
	}
	for i := range row {
		at := slices.IndexFunc(others, func(o cell) bool {
			return !o.unseen() && o.bounds.Min.Y == top && slices.ContainsFunc(cells, func(other []cell) bool {
				return i < len(other) && other[i].bounds.Min.X == o.bounds.Min.X && other[i].bounds.Max.X == o.bounds.Max.X
			})
		})
		if row[i].unseen() && at >= 0 {
			row[i] = others[at]
		}
	}
}

// texts are those of a row. A cell that covers several places has its text in the first.
func texts(row, above []cell) []string {
	out := make([]string, len(row))
	for i, c := range row {
		merged := i > 0 && c.ref == row[i-1].ref || i < len(above) && c.ref == above[i].ref
		if !merged {
			out[i] = c.text
		}
	}
	return out
}

// texts are those of all rows.
func (g grid) texts() [][]string {
	rows := make([][]string, len(g))
	for r := range g {
		var above []cell
		if r > 0 {
			above = g[r-1]
		}
		rows[r] = texts(g[r], above)
	}
	return rows
}

// merged lists the cells that cover several places.
func (g grid) merged() (list []merged) {
	for r, row := range g {
		for c := range row {
			ref := row[c].ref
			if c > 0 && row[c-1].ref == ref || r > 0 && c < len(g[r-1]) && g[r-1][c].ref == ref {
				continue
			}
			columns, rows := 1, 1
			for c+columns < len(row) && row[c+columns].ref == ref {
				columns++
			}
			for r+rows < len(g) && c < len(g[r+rows]) && g[r+rows][c].ref == ref {
				rows++
			}
			if rows > 1 || columns > 1 {
				list = append(list, merged{r + 1, c + 1, rows, columns})
			}
		}
	}
	return list
}
