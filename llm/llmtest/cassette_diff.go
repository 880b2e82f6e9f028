package llmtest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	diffAround = 2       // lines of context
	diffLimit  = 40      // lines in all
	diffWidth  = 160     // bytes of a line
	diffCells  = 1 << 20 // of the table of common lines
)

// nearest returns the lines of the recorded request that shares most with what
// was asked, and its number in the file.
func nearest(order []*track, asked []string) (lines []string, number int) {
	best := 0
	for i, tr := range order {
		have := map[string]int{}
		recorded := tr.request.lines()
		for _, line := range recorded {
			have[line]++
		}
		common := 0
		for _, line := range asked {
			if have[line] > 0 {
				have[line]--
				common++
			}
		}
		// What both have, less what only the recording has: a long one that happens to
		// share a few lines is not near.
		if score := 2*common - len(recorded); number == 0 || score > best {
			best, lines, number = score, recorded, i+1
		}
	}
	return lines, number
}

// diffLines shows how b differs from a.
func diffLines(a, b []string) string {
	ops := edits(a, b)
	var out []string
	last := -1 // the last line that was shown
	for i := 0; i < len(ops); i++ {
		if ops[i].mark == ' ' {
			continue
		}
		from := max(last+1, i-diffAround)
		if from > last+1 {
			out = append(out, fmt.Sprintf("  … %d equal lines", from-last-1))
		}
		for ; from < i; from++ {
			out = append(out, ops[from].show(0))
		}
		end := i
		for end < len(ops) && ops[end].mark != ' ' {
			end++
		}
		out = append(out, showChange(ops[i:end])...)
		last = end - 1
		for n := 0; n < diffAround && last+1 < len(ops) && ops[last+1].mark == ' '; n++ {
			last++
			out = append(out, ops[last].show(0))
		}
		i = last
	}
	if out == nil {
		return "  (no line differs)"
	}
	if rest := len(out) - diffLimit; rest > 0 {
		out = append(out[:diffLimit], fmt.Sprintf("  … %d more lines", rest))
	}
	return joinLines(out)
}

// edit is a line of both (' '), of a ('-') or of b ('+').
type edit struct {
	mark byte
	line string
}

// show returns the line, from a little before the byte that matters.
func (e edit) show(at int) string {
	line := e.line
	start := 0
	if at > diffWidth/2 && len(line) > diffWidth {
		start = min(at-diffWidth/4, len(line)-diffWidth/2)
		for start > 0 && !utf8.RuneStart(line[start]) {
			start--
		}
	}
	text := line[start:]
	if start > 0 {
		text = "…" + text
	}
	if len(text) > diffWidth {
		text = strings.ToValidUTF8(text[:diffWidth], "") + "…"
	}
	return string(e.mark) + " " + strings.ToValidUTF8(text, "\ufffd")
}

// showChange shows lines that were replaced: when as many came as went, from
// where each differs.
func showChange(ops []edit) []string {
	var gone, came []edit
	for _, op := range ops {
		if op.mark == '-' {
			gone = append(gone, op)
		} else {
			came = append(came, op)
		}
	}
	at := make([]int, max(len(gone), len(came)))
	for i := range min(len(gone), len(came)) {
		x, y := gone[i].line, came[i].line
		for at[i] < min(len(x), len(y)) && x[at[i]] == y[at[i]] {
			at[i]++
		}
	}
	var out []string
	for _, side := range [][]edit{gone, came} {
		for i, op := range side {
			out = append(out, op.show(at[i]))
		}
	}
	return out
}

// edits finds the longest common sequence of lines. What begins and ends alike is
// left out of the search, and a rest that is too large is replaced as a whole.
func edits(a, b []string) []edit {
	var ops, tail []edit
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		ops = append(ops, edit{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, edit{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	ops = append(ops, middle(a, b)...)
	slices.Reverse(tail)
	return append(ops, tail...)
}

func middle(a, b []string) (ops []edit) {
	common := make([][]int, 0, len(a)+1)
	if (len(a)+1)*(len(b)+1) <= diffCells {
		for range len(a) + 1 {
			common = append(common, make([]int, len(b)+1))
		}
		for i, line := range slices.Backward(a) {
			for j := len(b) - 1; j >= 0; j-- {
				if line == b[j] {
					common[i][j] = common[i+1][j+1] + 1
				} else {
					common[i][j] = max(common[i+1][j], common[i][j+1])
				}
			}
		}
	}
	i, j := 0, 0
	for len(common) > 0 && i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			ops = append(ops, edit{' ', a[i]})
			i++
			j++
		case common[i+1][j] >= common[i][j+1]:
			ops = append(ops, edit{'-', a[i]})
			i++
		default:
			ops = append(ops, edit{'+', b[j]})
			j++
		}
	}
	for ; i < len(a); i++ {
		ops = append(ops, edit{'-', a[i]})
	}
	for ; j < len(b); j++ {
		ops = append(ops, edit{'+', b[j]})
	}
	return ops
}
