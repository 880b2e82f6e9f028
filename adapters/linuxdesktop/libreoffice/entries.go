package libreoffice

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
)

// cell is a place in a sheet, from 0.
type cell struct{ row, column int }

func (c cell) String() string { return columnName(c.column) + strconv.Itoa(c.row+1) }

func columnName(column int) (name string) {
	for n := column; n >= 0; n = n/26 - 1 {
		name = string(rune('A'+n%26)) + name
	}
	return name
}

var cellForm = regexp.MustCompile(`^([A-Z]{1,3})([1-9][0-9]{0,6})$`)

// parseCell reads the name of a cell.
func parseCell(name string) (c cell, err error) {
	m := cellForm.FindStringSubmatch(name)
	if m == nil {
		return c, fmt.Errorf("%q is no cell", screen.Clip(name, 20))
	}
	for _, letter := range m[1] {
		c.column = c.column*26 + int(letter-'A') + 1
	}
	c.row, err = strconv.Atoi(m[2])
	return cell{c.row - 1, c.column - 1}, err
}

// entry is a value for a cell.
type entry struct {
	cell

	text   string
	number *float64
}

// entriesOf reads the rows of write_cells, which begin at a cell. Texts that are numbers become some to the right of and below
// the cell numbers; nil: none.
func entriesOf(rows [][]any, first cell, numbers *cell) (list []entry) {
	for r, values := range rows {
		for c, value := range values {
			e := entry{cell: cell{first.row + r, first.column + c}}
			switch value := value.(type) {
			case nil:
				continue
			case float64:
				e.number = &value
			case string:
				n, ok := numberOf(value)
				if ok && numbers != nil && e.row >= numbers.row && e.column >= numbers.column {
					e.number = &n
				} else {
					e.text = value
				}
			}
			list = append(list, e)
		}
	}
	return list
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

// formula is how a text begins that may become a formula when a person edits its cell: a formula can send what other cells hold.
var formula = regexp.MustCompile(`^\s*(=|[-+@][^0-9]*[(#!|'])`)

// sylk writes entries in the Symbolic Link format, in which a text is a text and a number a number.
func sylk(entries []entry, first cell) []byte {
	var b strings.Builder
	b.WriteString("ID;PSCALC3\r\n")
	quoted := strings.NewReplacer(`"`, `""`, "\r\n", "\x1b :", "\n", "\x1b :", "\r", "\x1b :")
	for _, e := range entries {
		value := `"` + quoted.Replace(e.text) + `"`
		if e.number != nil {
			value = strconv.FormatFloat(*e.number, 'g', -1, 64)
		}
		fmt.Fprintf(&b, "C;X%d;Y%d;K%s\r\n", e.column-first.column+1, e.row-first.row+1, value)
	}
	b.WriteString("E\r\n")
	return []byte(b.String())
}
