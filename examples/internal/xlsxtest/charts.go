package xlsxtest

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// Chart is one chart.
type Chart struct {
	Bars   bool   // a bar chart, with one plot and nothing else
	Dir    string // of the bars: "bar" is horizontal, "col" vertical
	Title  string
	Series []Series
	Look   Look
}

// Series is one series. The fields are references, such as 'Sales'!$B$2:$B$7;
// "" where there is none.
type Series struct {
	Name       string
	Categories string
	Values     string
}

// charts finds the charts of a sheet through its drawing.
func (a archive) charts(sheet string) ([]Chart, error) {
	rels, err := a.rels(sheet)
	if err != nil {
		return nil, err
	}
	var found []Chart
	for _, drawing := range rels.byType["drawing"] {
		var d struct {
			IDs []struct {
				ID string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
			} `xml:"twoCellAnchor>graphicFrame>graphic>graphicData>chart"`
		}
		if err := a.decode(drawing, &d); err != nil {
			return nil, err
		}
		parts, err := a.rels(drawing)
		if err != nil {
			return nil, err
		}
		for _, ref := range d.IDs {
			part, ok := parts.byID[ref.ID]
			if !ok {
				return nil, fmt.Errorf("%s refers to %s, which is missing", drawing, ref.ID)
			}
			c, err := a.chart(part)
			if err != nil {
				return nil, err
			}
			found = append(found, *c)
		}
	}
	return found, nil
}

type xmlSeries struct {
	Tx  string  `xml:"tx>strRef>f"`
	Cat string  `xml:"cat>strRef>f"`
	Num string  `xml:"cat>numRef>f"`
	Val string  `xml:"val>numRef>f"`
	V   *string `xml:"tx>v"`
}

func (a archive) chart(part string) (*Chart, error) {
	var x struct {
		Title []string `xml:"chart>title>tx>rich>p>r>t"`
		Plot  struct {
			Bar []struct {
				Dir struct {
					Val string `xml:"val,attr"`
				} `xml:"barDir"`
				Series []xmlSeries `xml:"ser"`
			} `xml:"barChart"`
			Others []struct{ XMLName xml.Name } `xml:",any"`
		} `xml:"chart>plotArea"`
	}
	if err := a.decode(part, &x); err != nil {
		return nil, err
	}
	look, err := a.lookOf(part)
	if err != nil {
		return nil, err
	}
	plots := 0
	for _, e := range x.Plot.Others {
		if strings.HasSuffix(e.XMLName.Local, "Chart") {
			plots++
		}
	}
	c := &Chart{Look: look, Title: strings.Join(x.Title, ""), Bars: len(x.Plot.Bar) == 1 && plots == 0}
	for _, bar := range x.Plot.Bar {
		c.Dir = bar.Dir.Val
		for _, s := range bar.Series {
			if s.V != nil {
				return nil, fmt.Errorf("%s: the name %q of a series is no reference", part, *s.V)
			}
			c.Series = append(c.Series, Series{Name: s.Tx, Categories: s.Cat + s.Num, Values: s.Val})
		}
	}
	return c, nil
}

// Resolve returns the cells that a reference means, in order; an empty cell has
// no Kind.
func (b *Book) Resolve(ref string) ([]Cell, error) {
	at := strings.LastIndex(ref, "!")
	if at < 0 {
		return nil, fmt.Errorf("xlsxtest: %q names no sheet", ref)
	}
	name := ref[:at]
	if strings.HasPrefix(name, "'") && strings.HasSuffix(name, "'") && len(name) > 1 {
		name = strings.ReplaceAll(name[1:len(name)-1], "''", "'")
	}
	first, last, isRange := strings.Cut(ref[at+1:], ":")
	if !isRange {
		last = first
	}
	fromCol, fromRow, err := position(first)
	if err != nil {
		return nil, fmt.Errorf("xlsxtest: %q: %w", ref, err)
	}
	toCol, toRow, err := position(last)
	if err != nil {
		return nil, fmt.Errorf("xlsxtest: %q: %w", ref, err)
	}
	for _, s := range b.Sheets {
		if s.Name != name {
			continue
		}
		var cells []Cell
		for row := fromRow; row <= toRow; row++ {
			for col := fromCol; col <= toCol; col++ {
				cells = append(cells, s.Cells[nameOf(col, row)])
			}
		}
		return cells, nil
	}
	return nil, fmt.Errorf("xlsxtest: %q: no such sheet", ref)
}
