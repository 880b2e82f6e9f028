package table

import "strings"

// maxHeader is how many rows of a header are looked for.
const maxHeader = 5

// headerRows says how many of the first rows are the header.
func headerRows(g *grid, marked int) int {
	h := 0
	if marked < len(g.rows) {
		h = max(0, marked)
	}
	for h < maxHeader && h < len(g.rows)-1 && (g.banner(h) || g.blank(h) || isHeader(g, h)) {
		h++
	}
	if h == len(g.rows)-1 && g.banner(h) {
		return len(g.rows)
	}
	return h
}

// isHeader says whether row h, with header rows above it, is one too: over
// the numbers it has words or years.
func isHeader(g *grid, h int) bool {
	below := rowsFrom(g, h+1)
	words, years := 0, []int{}
	var overNumbers []int
	for c := range g.width {
		col := readColumn(g, c, below)
		if len(col.amounts) == 0 || len(col.amounts) < len(col.words) {
			continue
		}
		overNumbers = append(overNumbers, c)
		a, number, dash := parseAmount(g.cell(h, c))
		switch {
		case number && a.isYear():
			years = append(years, c)
		case number, dash:
			return false
		case strings.TrimSpace(g.cell(h, c)) != "":
			words++
		}
	}
	switch {
	case len(overNumbers) == 0:
		return h == 0 && !g.blank(h) // a table without numbers; its first row is as good as any
	case h > 0 && words+len(years) == 0:
		return false
	case h > 0 && !continues(g, h, overNumbers):
		return false
	case len(years) > 0 && !yearsAreHeader(g, h, years, below):
		return false
	}
	return true
}

// continues says whether row h looks like one more row of the header above,
// not like a row of the table that happens to have no numbers.
func continues(g *grid, h int, overNumbers []int) bool {
	if g.label(h, 0) == "" || g.under(h, 0) || g.banner(h-1) || g.blank(h-1) {
		return true
	}
	for _, c := range overNumbers {
		if m, ok := g.merge[[2]int{h - 1, c}]; ok && m.Cols > 1 {
			return true
		}
	}
	return false
}

// yearsAreHeader tells a header of years from a first row of a table that is
// about years.
func yearsAreHeader(g *grid, h int, cols, below []int) bool {
	if g.label(h, 0) == "" {
		return true
	}
	allYears, allSteps := true, true
	for _, r := range below {
		if g.blank(r) || g.banner(r) {
			continue
		}
		for _, c := range cols {
			a, number, _ := parseAmount(g.cell(r, c))
			allYears = allYears && (!number || a.isYear())
		}
		allSteps = allSteps && inSteps(g, r, cols)
	}
	return !allYears || inSteps(g, h, cols) && !allSteps
}

// inSteps says whether the numbers of a row follow each other as years over
// columns do: by one, or, if there are more than two, always by the same.
func inSteps(g *grid, row int, cols []int) bool {
	var numbers []float64
	for _, c := range cols {
		a, number, _ := parseAmount(g.cell(row, c))
		if !number {
			return false
		}
		n, _ := a.reading('.')
		f, _ := n.Float()
		numbers = append(numbers, f)
	}
	if len(numbers) < 2 {
		return false
	}
	step := numbers[1] - numbers[0]
	for i := 1; i < len(numbers); i++ {
		if numbers[i]-numbers[i-1] != step {
			return false
		}
	}
	return step == 1 || step == -1 || step != 0 && len(numbers) > 2
}

func rowsFrom(g *grid, first int) []int {
	var rows []int
	for r := first; r < len(g.rows); r++ {
		rows = append(rows, r)
	}
	return rows
}

// bodyRows are the rows below the header that say something.
func bodyRows(g *grid, header int) []int {
	var rows []int
	for _, r := range rowsFrom(g, header) {
		if !g.silent(r) && !g.banner(r) && !repeatsHeader(g, r, header) {
			rows = append(rows, r)
		}
	}
	return rows
}

// repeatsHeader says whether a row is the header again, as at the top of a page.
func repeatsHeader(g *grid, row, header int) bool {
	for h := range header {
		if g.blank(h) || g.banner(h) {
			continue
		}
		same := true
		for c := 0; c < g.width && same; c++ {
			same = oneLine(g.cell(row, c)) == oneLine(g.cell(h, c))
		}
		if same {
			return true
		}
	}
	return false
}

// name is what the header says over a column.
func name(g *grid, header, col int) string {
	var parts []string
	for h := range header {
		if g.banner(h) {
			continue
		}
		if text := g.label(h, col); text != "" && (len(parts) == 0 || parts[len(parts)-1] != text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}
