package wordcases_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/wordcases"
)

func TestAll(t *testing.T) {
	t.Parallel()
	names, office := map[string]bool{}, 0
	list := wordcases.All()
	for _, c := range list {
		assert.False(t, names[c.Name], "%s is there twice", c.Name)
		names[c.Name] = true
		assert.NotEmpty(t, c.Why, c.Name)
		assert.True(t, c.Want != nil || c.Refused != "", c.Name)
		for _, row := range c.Want {
			assert.Len(t, row, len(c.Want[0]), c.Name)
		}
		if c.Office {
			office++
		}
		wellFormed(t, c)
	}
	assert.GreaterOrEqual(t, len(list), 40)
	assert.GreaterOrEqual(t, office, 10)
}

func wellFormed(t *testing.T, c wordcases.Case) {
	t.Helper()
	data := c.Docx()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		for d := xml.NewDecoder(r); ; {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, "%s: %s", c.Name, f.Name)
		}
	}
}

// book is a workbook by hand, of Region and Amount.
func book(north, chart string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range map[string]string{
		"xl/sharedStrings.xml": `<sst><si><t>Region</t></si><si><r><t>Amo</t></r><r><t>unt</t></r></si><si><t>North</t></si></sst>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>` +
			`<row><c r="A2" t="s"><v>2</v></c>` + north + `</row><row><c r="A3" t="inlineStr"><is><t>South</t></is></c><c r="B3" t="n"><v>80</v></c></row></sheetData></worksheet>`,
		"xl/charts/chart1.xml": chart,
	} {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func TestCheck(t *testing.T) {
	t.Parallel()
	c := wordcases.Case{Name: "x", Want: [][]string{{"Region", "Amount"}, {"North", "120"}, {"South", "80"}}}
	const series = `<c:ser><c:tx><c:strRef><c:f>Data!$B$1</c:f></c:strRef></c:tx><c:cat><c:strRef><c:f>Data!$A$2:$A$3</c:f></c:strRef></c:cat><c:val><c:numRef><c:f>Data!$B$2:$B$3</c:f></c:numRef></c:val></c:ser>`
	chart := func(kind, series string) string {
		return fmt.Sprintf(`<c:chartSpace xmlns:c="c"><c:chart><c:plotArea><c:%s>%s</c:%s></c:plotArea></c:chart></c:chartSpace>`, kind, series, kind)
	}
	good := chart("barChart", series)
	const north = `<c r="B2"><v>120</v></c>`
	require.NoError(t, c.Check(book(north, good)))
	require.NoError(t, c.Check(book(`<c r="B2"><v>1.2E2</v></c><c r="C2"/>`, good)))

	for name, data := range map[string][]byte{
		"another number":      book(`<c r="B2"><v>9120</v></c>`, good),
		"no number":           book(``, good),
		"a number as text":    book(`<c r="B2" t="str"><v>120</v></c>`, good),
		"one more cell":       book(north+`<c r="C2"><v>1</v></c>`, good),
		"another kind":        book(north, chart("pieChart", series)),
		"one more series":     book(north, chart("barChart", series+series)),
		"fewer rows":          book(north, strings.ReplaceAll(good, "$3", "$2")),
		"the wrong direction": book(north, strings.ReplaceAll(good, "$A$2:$A$3", "$B$1:$C$1")),
		"no workbook":         []byte("x"),
	} {
		assert.Error(t, c.Check(data), name)
	}
	c.Want = nil
	assert.Error(t, c.Check(book(north, good)), "nobody can tell")
}
