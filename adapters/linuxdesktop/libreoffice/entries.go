package libreoffice

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
)

// entry is a value for a cell.
type entry struct {
	row, column int // from 0
	text        string
	number      *float64
}

func (e entry) cell() string { return columnName(e.column) + strconv.Itoa(e.row+1) }

func columnName(column int) (name string) {
	for n := column; n >= 0; n = n/26 - 1 {
		name = string(rune('A'+n%26)) + name
	}
	return name
}

var cellForm = regexp.MustCompile(`^([A-Z]{1,3})([1-9][0-9]{0,6})$`)

// parseCell reads the name of a cell.
func parseCell(name string) (row, column int, err error) {
	m := cellForm.FindStringSubmatch(name)
	if m == nil {
		return 0, 0, fmt.Errorf("%q is no cell", screen.Clip(name, 20))
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
					return nil, fmt.Errorf("%s is no number of a cell", value)
				}
				e.number = &n
			default:
				return nil, fmt.Errorf("a cell has no place for %T", value)
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

// formula is how a text begins that may become a formula when a person edits its cell: a formula can send what other cells hold.
var formula = regexp.MustCompile(`^\s*(=|[-+@][^0-9]*[(#!|'])`)

// sylk writes entries in the Symbolic Link format, in which a text is a text and a number a number. The first cell is row 1,
// column 1 of it.
func sylk(entries []entry, row, column int) []byte {
	var b strings.Builder
	b.WriteString("ID;PSCALC3\r\n")
	quoted := strings.NewReplacer(`"`, `""`, "\r\n", "\x1b :", "\n", "\x1b :", "\r", "\x1b :")
	for _, e := range entries {
		value := `"` + quoted.Replace(e.text) + `"`
		if e.number != nil {
			value = strconv.FormatFloat(*e.number, 'g', -1, 64)
		}
		fmt.Fprintf(&b, "C;X%d;Y%d;K%s\r\n", e.column-column+1, e.row-row+1, value)
	}
	b.WriteString("E\r\n")
	return []byte(b.String())
}
