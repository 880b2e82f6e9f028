package task_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
)

// flat is a flat OpenDocument file, as LibreOffice writes it.
func flat(styles, body string) map[string]string {
	return map[string]string{"a": `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="o" xmlns:style="s" xmlns:fo="f" xmlns:text="t" xmlns:table="b">` +
		`<office:styles><style:style style:name="P1"><style:paragraph-properties fo:text-align="center"/></style:style></office:styles>` +
		`<office:automatic-styles>` + styles + `</office:automatic-styles><office:body>` + body + `</office:body></office:document>`}
}

func TestExpectCentred(t *testing.T) {
	const (
		centre = `<style:style style:name="P1" style:family="paragraph"><style:paragraph-properties fo:text-align="center" fo:margin-top="0cm"/></style:style>`
		end    = `<style:style style:name="P2"><style:paragraph-properties fo:text-align="end"/></style:style>`
		bare   = `<style:style style:name="P1"><style:text-properties fo:color="#000000"/></style:style>`
	)
	text := func(body string) string { return `<office:text>` + body + `</office:text>` }
	const no = `the heading "The year" is not centred`
	for name, c := range map[string]struct{ styles, body, says string }{
		"centred":             {centre + end, text(`<text:h text:style-name="P1">The year</text:h>`), ""},
		"in a span":           {end + centre, text(`<text:h text:style-name="P1"><text:span text:style-name="T1">The year</text:span></text:h>`), ""},
		"to the right":        {centre + end, text(`<text:h text:style-name="P2">The year</text:h>`), no},
		"without a style":     {centre, text(`<text:h>The year</text:h>`), no},
		"a style of no lines": {bare, text(`<text:h text:style-name="P1">The year</text:h>`), no},
		"another heading is":  {centre + end, text(`<text:h text:style-name="P1">The months</text:h><text:h text:style-name="P2">The year</text:h>`), no},
		"a paragraph is":      {centre, text(`<text:p text:style-name="P1">The year</text:p>`), `there is no heading "The year"`},
		"no text":             {centre, ``, `there is no heading "The year"`},
	} {
		t.Run(name, func(t *testing.T) {
			says(t, c.says, checked(t, flat(c.styles, c.body), task.Expect{File: "a", Centred: "The year"}))
		})
	}
	assert.ErrorContains(t, checked(t, map[string]string{"a": "The year"}, task.Expect{File: "a", Centred: "The year"}), "EOF")
}

func TestExpectCell(t *testing.T) {
	const sheets = `<office:spreadsheet><table:table table:name="Sheet1">` +
		`<table:table-column/><table:table-row><table:table-cell><text:p>Rent</text:p></table:table-cell>` +
		`<table:table-cell table:number-columns-repeated="2" office:value="120"><text:p>120 €</text:p></table:table-cell><table:table-cell><text:p>far</text:p></table:table-cell></table:table-row>` +
		`<table:table-row table:number-rows-repeated="3"><table:table-cell/><table:table-cell office:value="-4.5"/></table:table-row>` +
		`<table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>wide</text:p></table:table-cell><table:covered-table-cell/><table:table-cell><text:p>beside</text:p></table:table-cell></table:table-row>` +
		`<table:table-row><table:table-cell/><table:table-cell table:formula="of:=SUM([.B1:.B4])" office:value="106.5"/><table:table-cell office:value="a lot"><text:p>text</text:p></table:table-cell></table:table-row>` +
		`</table:table><table:table table:name="Sheet2"><table:table-row><table:table-cell><text:p>second</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`
	for name, c := range map[string]struct{ cell, value, formula, says string }{
		"text":                   {"A1", "Rent", "", ""},
		"number, not its look":   {"B1", "120", "", ""},
		"repeated":               {"C1", "120", "", ""},
		"behind repeated ones":   {"D1", "far", "", ""},
		"in a repeated row":      {"B4", "-4.5", "", ""},
		"behind repeated rows":   {"A5", "wide", "", ""},
		"beside a merged one":    {"C5", "beside", "", ""},
		"formula":                {"B6", "106.5", "SUM", ""},
		"a value that is a word": {"C6", "text", "", ""},
		"empty":                  {"A2", "", "", ""},
		"another value":          {"B6", "106", "SUM", `the cell B6 is "106.5" with the formula "of:=SUM([.B1:.B4])"`},
		"no formula":             {"B1", "120", "SUM", `the cell B1 is "120" with the formula ""`},
		"another formula":        {"B6", "106.5", "AVERAGE", `the cell B6 is "106.5" with the formula "of:=SUM([.B1:.B4])"`},
		"behind the row":         {"E1", "", "", "there is no cell E1"},
		"of the second sheet":    {"A7", "second", "", "there is no cell A7"},
		"no such name":           {"7", "", "", `cannot convert cell "7" to coordinates: invalid cell name "7"`},
	} {
		t.Run(name, func(t *testing.T) {
			e := task.Expect{File: "a", Cell: c.cell, Value: c.value, Formula: c.formula}
			says(t, c.says, checked(t, flat("", sheets), e))
		})
	}
	e := task.Expect{File: "a", Cell: "A1"}
	says(t, "a has no sheet", checked(t, flat("", ""), e))
	assert.ErrorContains(t, checked(t, map[string]string{"a": "Rent"}, e), "EOF")
}
