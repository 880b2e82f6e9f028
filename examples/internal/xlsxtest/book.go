// Package xlsxtest reads .xlsx files, for tests.
package xlsxtest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Sheet is the only sheet of a file.
type Sheet struct {
	Cells  map[string]Cell // those that are not empty, by names such as B2
	Charts []Chart
}

// Cell is a text or a number.
type Cell struct {
	Number bool
	Text   string // of a number: as the file has it
}

// Float returns the value of a number.
func (c Cell) Float() (float64, bool) {
	f, err := strconv.ParseFloat(c.Text, 64)
	return f, c.Number && err == nil
}

// Chart is a chart. The fields of its series are references, such as Data!$B$2:$B$7.
type Chart struct {
	Bars   bool // it has one plot, of bars
	Title  string
	Series []Series
}

// Series is a series of a chart.
type Series struct{ Name, Categories, Values string }

// Open reads the file of that name.
func Open(name string) (*Sheet, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Read(data)
}

// Read reads a file.
func Read(data []byte) (*Sheet, error) {
	book, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	names := book.GetSheetList()
	if len(names) != 1 {
		return nil, fmt.Errorf("xlsxtest: the sheets are %q", names)
	}
	s := &Sheet{Cells: map[string]Cell{}}
	rows, err := book.GetRows(names[0], excelize.Options{RawCellValue: true})
	for y, row := range rows {
		for x, value := range row {
			cell, _ := excelize.CoordinatesToCellName(x+1, y+1)
			kind, failed := book.GetCellType(names[0], cell)
			if err = errors.Join(err, failed); value != "" {
				s.Cells[cell] = Cell{kind == excelize.CellTypeUnset || kind == excelize.CellTypeNumber, value}
			}
		}
	}
	z, failed := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	charts, err := fs.Glob(z, "xl/charts/chart*.xml")
	for _, name := range charts {
		err = errors.Join(err, s.chart(z, name))
	}
	return s, err
}

func (s *Sheet) chart(z fs.FS, name string) error {
	data, err := fs.ReadFile(z, name)
	if err != nil {
		return err
	}
	var x struct {
		Title []string `xml:"chart>title>tx>rich>p>r>t"`
		Plot  struct {
			Bars []struct {
				Series []struct {
					Name string `xml:"tx>strRef>f"`
					Text string `xml:"cat>strRef>f"`
					Num  string `xml:"cat>numRef>f"`
					Val  string `xml:"val>numRef>f"`
				} `xml:"ser"`
			} `xml:"barChart"`
			Others []struct {
				XMLName xml.Name `xml:""`
			} `xml:",any"`
		} `xml:"chart>plotArea"`
	}
	if err := xml.Unmarshal(data, &x); err != nil {
		return err
	}
	c := Chart{Title: strings.Join(x.Title, ""), Bars: len(x.Plot.Bars) == 1}
	for _, other := range x.Plot.Others {
		c.Bars = c.Bars && !strings.HasSuffix(other.XMLName.Local, "Chart")
	}
	for _, bars := range x.Plot.Bars {
		for _, s := range bars.Series {
			c.Series = append(c.Series, Series{s.Name, s.Text + s.Num, s.Val})
		}
	}
	s.Charts = append(s.Charts, c)
	return nil
}
