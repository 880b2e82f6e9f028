package docxtest_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
)

func everything() *docxtest.Document {
	d := docxtest.New()
	d.StyleIDs = map[string]string{"Heading1": "berschrift1"}
	d.Title("A <title> & more")
	d.Heading(1, "One")
	d.Paragraph("a\tb\nc 売上")
	d.Caption("Table", "first")
	d.Caption("Table", "second")
	inner := docxtest.Table{Rows: docxtest.Texts([]string{"deep"})}
	d.Table(docxtest.Table{Header: 1, Rows: [][]docxtest.Cell{
		{{Text: "a", Cols: 2, Down: true}, {Text: "b"}},
		{{Cols: 2, Above: true}, {Table: &inner}},
	}})
	d.Raw("<w:p/>")
	return d
}

func TestPartsAreWellFormed(t *testing.T) {
	t.Parallel()
	for name, text := range everything().Parts() {
		dec := xml.NewDecoder(strings.NewReader(text))
		for {
			_, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, name)
		}
	}
	body := everything().Parts()["word/document.xml"]
	for _, want := range []string{
		`<w:pStyle w:val="berschrift1"/>`, `A &lt;title&gt; &amp; more`, `<w:tab/>`, `<w:br/>`, `>2</w:t>`,
		`<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>`, `<w:gridSpan w:val="2"/><w:vMerge/>`, `<w:tblHeader/>`,
	} {
		assert.Contains(t, body, want)
	}
	assert.Equal(t, 2, strings.Count(body, "<w:tbl>"))
	assert.Equal(t, 3+1, strings.Count(body, "<w:gridCol "), "a cell that spans columns counts for each")
	assert.Contains(t, everything().Parts()["word/styles.xml"], `w:styleId="berschrift1"><w:name w:val="heading 1"/>`)
}

func TestSameCallsSameBytes(t *testing.T) {
	t.Parallel()
	once, again := everything().Bytes(), everything().Bytes()
	assert.Equal(t, once, again)
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.docx")
	require.NoError(t, everything().WriteFile(path))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	assert.Equal(t, "[Content_Types].xml", z.File[0].Name, "Word wants it first")
	assert.ErrorContains(t, everything().WriteFile(filepath.Join(path, "b.docx")), "docxtest: ")
}

func ExampleDocument() {
	d := docxtest.New()
	d.Heading(1, "Sales")
	d.Table(docxtest.Table{Header: 1, Rows: docxtest.Texts(
		[]string{"Region", "2024"},
		[]string{"North", "1,204.5"},
	)})
	fmt.Println(len(d.Parts()), "parts", string(d.Bytes()[:2]))
	// Output: 5 parts PK
}
