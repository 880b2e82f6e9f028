package xlsxtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// look is what cells of all sheets refer to.
type look struct {
	strings []string
	formats []string // by style
	bold    []bool   // by style
}

// rich is a text, plain or in runs.
type rich struct {
	T *string  `xml:"t"`
	R []string `xml:"r>t"`
}

func (r rich) text() string {
	text := strings.Join(r.R, "")
	if r.T != nil {
		text += *r.T
	}
	return unescape(text)
}

var escape = regexp.MustCompile(`_x([0-9A-Fa-f]{4})_`)

// unescape reads _x000D_ as the character of that number.
func unescape(text string) string {
	return escape.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.ParseUint(s[2:6], 16, 16)
		if err != nil {
			return s
		}
		return string(utf16.Decode([]uint16{uint16(n)}))
	})
}

// builtIn are the number formats that have a number only.
var builtIn = map[int]string{0: "", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%"}

func (a archive) look(workbook relations) (*look, error) {
	l := &look{}
	if part, err := workbook.one("sharedStrings"); err == nil {
		var sst struct {
			SI []rich `xml:"si"`
		}
		if err := a.decode(part, &sst); err != nil {
			return nil, err
		}
		for _, si := range sst.SI {
			l.strings = append(l.strings, si.text())
		}
	}
	part, err := workbook.one("styles")
	if err != nil {
		return nil, err
	}
	var styles struct {
		NumFmts []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Fonts []struct {
			B *struct {
				Val string `xml:"val,attr"`
			} `xml:"b"`
		} `xml:"fonts>font"`
		Xfs []struct {
			NumFmt int `xml:"numFmtId,attr"`
			Font   int `xml:"fontId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := a.decode(part, &styles); err != nil {
		return nil, err
	}
	custom := map[int]string{}
	for _, f := range styles.NumFmts {
		custom[f.ID] = f.Code
	}
	for _, xf := range styles.Xfs {
		format, ok := custom[xf.NumFmt]
		if !ok {
			if format, ok = builtIn[xf.NumFmt]; !ok {
				return nil, fmt.Errorf("unknown number format %d", xf.NumFmt)
			}
		}
		bold := false
		if xf.Font > 0 && xf.Font < len(styles.Fonts) { // the first is the usual one
			b := styles.Fonts[xf.Font].B
			bold = b != nil && b.Val != "0" && b.Val != "false"
		}
		l.formats, l.bold = append(l.formats, format), append(l.bold, bold)
	}
	return l, nil
}

// xmlCell is a c element.
type xmlCell struct {
	Ref   string  `xml:"r,attr"`
	Type  string  `xml:"t,attr"`
	Style int     `xml:"s,attr"`
	F     *string `xml:"f"`
	V     *string `xml:"v"`
	IS    *rich   `xml:"is"`
}

func (a archive) sheet(part string, l *look) (*Sheet, error) {
	var ws struct {
		Cells []xmlCell `xml:"sheetData>row>c"`
		Cols  []struct {
			Min   int     `xml:"min,attr"`
			Max   int     `xml:"max,attr"`
			Width float64 `xml:"width,attr"`
		} `xml:"cols>col"`
	}
	if err := a.decode(part, &ws); err != nil {
		return nil, err
	}
	s := &Sheet{Cells: map[string]Cell{}, Widths: map[int]float64{}}
	for _, c := range ws.Cols {
		for col := c.Min; col <= min(c.Max, 16_384); col++ {
			s.Widths[col] = c.Width
		}
	}
	for _, c := range ws.Cells {
		cell, empty, err := c.read(l)
		if err != nil {
			return nil, fmt.Errorf("%s: cell %s: %w", part, c.Ref, err)
		}
		if empty {
			continue
		}
		if _, dup := s.Cells[c.Ref]; dup {
			return nil, fmt.Errorf("%s: cell %s is there twice", part, c.Ref)
		}
		col, row, err := position(c.Ref)
		if err != nil {
			return nil, err
		}
		s.Cells[c.Ref] = cell
		s.Rows, s.Cols = max(s.Rows, row), max(s.Cols, col)
	}
	var err error
	if s.Page, err = a.page(part); err != nil {
		return nil, err
	}
	s.Charts, err = a.charts(part)
	return s, err
}

func (c xmlCell) read(l *look) (cell Cell, empty bool, err error) {
	if c.Style < 0 || c.Style >= len(l.formats) {
		return cell, false, fmt.Errorf("no style %d", c.Style)
	}
	cell.Format, cell.Bold = l.formats[c.Style], l.bold[c.Style]
	if c.F != nil {
		cell.Formula = *c.F
	}
	if c.V == nil && c.IS == nil {
		return cell, c.F == nil, nil
	}
	switch {
	case c.Type == "inlineStr" && c.IS != nil:
		cell.Kind, cell.Text = Text, c.IS.text()
	case c.V == nil:
		return cell, false, fmt.Errorf("type %q without a value", c.Type)
	case c.Type == "s":
		i, err := strconv.Atoi(*c.V)
		if err != nil || i < 0 || i >= len(l.strings) {
			return cell, false, fmt.Errorf("no shared string %q", *c.V)
		}
		cell.Kind, cell.Text = Text, l.strings[i]
	case c.Type == "str":
		cell.Kind, cell.Text = Text, unescape(*c.V)
	case c.Type == "b":
		cell.Kind, cell.Text = Boolean, map[string]string{"0": "FALSE", "1": "TRUE"}[*c.V]
	case c.Type == "" || c.Type == "n":
		if _, err := strconv.ParseFloat(*c.V, 64); err != nil {
			return cell, false, fmt.Errorf("%q as a number", *c.V)
		}
		cell.Kind, cell.Text = Number, *c.V
	default:
		return cell, false, fmt.Errorf("unknown type %q", c.Type)
	}
	return cell, false, nil
}

// Float returns the value of a number.
func (c Cell) Float() (float64, bool) {
	if c.Kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(c.Text, 64)
	return f, err == nil
}

var cellName = regexp.MustCompile(`^\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})$`)

// position reads the name of a cell; column and row count from 1.
func position(name string) (col, row int, err error) {
	m := cellName.FindStringSubmatch(name)
	if m == nil {
		return 0, 0, fmt.Errorf("%q is not a cell", name)
	}
	for _, letter := range m[1] {
		col = col*26 + int(letter-'A') + 1
	}
	row, err = strconv.Atoi(m[2])
	return col, row, err
}

// nameOf is the inverse of position.
func nameOf(col, row int) string {
	letters := ""
	for ; col > 0; col = (col - 1) / 26 {
		letters = string(rune('A'+(col-1)%26)) + letters
	}
	return letters + strconv.Itoa(row)
}
