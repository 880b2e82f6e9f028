package xlsxtest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
)

// Book is a file that was read.
type Book struct{ Sheets []Sheet }

// Sheet has the cells that are not empty, by names such as B2.
type Sheet struct {
	Name   string
	Cells  map[string]Cell
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
func Open(name string) (*Book, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Read(data)
}

// Read reads a file.
func Read(data []byte) (*Book, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("xlsxtest: %w", err)
	}
	b, a := &Book{}, &archive{z: z}
	var workbook struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	var shared struct {
		Items []rich `xml:"si"`
	}
	a.decode("xl/workbook.xml", &workbook)
	rels := a.rels("xl/workbook.xml")
	if name := rels["sharedStrings"]; name != "" {
		a.decode(name, &shared)
	}
	for _, s := range workbook.Sheets {
		b.Sheets = append(b.Sheets, a.sheet(s.Name, rels[s.ID], shared.Items))
	}
	return b, a.err
}

// archive reads parts until the first error.
type archive struct {
	z   *zip.Reader
	err error
}

func (a *archive) decode(name string, into any) {
	if a.err != nil {
		return
	}
	file, err := a.z.Open(name)
	var data []byte
	if err == nil {
		data, err = io.ReadAll(file)
	}
	if err == nil {
		err = xml.Unmarshal(data, into)
	}
	if err != nil {
		a.err = fmt.Errorf("xlsxtest: %s: %w", name, err)
	}
}

// rels returns the parts that a part refers to, by id and by kind.
func (a *archive) rels(part string) map[string]string {
	var r struct {
		List []struct {
			ID     string `xml:"Id,attr"`
			Type   string `xml:"Type,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	name := path.Join(path.Dir(part), "_rels", path.Base(part)+".rels")
	if _, err := a.z.Open(name); err != nil {
		return nil
	}
	a.decode(name, &r)
	parts := map[string]string{}
	for _, rel := range r.List {
		target := strings.TrimPrefix(rel.Target, "/")
		if target == rel.Target {
			target = path.Join(path.Dir(part), target)
		}
		parts[rel.ID], parts[path.Base(rel.Type)] = target, target
	}
	return parts
}

// rich is a text, plain or in runs.
type rich struct {
	T string   `xml:"t"`
	R []string `xml:"r>t"`
}

func (a *archive) sheet(name, part string, shared []rich) Sheet {
	var x struct {
		Cells []struct {
			Ref  string `xml:"r,attr"`
			Type string `xml:"t,attr"`
			V    string `xml:"v"`
			IS   rich   `xml:"is"`
		} `xml:"sheetData>row>c"`
	}
	a.decode(part, &x)
	s := Sheet{Name: name, Cells: map[string]Cell{}}
	for _, c := range x.Cells {
		cell := Cell{Number: c.Type == "" || c.Type == "n", Text: c.V}
		switch i, err := strconv.Atoi(c.V); {
		case c.Type == "s" && (err != nil || i >= len(shared)):
			a.err = fmt.Errorf("xlsxtest: %s: no shared string %q", c.Ref, c.V)
		case c.Type == "s":
			cell.Text = shared[i].T + strings.Join(shared[i].R, "")
		case c.Type == "inlineStr":
			cell.Text = c.IS.T + strings.Join(c.IS.R, "")
		}
		if cell.Text != "" {
			s.Cells[c.Ref] = cell
		}
	}
	if drawing := a.rels(part)["drawing"]; drawing != "" {
		var d struct {
			Charts []struct {
				ID string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
			} `xml:"twoCellAnchor>graphicFrame>graphic>graphicData>chart"`
		}
		a.decode(drawing, &d)
		for _, c := range d.Charts {
			s.Charts = append(s.Charts, a.chart(a.rels(drawing)[c.ID]))
		}
	}
	return s
}

func (a *archive) chart(part string) Chart {
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
			Others []struct{ XMLName xml.Name } `xml:",any"`
		} `xml:"chart>plotArea"`
	}
	a.decode(part, &x)
	c := Chart{Title: strings.Join(x.Title, ""), Bars: len(x.Plot.Bars) == 1}
	for _, other := range x.Plot.Others {
		c.Bars = c.Bars && !strings.HasSuffix(other.XMLName.Local, "Chart")
	}
	for _, bars := range x.Plot.Bars {
		for _, s := range bars.Series {
			c.Series = append(c.Series, Series{s.Name, s.Text + s.Num, s.Val})
		}
	}
	return c
}
