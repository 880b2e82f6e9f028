package job

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// sheet is what the first sheet of a file has.
type sheet struct {
	cells  map[string]any // a text or a float64 by its place, such as B7; none that is empty
	charts []chart        // of the file
}

// chart is a chart, and of bars if it has nothing else.
type chart struct {
	bars   bool
	title  string
	series []series
}

// series are the cells that bars of one colour show, such as B1, A2:A9 and B2:B9.
type series struct{ name, categories, values string }

// readSheet reads a file. One of OpenDocument is converted by a LibreOffice without a screen.
func readSheet(ctx context.Context, file string) (s *sheet, err error) {
	if _, err := os.Stat(file); err != nil {
		return nil, err
	}
	if filepath.Ext(file) == ".ods" {
		dir, err := os.MkdirTemp("", "office-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		convert := exec.CommandContext(ctx, "soffice", "-env:UserInstallation=file://"+dir, "--headless", "--convert-to", "xlsx", "--outdir", dir, file)
		if said, err := convert.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, said)
		}
		file = filepath.Join(dir, strings.TrimSuffix(filepath.Base(file), ".ods")+".xlsx")
	}
	book, err := excelize.OpenFile(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, book.Close()) }()
	s = &sheet{cells: map[string]any{}}
	if err := s.readCells(book); err != nil {
		return nil, err
	}
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer z.Close() //nolint:errcheck // it was only read
	names, err := fs.Glob(z, "xl/charts/chart*.xml")
	for _, name := range names {
		if err == nil {
			err = s.readChart(z, name)
		}
	}
	return s, err
}

func (s *sheet) readCells(book *excelize.File) error {
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
			s.cells[cell] = value
			if kind == excelize.CellTypeUnset || kind == excelize.CellTypeNumber {
				if s.cells[cell], err = strconv.ParseFloat(value, 64); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// readChart reads what excelize does not.
func (s *sheet) readChart(z fs.FS, name string) error {
	data, err := fs.ReadFile(z, name)
	if err != nil {
		return err
	}
	var content struct {
		Title []string `xml:"chart>title>tx>rich>p>r>t"`
		Parts struct {
			List []struct {
				XMLName xml.Name `xml:""`
				Series  []struct {
					Name    string `xml:"tx>strRef>f"`
					Texts   string `xml:"cat>strRef>f"`
					Numbers string `xml:"cat>numRef>f"`
					Values  string `xml:"val>numRef>f"`
				} `xml:"ser"`
			} `xml:",any"`
		} `xml:"chart>plotArea"`
	}
	if err := xml.Unmarshal(data, &content); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c, others := chart{title: strings.Join(content.Title, "")}, false
	for _, part := range content.Parts.List {
		c.bars = c.bars || part.XMLName.Local == "barChart"
		others = others || strings.HasSuffix(part.XMLName.Local, "Chart") && part.XMLName.Local != "barChart" // such as lineChart
		for _, ser := range part.Series {
			c.series = append(c.series, series{place(ser.Name), span(ser.Texts + ser.Numbers), span(ser.Values)})
		}
	}
	c.bars = c.bars && !others
	s.charts = append(s.charts, c)
	return nil
}

// place is a cell without its sheet: B1 of Sheet1!$B$1:$B$1.
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
