package saved_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/office/internal/saved"
)

// str is a cell with a text, num one with a number.
func str(value, attributes string) string {
	return `<table:table-cell office:value-type="string" ` + attributes + `><text:p>` + value + `</text:p></table:table-cell>`
}

func num(value, attributes string) string {
	return `<table:table-cell office:value-type="float" office:value="` + value + `" ` + attributes + `><text:p>` + value + `0</text:p></table:table-cell>`
}

func row(attributes string, cells ...string) string {
	line := `<table:table-row ` + attributes + `>`
	for _, c := range cells {
		line += c
	}
	return line + `</table:table-row>`
}

// many repeats a cell in columns, or a row.
func many(what string, n int) string { return fmt.Sprintf(`table:number-%s-repeated="%d"`, what, n) }

func TestODSCells(t *testing.T) {
	t.Parallel()
	const empty = `<table:table-cell/>`
	for name, c := range map[string]struct {
		rows string
		want map[string]saved.Cell
	}{
		"empty":          {row("", empty), map[string]saved.Cell{}},
		"kinds":          {row("", str("2024", ""), num("-1204.5", "")), map[string]saved.Cell{"A1": text("2024"), "B1": number(-1204.5)}},
		"gaps":           {row("", empty, num("4", "")) + row("") + row("", str("x", "")), map[string]saved.Cell{"B1": number(4), "A3": text("x")}},
		"gaps in one":    {row("", `<table:table-cell `+many("columns", 3)+`/>`, num("4", "")) + row(many("rows", 5), empty) + row("", str("x", "")), map[string]saved.Cell{"D1": number(4), "A7": text("x")}},
		"columns":        {row("", num("4", many("columns", 2)), str("x", "")), map[string]saved.Cell{"A1": number(4), "B1": number(4), "C1": text("x")}},
		"rows":           {row(many("rows", 2), str("x", "")) + row("", num("1", "")), map[string]saved.Cell{"A1": text("x"), "A2": text("x"), "A3": number(1)}},
		"below a merged": {row("", str("x", `table:number-columns-spanned="2"`), `<table:covered-table-cell/>`, num("1", "")), map[string]saved.Cell{"A1": text("x"), "C1": number(1)}},
		"of two lines":   {row("", `<table:table-cell office:value-type="string"><text:p>North</text:p><text:p>&amp; South</text:p></table:table-cell>`), map[string]saved.Cell{"A1": text("North\n& South")}},
		"a link in a text": {
			row("", `<table:table-cell office:value-type="string"><text:p><text:a xlink:href="http://www.example.org">www.example.org</text:a> or`+
				`<text:s text:c="2"/><text:span>two<text:tab/><text:span>words</text:span></text:span><text:line-break/>end</text:p></table:table-cell>`),
			map[string]saved.Cell{"A1": text("www.example.org or  two\twords\nend")},
		},
		"percentages": {
			row("", `<table:table-cell office:value-type="percentage" office:value="0.125"><text:p>12.50%</text:p></table:table-cell>`,
				`<table:table-cell office:value-type="currency" office:currency="EUR" office:value="3"><text:p>3 €</text:p></table:table-cell>`),
			map[string]saved.Cell{"A1": number(0.125), "B1": number(3)},
		},
		"a million rows below": {row("", num("1", "")) + row(many("rows", 1048575), `<table:table-cell `+many("columns", 16384)+`/>`), map[string]saved.Cell{"A1": number(1)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := saved.Read(open(t, map[string]string{"content.xml": sheets(c.rows)}))
			require.NoError(t, err)
			assert.Equal(t, c.want, got.Cells)
			assert.Empty(t, got.Charts)
		})
	}
}

// Only the first sheet counts.
func TestODSSheets(t *testing.T) {
	t.Parallel()
	got, err := saved.Read(open(t, map[string]string{"content.xml": sheets(row("", num("1", "")), row("", num("2", ""), num("3", "")))}))
	require.NoError(t, err)
	assert.Equal(t, map[string]saved.Cell{"A1": number(1)}, got.Cells)
}

func TestODSCharts(t *testing.T) {
	t.Parallel()
	const bar, line = "chart:bar", "chart:line"
	for name, c := range map[string]struct {
		objects map[string]string
		want    []saved.Chart
	}{
		"bars":               {map[string]string{"Object 1/content.xml": chart(bar, bar, bar)}, []saved.Chart{{Bars: true, Series: series("B", "C")}}},
		"series that do not": {map[string]string{"Object 1/content.xml": chart(bar, "", "", "")}, []saved.Chart{{Bars: true, Series: series("B", "C", "D")}}},
		"lines":              {map[string]string{"Object 1/content.xml": chart(line, line)}, []saved.Chart{{Series: series("B")}}},
		"bars and lines":     {map[string]string{"Object 1/content.xml": chart(bar, line, bar)}, []saved.Chart{{Series: series("B", "C")}}},
		"two": {
			map[string]string{"Object 1/content.xml": chart(bar, bar), "Object 2/content.xml": chart(line)},
			[]saved.Chart{{Bars: true, Series: series("B")}, {}},
		},
		"a formula":     {map[string]string{"Object 1/content.xml": `<math><mi>x</mi></math>`}, nil},
		"its picture":   {map[string]string{"ObjectReplacements/content.xml": chart(bar, bar), "Object 1/styles.xml": chart(bar, bar)}, nil},
		"a pivot cache": {map[string]string{"Thumbnails/content.xml": chart(bar, bar)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.objects["content.xml"] = sheets(row("", num("1", "")))
			got, err := saved.Read(open(t, c.objects))
			require.NoError(t, err)
			assert.ElementsMatch(t, c.want, got.Charts)
		})
	}
}

func TestODSBroken(t *testing.T) {
	t.Parallel()
	date := `<table:table-cell office:value-type="date" office:date-value="2024-01-31"><text:p>31.01.24</text:p></table:table-cell>`
	for name, c := range map[string]struct {
		parts map[string]string
		want  string
	}{
		"it ends early":     {map[string]string{"content.xml": sheets("")[:300]}, "content.xml: XML syntax error"},
		"no sheet":          {map[string]string{"content.xml": sheets()}, "it has no sheet"},
		"a text document":   {map[string]string{"content.xml": `<office><body><text/></body></office>`}, "it has no sheet"},
		"a number of none":  {map[string]string{"content.xml": sheets(row("", num("many", "")))}, `parsing "many"`},
		"a date":            {map[string]string{"content.xml": sheets(row("", date))}, `parsing ""`},
		"too many columns":  {map[string]string{"content.xml": sheets(row("", num("1", many("columns", 16385))))}, "column number"},
		"too many rows":     {map[string]string{"content.xml": sheets(row(many("rows", 2147483647), str("x", "")))}, "it has too many cells"},
		"too many of both":  {map[string]string{"content.xml": sheets(row(many("rows", 1000000), num("1", many("columns", 16384))))}, "it has too many cells"},
		"more than numbers": {map[string]string{"content.xml": sheets(row("", num("1", `table:number-columns-repeated="99999999999999999999"`)))}, "value out of range"},
		"beyond the end":    {map[string]string{"content.xml": sheets(row(many("rows", 1048576)) + row("", num("1", "")))}, "row number exceeds"},
		"a broken object":   {map[string]string{"content.xml": sheets(""), "Object 1/content.xml": `<a>`}, "Object 1/content.xml: XML syntax error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sheet, err := saved.Read(open(t, c.parts))
			require.ErrorContains(t, err, "saved: a.ods: ")
			require.ErrorContains(t, err, c.want)
			assert.Nil(t, sheet)
		})
	}
}
