package xlsxtest

import (
	"fmt"
	"math"
	"strconv"
)

// Look is what a chart looks like. Colors are written RRGGBB.
type Look struct {
	Texts  map[string]string // color of what is written: title, categories, values, legend
	Bars   []string          // color of each series; "" for one of the theme
	Format string            // of the numbers along the axis
}

// Page is how a sheet is printed.
type Page struct {
	Landscape bool
	Wide      int // how many pages at most; 0: as many as it takes
	High      int
}

type attr struct {
	Val string `xml:"val,attr"`
}

// xmlFill is a color. Of those of the theme it knows the one of texts, black.
type xmlFill struct {
	RGB    attr `xml:"solidFill>srgbClr"`
	Scheme struct {
		Val    string `xml:"val,attr"`
		LumOff attr   `xml:"lumOff"`
	} `xml:"solidFill>schemeClr"`
}

func (f *xmlFill) color() string {
	switch {
	case f == nil:
		return "000000"
	case f.RGB.Val != "":
		return f.RGB.Val
	case f.Scheme.Val == "tx1":
		off, _ := strconv.Atoi(f.Scheme.LumOff.Val) // none is 0
		gray := min(255, off*255/100_000)
		return fmt.Sprintf("%02X%02X%02X", gray, gray, gray)
	}
	return ""
}

func (a archive) lookOf(part string) (Look, error) {
	type text struct {
		Fill   *xmlFill `xml:"txPr>p>pPr>defRPr"`
		Format struct {
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmt"`
	}
	var x struct {
		Title      *xmlFill   `xml:"chart>title>tx>rich>p>r>rPr"`
		Categories text       `xml:"chart>plotArea>catAx"`
		Values     text       `xml:"chart>plotArea>valAx"`
		Bars       []*xmlFill `xml:"chart>plotArea>barChart>ser>spPr"`
		Legend     *text      `xml:"chart>legend"`
	}
	if err := a.decode(part, &x); err != nil {
		return Look{}, err
	}
	l := Look{Format: x.Values.Format.Code, Texts: map[string]string{
		"title": x.Title.color(), "categories": x.Categories.Fill.color(), "values": x.Values.Fill.color(),
	}}
	if x.Legend != nil {
		l.Texts["legend"] = x.Legend.Fill.color()
	}
	for _, b := range x.Bars {
		l.Bars = append(l.Bars, b.color())
	}
	return l, nil
}

// page reads how a sheet is printed.
func (a archive) page(sheet string) (Page, error) {
	var ws struct {
		Fit *struct {
			Val string `xml:"fitToPage,attr"`
		} `xml:"sheetPr>pageSetUpPr"`
		Setup struct {
			Orientation string `xml:"orientation,attr"`
			Wide        *int   `xml:"fitToWidth,attr"`
			High        *int   `xml:"fitToHeight,attr"`
		} `xml:"pageSetup"`
	}
	if err := a.decode(sheet, &ws); err != nil {
		return Page{}, err
	}
	p := Page{Landscape: ws.Setup.Orientation == "landscape"}
	if ws.Fit != nil && (ws.Fit.Val == "1" || ws.Fit.Val == "true") {
		p.Wide, p.High = 1, 1 // unless it says something else
		if n := ws.Setup.Wide; n != nil {
			p.Wide = *n
		}
		if n := ws.Setup.High; n != nil {
			p.High = *n
		}
	}
	return p, nil
}

// OnWhite is the contrast of a color with white, from 1 to 21, as the Web Content
// Accessibility Guidelines define it: texts need 4.5, bars 3.
func OnWhite(color string) (float64, error) {
	rgb, err := strconv.ParseUint(color, 16, 24)
	if err != nil || len(color) != 6 {
		return 0, fmt.Errorf("xlsxtest: %q is not a color", color)
	}
	linear := func(shift int) float64 {
		c := float64(rgb>>shift&0xFF) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 1.05 / (0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0) + 0.05), nil
}
