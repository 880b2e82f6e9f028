package wordcases

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Check says what is wrong in a workbook that was made of the document: its first sheet must have the cells of Want and
// no others, and its only chart must be a bar chart of all their rows and columns.
func (c *Case) Check(xlsx []byte) error {
	if c.Want == nil {
		return fmt.Errorf("wordcases: %s: nobody can tell its numbers, and there is a file", c.Name)
	}
	got, charts, err := workbook(xlsx)
	if err != nil {
		return fmt.Errorf("wordcases: %s: %w", c.Name, err)
	}
	for y, row := range c.Want {
		for x, want := range row {
			name := fmt.Sprintf("%c%d", 'A'+x, y+1)
			if !same(got[name], want, x > 0 && y > 0) {
				return fmt.Errorf("wordcases: %s: %s is %q, not %q", c.Name, name, got[name].text, want)
			}
			delete(got, name)
		}
	}
	for name, cell := range got {
		return fmt.Errorf("wordcases: %s: %s is %q, and should be empty", c.Name, name, cell.text)
	}
	var want []string
	for x := 1; x < len(c.Want[0]); x++ {
		last, column := len(c.Want), 'A'+x
		want = append(want, fmt.Sprintf("%c1 A2:A%d %c2:%c%d", column, last, column, column, last))
	}
	if len(charts) != 1 || !slices.Equal(charts[0], want) {
		return fmt.Errorf("wordcases: %s: the charts show %q, not %q", c.Name, charts, want)
	}
	return nil
}

type cell struct {
	text   string
	number bool
}

func same(got cell, want string, number bool) bool {
	if !number || want == "" {
		return got.text == want && !got.number
	}
	a, errA := strconv.ParseFloat(got.text, 64)
	b, errB := strconv.ParseFloat(want, 64)
	return got.number && errA == nil && errB == nil && a == b
}

// workbook reads the cells of the first sheet, and the bar charts as the places of name, labels and values of each series.
func workbook(data []byte) (map[string]cell, [][]string, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	cells, strs, charts := map[string]cell{}, []string(nil), [][]string(nil)
	var sheet xmlSheet
	for _, f := range z.File {
		var err error
		switch {
		case f.Name == "xl/sharedStrings.xml":
			var shared struct {
				Items []xmlText `xml:"si"`
			}
			err = decode(f, &shared)
			for _, item := range shared.Items {
				strs = append(strs, item.all())
			}
		case f.Name == "xl/worksheets/sheet1.xml":
			err = decode(f, &sheet)
		case strings.HasPrefix(f.Name, "xl/charts/chart"):
			var chart xmlChart
			err = decode(f, &chart)
			charts = append(charts, chart.series())
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	for _, c := range sheet.Cells {
		switch at, _ := strconv.Atoi(c.Value); {
		case c.Type == "s" && at < len(strs):
			c.Value = strs[at]
		case c.Type == "inlineStr":
			c.Value = c.Inline.all()
		}
		if c.Value != "" {
			cells[c.Name] = cell{c.Value, c.Type == "" || c.Type == "n"}
		}
	}
	return cells, charts, nil
}

func decode(f *zip.File, into any) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return xml.Unmarshal(data, into)
}

type xmlText struct {
	Text string   `xml:"t"`
	Runs []string `xml:"r>t"`
}

func (t xmlText) all() string { return t.Text + strings.Join(t.Runs, "") }

type xmlSheet struct {
	Cells []struct {
		Name   string  `xml:"r,attr"`
		Type   string  `xml:"t,attr"`
		Value  string  `xml:"v"`
		Inline xmlText `xml:"is"`
	} `xml:"sheetData>row>c"`
}

type xmlChart struct {
	Bars []struct {
		Series []struct {
			Name   string `xml:"tx>strRef>f"`
			Texts  string `xml:"cat>strRef>f"`
			Years  string `xml:"cat>numRef>f"`
			Values string `xml:"val>numRef>f"`
		} `xml:"ser"`
	} `xml:"chart>plotArea>barChart"`
}

func (c *xmlChart) series() []string {
	var list []string
	for _, bars := range c.Bars {
		for _, s := range bars.Series {
			place := func(ref string) string {
				return strings.ReplaceAll(ref[strings.LastIndex(ref, "!")+1:], "$", "")
			}
			list = append(list, place(s.Name)+" "+place(s.Texts+s.Years)+" "+place(s.Values))
		}
	}
	return list
}
