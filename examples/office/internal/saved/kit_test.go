package saved_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
	"github.com/agentfsm/agentfsm/examples/office/internal/saved"
)

func text(value string) saved.Cell { return saved.Cell{Text: value, IsText: true} }

func number(value float64) saved.Cell { return saved.Cell{Number: value} }

// written is a file with those bytes.
func written(t testing.TB, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, data, 0o600))
	return file
}

// workbook is a file of a library that is not the one that reads.
func workbook(t testing.TB, rows [][]any, charts ...xlsx.Chart) string {
	t.Helper()
	book := xlsx.New("Sheet1")
	defer func() { require.NoError(t, book.Close()) }()
	for i, row := range rows {
		require.NoError(t, book.SetRow(i+1, row))
	}
	for _, c := range charts {
		require.NoError(t, book.BarChart(c))
	}
	file := filepath.Join(t.TempDir(), "a.xlsx")
	require.NoError(t, book.Save(t.Context(), file, false))
	return file
}

const spaces = `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ` +
	`xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0"`

// sheets is the content of a spreadsheet of OpenDocument, whose sheets have those rows.
func sheets(rows ...string) string {
	var tables strings.Builder
	for i, r := range rows {
		fmt.Fprintf(&tables, `<table:table table:name="Sheet%d"><table:table-column/>%s</table:table>`, i+1, r)
	}
	return `<office:document-content ` + spaces + `><office:body><office:spreadsheet>` + tables.String() + `</office:spreadsheet></office:body></office:document-content>`
}

// chart is the content of an object that is a chart with series of those classes.
func chart(class string, series ...string) string {
	var list strings.Builder
	for i, s := range series {
		c := string(rune('B' + i))
		attribute := ` chart:label-cell-address="$Sheet1.$` + c + `$1:$Sheet1.$` + c + `$1" chart:values-cell-range-address="Sheet1.` + c + `2:Sheet1.` + c + `3"`
		if s != "" {
			attribute += ` chart:class="` + s + `"`
		}
		list.WriteString(`<chart:series` + attribute + `><chart:data-point/></chart:series>`)
	}
	return `<office:document-content ` + spaces + `><office:body><office:chart><chart:chart chart:class="` + class + `"><chart:plot-area><chart:axis chart:dimension="x">` +
		`<chart:categories table:cell-range-address="'a.b'.A2:'a.b'.A3"/></chart:axis>` + list.String() +
		`</chart:plot-area></chart:chart></office:chart></office:body></office:document-content>`
}

// open is a file of OpenDocument of those parts.
func open(t testing.TB, parts map[string]string) string {
	t.Helper()
	return written(t, "a.ods", docxtest.Zip(parts))
}
