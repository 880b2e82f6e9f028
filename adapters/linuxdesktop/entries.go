package linuxdesktop

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
)

// entry is a value for a cell.
type entry struct {
	row, column int
	text        string
	number      *float64
}

func (e entry) cell() string { return cellName(e.row, e.column) }

// cellName is what a sheet calls a cell. Rows and columns begin at 0.
func cellName(row, column int) string {
	name := ""
	for n := column; n >= 0; n = n/26 - 1 {
		name = string(rune('A'+n%26)) + name
	}
	return name + strconv.Itoa(row+1)
}

var cellForm = regexp.MustCompile(`^([A-Z]{1,3})([1-9][0-9]{0,6})$`)

// parseCell reads the name of a cell.
func parseCell(name string) (row, column int, err error) {
	m := cellForm.FindStringSubmatch(name)
	if m == nil {
		return 0, 0, refuse("%q is no cell", clip(name, 20))
	}
	for _, c := range m[1] {
		column = column*26 + int(c-'A') + 1
	}
	row, err = strconv.Atoi(m[2])
	return row - 1, column - 1, err
}

// entriesOf reads the rows of write_cells.
func entriesOf(rows [][]any, row, column int) (list []entry, err error) {
	for r, values := range rows {
		for c, value := range values {
			e := entry{row: row + r, column: column + c}
			switch value := value.(type) {
			case nil:
				continue
			case string:
				e.text = value
			case json.Number:
				n, err := value.Float64()
				if err != nil {
					return nil, refuse("%s is no number of a cell", value)
				}
				e.number = &n
			default:
				return nil, refuse("a cell has no place for %T", value)
			}
			list = append(list, e)
		}
	}
	return list, nil
}

// asNumbers makes numbers of texts that are some, from a cell on.
func asNumbers(entries []entry, row, column int) {
	for i := range entries {
		e := &entries[i]
		if e.number == nil && e.row >= row && e.column >= column {
			if n, ok := numberOf(e.text); ok {
				e.text, e.number = "", &n
			}
		}
	}
}

var numberForm = regexp.MustCompile(`^[-+]? ?([0-9]{1,3}(,[0-9]{3})+|[0-9]{1,3}( [0-9]{3})+|[0-9]+)(\.[0-9]+)?$`)

// numberOf reads a number as English documents write it: -1,204.5, and (3) for -3.
func numberOf(text string) (float64, bool) {
	text = strings.TrimSpace(strings.NewReplacer("\u2212", "-", "\u00a0", " ", "\u202f", " ").Replace(text))
	if inside, ok := strings.CutPrefix(text, "("); ok && strings.HasSuffix(inside, ")") && !strings.ContainsAny(inside, "-+") {
		text = "-" + strings.TrimSuffix(inside, ")")
	}
	if !numberForm.MatchString(text) {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.NewReplacer(",", "", " ", "").Replace(text), 64)
	return n, err == nil
}

// kept is how a text is written so that it stays one: a number, or a date, with an apostrophe. The program
// takes that away where it is needed, and keeps it elsewhere. It knows what is a number: usual is a guess.
func kept(text string, usual bool) string {
	word := strings.ContainsFunc(text, unicode.IsLetter) && !truths[strings.ToLower(text)]
	if word != usual {
		return "'" + text
	}
	return text
}

// truths are texts that programs take for a truth value, which is a number to them.
var truths = set("true", "false", "wahr", "falsch", "vrai", "faux", "verdadero", "falso", "vero", "истина", "ложь")

// unclear reports whether a cell that shows a text may hold a number: 0 is the number of a text, too.
func unclear(text string) bool {
	n, ok := numberOf(text)
	return ok && n == 0 || truths[strings.ToLower(text)]
}

// formula is what a cell may begin with that a program computes: a formula can send what other cells hold.
var formula = regexp.MustCompile(`^\s*(=|[-+@][^0-9]*[(#!|'])`)

// run is cells in a row or in a column, and the key that leads from one to the next.
type run struct {
	entries []entry
	next    []x11.Stroke
}

// behind is the cell to which the key leads from the last one.
func (r run) behind() (row, column int) {
	last := r.entries[len(r.entries)-1]
	if slices.Equal(r.next, strokesOf("{TAB}")) {
		return last.row, last.column + 1
	}
	return last.row + 1, last.column
}

// runs puts texts together so that few cells have to be gone to.
func runs(texts []entry) (list []run) {
	at := map[[2]int]int{}
	for i, e := range texts {
		at[[2]int{e.row, e.column}] = i
	}
	done := make([]bool, len(texts))
	follow := func(e entry, down, right int) (out []entry) {
		for {
			i, ok := at[[2]int{e.row, e.column}]
			if !ok || done[i] {
				return out
			}
			out = append(out, texts[i])
			e.row, e.column = e.row+down, e.column+right
		}
	}
	for i, e := range texts {
		if done[i] {
			continue
		}
		r := run{follow(e, 0, 1), strokesOf("{TAB}")}
		if down := follow(e, 1, 0); len(down) > len(r.entries) {
			r = run{down, strokesOf("{ENTER}")}
		}
		for _, e := range r.entries {
			done[at[[2]int{e.row, e.column}]] = true
		}
		list = append(list, r)
	}
	return list
}
