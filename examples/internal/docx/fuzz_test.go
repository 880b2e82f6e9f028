package docx_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
)

// FuzzRead feeds any text as the main part. Reading ends with a typed error or
// with rectangles whose merges lie inside.
func FuzzRead(f *testing.F) {
	d := docxtest.New()
	d.Heading(1, "Sales")
	d.Caption("Table", "x")
	inner := docxtest.Table{Rows: docxtest.Texts([]string{"1"})}
	d.Table(docxtest.Table{Header: 1, Rows: [][]docxtest.Cell{
		{{Text: "a", Cols: 2, Down: true}, {Text: "b"}}, {{Cols: 2, Above: true}, {Table: &inner}},
	}})
	f.Add(d.Parts()["word/document.xml"])
	f.Add(open + `<w:tbl><w:tr><w:trPr><w:gridBefore w:val="3"/></w:trPr><w:tc><w:tcPr><w:hMerge/></w:tcPr></w:tc></w:tr></w:tbl></w:body></w:document>`)
	f.Add(open)
	f.Fuzz(func(t *testing.T, main string) {
		data := with("word/document.xml", main)
		doc, err := docx.Read(context.Background(), bytes.NewReader(data), int64(len(data)), &docx.Options{MaxCells: 10_000})
		if err != nil {
			var typed *docx.Error
			require.ErrorAs(t, err, &typed)
			return
		}
		for i, table := range doc.Tables {
			require.Equal(t, i+1, table.Number)
			require.LessOrEqual(t, table.HeaderRows, len(table.Rows))
			for _, row := range table.Rows {
				require.Len(t, row, len(table.Rows[0]))
			}
			for _, m := range table.Merges {
				require.LessOrEqual(t, m.Row+m.Rows, len(table.Rows))
				require.LessOrEqual(t, m.Col+m.Cols, len(table.Rows[0]))
			}
		}
		_, err = json.Marshal(doc)
		require.NoError(t, err)
	})
}
