package wordcases

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Check says what is wrong in a workbook that was made of the document: all columns of Want must be drawn.
func (c *Case) Check(xlsx []byte) error {
	if c.Want == nil {
		return fmt.Errorf("wordcases: %s: nobody can tell its numbers, and there is a file", c.Name)
	}
	drawn := []int{}
	for column := range c.Want[0][1:] {
		drawn = append(drawn, column)
	}
	if _, err := Check(xlsx, c.Want, drawn); err != nil {
		return fmt.Errorf("wordcases: %s: %w", c.Name, err)
	}
	return nil
}

// Check returns the title of the only chart of a workbook, and says what is wrong: its only sheet must have the cells of
// want and no others. The chart must be of bars, and show all rows of the drawn columns; 0 is the one behind the labels.
func Check(xlsx []byte, want [][]string, drawn []int) (title string, err error) {
	var expected, series []string
	for y, row := range want {
		for x, text := range row {
			if n, err := strconv.ParseFloat(text, 64); err == nil && x > 0 && y > 0 {
				expected = append(expected, cell(x, y, n))
			} else if text != "" {
				expected = append(expected, cell(x, y, text))
			}
		}
	}
	for _, column := range drawn {
		name := string(rune('B' + column))
		series = append(series, fmt.Sprintf("%s1 A2:A%d %s2:%s%d", name, len(want), name, name, len(want)))
	}
	cells, err := readCells(xlsx)
	if err != nil {
		return "", err
	}
	if !slices.Equal(cells, expected) {
		return "", fmt.Errorf("the cells are %q, not %q", cells, expected)
	}
	title, shown, err := readChart(xlsx)
	if err == nil && !slices.Equal(shown, series) {
		err = fmt.Errorf("the chart shows %q, not %q", shown, series)
	}
	return title, err
}

// cell writes a text or a number with its place.
func cell(x, y int, value any) string { return fmt.Sprintf("%c%d %T %v", 'A'+x, y+1, value, value) }

func readCells(xlsx []byte) (cells []string, err error) {
	book, err := excelize.OpenReader(bytes.NewReader(xlsx))
	if err != nil {
		return nil, err
	}
	names := book.GetSheetList()
	if len(names) != 1 {
		return nil, fmt.Errorf("the sheets are %q", names)
	}
	rows, err := book.GetRows(names[0], excelize.Options{RawCellValue: true})
	for y, row := range rows {
		for x, text := range row {
			kind, failed := book.GetCellType(names[0], fmt.Sprintf("%c%d", 'A'+x, y+1))
			err = errors.Join(err, failed)
			if n, failed := strconv.ParseFloat(text, 64); failed == nil && (kind == excelize.CellTypeUnset || kind == excelize.CellTypeNumber) {
				cells = append(cells, cell(x, y, n))
			} else if text != "" {
				cells = append(cells, cell(x, y, text))
			}
		}
	}
	return cells, err
}

// readChart returns the title and the series of the only chart, which is one of bars.
func readChart(xlsx []byte) (title string, series []string, err error) {
	z, err := zip.NewReader(bytes.NewReader(xlsx), int64(len(xlsx)))
	if err != nil {
		return "", nil, err
	}
	names, err := fs.Glob(z, "xl/charts/chart*.xml")
	if err != nil || len(names) != 1 {
		return "", nil, errors.Join(err, fmt.Errorf("there are %d charts", len(names)))
	}
	data, err := fs.ReadFile(z, names[0])
	if err != nil {
		return "", nil, err
	}
	var x struct {
		Title []string `xml:"chart>title>tx>rich>p>r>t"`
		Plot  struct {
			Parts []struct {
				XMLName xml.Name `xml:""`
				Series  []struct {
					Name       string   `xml:"tx>strRef>f"`
					Categories []string `xml:"cat>strRef>f"`
					Numbers    []string `xml:"cat>numRef>f"`
					Values     string   `xml:"val>numRef>f"`
				} `xml:"ser"`
			} `xml:",any"`
		} `xml:"chart>plotArea"`
	}
	if err := xml.Unmarshal(data, &x); err != nil {
		return "", nil, err
	}
	for _, part := range x.Plot.Parts {
		if name := part.XMLName.Local; strings.HasSuffix(name, "Chart") && name != "barChart" {
			return "", nil, fmt.Errorf("it is a %s", name)
		}
		for _, s := range part.Series {
			categories := strings.Join(append(s.Categories, s.Numbers...), "")
			series = append(series, place(s.Name, false)+" "+place(categories, true)+" "+place(s.Values, true))
		}
	}
	return strings.Join(x.Title, ""), series, nil
}

// place is a reference without its sheet: A2:A7 of Data!$A$2:$A$7. A span of one cell has it twice.
func place(ref string, span bool) string {
	first, last, ok := strings.Cut(strings.ReplaceAll(ref[strings.LastIndexAny(ref, "!.")+1:], "$", ""), ":")
	if !ok {
		last = first
	}
	if span {
		return first + ":" + last
	}
	return first
}
