// Package saved reads back what a spreadsheet file has: the cells of its first sheet, and its charts. It knows .xlsx
// and .ods, as LibreOffice writes them.
package saved

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Sheet is what the first sheet of a file has.
type Sheet struct {
	Cells  map[string]Cell // those that are not empty, by name, such as B7
	Charts []Chart         // of the file
}

// Cell is a text or a number.
type Cell struct {
	Text   string  // "" for a number
	Number float64 // of a number
	IsText bool
}

func (c Cell) String() string {
	if c.IsText {
		return strconv.Quote(c.Text)
	}
	return strconv.FormatFloat(c.Number, 'g', -1, 64)
}

// Chart is one chart.
type Chart struct {
	Bars   bool // columns or bars
	Series int
}

// maxCells is how many cells a file of OpenDocument may have: it says of one how often it is repeated.
const maxCells = 1 << 17

var (
	errKind  = errors.New("neither .xlsx nor .ods")
	errCells = errors.New("it has too many cells")
)

// Read reads a file.
func Read(file string) (*Sheet, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, fmt.Errorf("saved: %w", err)
	}
	defer z.Close() //nolint:errcheck // it was only read
	s := &Sheet{Cells: map[string]Cell{}}
	switch path.Ext(file) {
	case ".xlsx":
		err = s.xlsx(file, &z.Reader)
	case ".ods":
		err = s.ods(&z.Reader)
	default:
		err = errKind
	}
	if err != nil {
		return nil, fmt.Errorf("saved: %s: %w", path.Base(file), err)
	}
	return s, nil
}

// xlsx reads cells by a library, and the charts that it does not read.
func (s *Sheet) xlsx(file string, z *zip.Reader) (err error) {
	book, err := excelize.OpenFile(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	name := book.GetSheetName(0)
	rows, err := book.GetRows(name, excelize.Options{RawCellValue: true})
	if err != nil {
		return err
	}
	for r, row := range rows {
		for c, value := range row {
			if value == "" {
				continue
			}
			cell, err := excelize.CoordinatesToCellName(c+1, r+1)
			if err != nil {
				return err
			}
			kind, err := book.GetCellType(name, cell)
			if err != nil {
				return err
			}
			if s.Cells[cell], err = cellOf(value, kind != excelize.CellTypeUnset && kind != excelize.CellTypeNumber); err != nil {
				return err
			}
		}
	}
	for _, f := range z.File {
		if ok, _ := path.Match("xl/charts/chart*.xml", f.Name); ok {
			if err := s.chart(f); err != nil {
				return err
			}
		}
	}
	return nil
}

func cellOf(value string, text bool) (Cell, error) {
	if text {
		return Cell{Text: value, IsText: true}, nil
	}
	n, err := strconv.ParseFloat(value, 64)
	return Cell{Number: n}, err
}

// chart reads a chart: one is of bars if it has nothing else.
func (s *Sheet) chart(f *zip.File) error {
	c, others := Chart{}, false
	err := elements(f, func(e xml.StartElement) {
		switch name := e.Name.Local; {
		case name == "barChart":
			c.Bars = true
		case strings.HasSuffix(name, "Chart"): // such as lineChart
			others = true
		case name == "ser":
			c.Series++
		}
	})
	c.Bars = c.Bars && !others
	s.Charts = append(s.Charts, c)
	return err
}

// elements calls a func with each element of a part.
func elements(f *zip.File, do func(xml.StartElement)) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // it was only read
	d := xml.NewDecoder(r)
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		if e, ok := token.(xml.StartElement); ok {
			do(e)
		}
	}
}

// odsBars is the class of a chart of bars.
const odsBars = "chart:bar"

// odsCell is a cell of OpenDocument.
type odsCell struct {
	Type    string   `xml:"value-type,attr"`
	Value   string   `xml:"value,attr"`
	Columns int      `xml:"number-columns-repeated,attr"`
	Lines   []string `xml:"p"`
}

// ods reads the file of OpenDocument.
func (s *Sheet) ods(z *zip.Reader) error {
	var content struct {
		Tables []struct {
			Rows []struct {
				Repeated int       `xml:"number-rows-repeated,attr"`
				Cells    []odsCell `xml:",any"`
			} `xml:"table-row"`
		} `xml:"body>spreadsheet>table"`
	}
	for _, f := range z.File {
		switch {
		case f.Name == "content.xml":
			if err := decode(f, &content); err != nil {
				return err
			}
		case strings.HasPrefix(f.Name, "Object ") && path.Base(f.Name) == "content.xml":
			if err := s.odsChart(f); err != nil {
				return err
			}
		}
	}
	if len(content.Tables) == 0 {
		return errors.New("it has no sheet")
	}
	row := 0
	for _, r := range content.Tables[0].Rows {
		column := 0
		for _, c := range r.Cells {
			if c.Type != "" {
				if err := s.put(row, column, max(1, r.Repeated), c); err != nil {
					return err
				}
			}
			column += max(1, c.Columns)
		}
		row += max(1, r.Repeated)
	}
	return nil
}

// put keeps a cell in each of its places.
func (s *Sheet) put(row, column, rows int, c odsCell) error {
	cell := Cell{Text: strings.Join(c.Lines, "\n"), IsText: true}
	if c.Type != "string" {
		var err error
		if cell, err = cellOf(c.Value, false); err != nil {
			return err
		}
	}
	for r := range rows {
		for i := range max(1, c.Columns) {
			name, err := excelize.CoordinatesToCellName(column+i+1, row+r+1)
			if err != nil {
				return err
			}
			if len(s.Cells) == maxCells {
				return errCells
			}
			s.Cells[name] = cell
		}
	}
	return nil
}

// odsChart reads an object that is a chart: one is of bars if all of its series are.
func (s *Sheet) odsChart(f *zip.File) error {
	var content struct {
		Chart *struct {
			Class  string `xml:"class,attr"`
			Series []struct {
				Class string `xml:"class,attr"` // "": that of the chart
			} `xml:"plot-area>series"`
		} `xml:"body>chart>chart"`
	}
	if err := decode(f, &content); err != nil {
		return err
	}
	if content.Chart == nil {
		return nil
	}
	c := Chart{Bars: content.Chart.Class == odsBars, Series: len(content.Chart.Series)}
	for _, series := range content.Chart.Series {
		c.Bars = c.Bars && (series.Class == "" || series.Class == odsBars)
	}
	s.Charts = append(s.Charts, c)
	return nil
}

func decode(f *zip.File, into any) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(r)
	if err == nil {
		err = xml.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}
