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
	Series []Series
}

// Series are the cells that bars of one colour show.
type Series struct {
	Name       string // such as B1
	Categories string // such as A2:A9
	Values     string
}

func (s Series) String() string { return s.Values + " called " + s.Name + " over " + s.Categories }

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
	var content struct {
		Parts struct {
			List []struct {
				XMLName xml.Name
				Series  []struct {
					Name    string `xml:"tx>strRef>f"`
					Texts   string `xml:"cat>strRef>f"`
					Numbers string `xml:"cat>numRef>f"`
					Values  string `xml:"val>numRef>f"`
				} `xml:"ser"`
			} `xml:",any"`
		} `xml:"chart>plotArea"`
	}
	if err := decode(f, &content); err != nil {
		return err
	}
	c, others := Chart{}, false
	for _, part := range content.Parts.List {
		c.Bars = c.Bars || part.XMLName.Local == "barChart"
		others = others || strings.HasSuffix(part.XMLName.Local, "Chart") && part.XMLName.Local != "barChart" // such as lineChart
		for _, ser := range part.Series {
			c.Series = append(c.Series, Series{place(ser.Name), span(ser.Texts + ser.Numbers), span(ser.Values)})
		}
	}
	c.Bars = c.Bars && !others
	s.Charts = append(s.Charts, c)
	return nil
}

// place is a cell without its sheet: B1 of $Sheet1.$B$1:$B$1.
func place(ref string) string {
	first, _, _ := strings.Cut(ref, ":")
	return strings.ReplaceAll(first[strings.LastIndexAny(first, ".!")+1:], "$", "")
}

// span is cells without their sheet: B2:B9.
func span(ref string) string {
	first, last, ok := strings.Cut(ref, ":")
	if !ok {
		last = first
	}
	return place(first) + ":" + place(last)
}

// odsBars is the class of a chart of bars.
const odsBars = "chart:bar"

// odsCell is a cell of OpenDocument.
type odsCell struct {
	Type    string `xml:"value-type,attr"`
	Value   string `xml:"value,attr"`
	Columns int    `xml:"number-columns-repeated,attr"`
	Lines   []line `xml:"p"`
}

// line is a paragraph, with the texts of the links and spans in it.
type line string

func (l *line) UnmarshalXML(d *xml.Decoder, _ xml.StartElement) error {
	for depth := 1; depth > 0; {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.CharData:
			*l += line(t)
		case xml.EndElement:
			depth--
		case xml.StartElement:
			depth++
			switch t.Name.Local {
			case "s":
				n := 1
				for _, a := range t.Attr {
					if a.Name.Local == "c" {
						if n, err = strconv.Atoi(a.Value); err != nil || n < 0 || n > maxCells {
							return errCells
						}
					}
				}
				*l += line(strings.Repeat(" ", n))
			case "tab":
				*l += "\t"
			case "line-break":
				*l += "\n"
			}
		}
	}
	return nil
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
	cell := Cell{IsText: true}
	for i, l := range c.Lines {
		if i > 0 {
			cell.Text += "\n"
		}
		cell.Text += string(l)
	}
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
				Class  string `xml:"class,attr"` // "": that of the chart
				Name   string `xml:"label-cell-address,attr"`
				Values string `xml:"values-cell-range-address,attr"`
			} `xml:"plot-area>series"`
			Categories []struct {
				Cells string `xml:"cell-range-address,attr"`
			} `xml:"plot-area>axis>categories"`
		} `xml:"body>chart>chart"`
	}
	if err := decode(f, &content); err != nil {
		return err
	}
	if content.Chart == nil {
		return nil
	}
	c, categories := Chart{Bars: content.Chart.Class == odsBars}, ":"
	for _, axis := range content.Chart.Categories {
		categories = span(axis.Cells)
	}
	for _, series := range content.Chart.Series {
		c.Series = append(c.Series, Series{place(series.Name), categories, span(series.Values)})
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
