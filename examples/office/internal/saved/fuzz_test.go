package saved_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
	"github.com/agentfsm/agentfsm/examples/office/internal/saved"
)

// read must give a sheet or an error, whatever is in a file.
func read(t *testing.T, name string, data []byte) {
	t.Helper()
	sheet, err := saved.Read(written(t, name, data))
	if err != nil {
		assert.Nil(t, sheet)
		assert.True(t, strings.HasPrefix(err.Error(), "saved: "), err.Error())
		return
	}
	for name, cell := range sheet.Cells {
		assert.NotEmpty(t, name)
		assert.False(t, cell.IsText && cell.Number != 0, "%s is a text and a number", name)
	}
}

func FuzzRead(f *testing.F) {
	whole := docxtest.Zip(map[string]string{"content.xml": sheets(row("", str("x", ""), num("4", ""))), "Object 1/content.xml": chart("chart:bar", "")})
	for _, ods := range []bool{true, false} {
		f.Add(whole, ods)
		f.Add(whole[:len(whole)/2], ods)
		f.Add([]byte("PK\x05\x06"+strings.Repeat("\x00", 18)), ods)
	}
	f.Fuzz(func(t *testing.T, data []byte, ods bool) {
		name := "a.xlsx"
		if ods {
			name = "a.ods"
		}
		read(t, name, data)
	})
}

// The parts of a file of OpenDocument may be anything.
func FuzzReadODS(f *testing.F) {
	f.Add(sheets(row("", str("x", ""), num("4", ""))), chart("chart:bar", "", "chart:line"))
	f.Add(sheets(row(many("rows", 99999999), num("4", many("columns", 7)))), "<math/>")
	f.Add(sheets(row(many("rows", -1), num("NaN", many("columns", -9)))), "")
	f.Add(`<a><body><spreadsheet><table><table-row number-rows-repeated="9223372036854775807"/><table-row><c value-type="x"/></table-row></table></spreadsheet></body></a>`, "<")
	f.Fuzz(func(t *testing.T, content, object string) {
		read(t, "a.ods", docxtest.Zip(map[string]string{"content.xml": content, "Object 1/content.xml": object}))
	})
}

// The sheet, the texts and the chart of a workbook may be anything.
func FuzzReadXLSX(f *testing.F) {
	whole := parts(f, workbook(f, sales, bars("B")))
	const sheet, texts, drawn = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/charts/chart1.xml"
	f.Add(whole[sheet], whole[texts], whole[drawn])
	f.Add(`<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>99</v></c><c r="ZZZZ9"/></row><row r="-4"/></sheetData></worksheet>`, `<sst/>`, `<c:barChart/>`)
	f.Add(`<worksheet><sheetData><row><c t="inlineStr"/><c t="b"><v>x</v></c><c t="e"/></row></sheetData></worksheet>`, ``, `<x>`)
	f.Fuzz(func(t *testing.T, one, two, three string) {
		changed := map[string]string{}
		maps.Copy(changed, whole)
		changed[sheet], changed[texts], changed[drawn] = one, two, three
		read(t, "a.xlsx", docxtest.Zip(changed))
	})
}
