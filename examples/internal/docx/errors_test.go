package docx_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	unicode16 "unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
)

func utf16(s string, bigEndian bool) string {
	var order binary.AppendByteOrder = binary.LittleEndian
	if bigEndian {
		order = binary.BigEndian
	}
	out := order.AppendUint16(nil, 0xFEFF)
	for _, u := range unicode16.Encode([]rune(strings.Replace(s, "UTF-8", "UTF-16", 1))) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

// with returns a document's file with one part changed.
func with(part, content string) []byte {
	d := docxtest.New()
	d.Paragraph("text")
	parts := d.Parts()
	parts[part] = content
	return docxtest.Zip(parts)
}

const open = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`

func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	good := with("x", "y")
	cut := bytes.Clone(good)[:len(good)/2]
	flipped := bytes.Clone(good)
	for i := 60; i < 90; i++ {
		flipped[i] ^= 0x55 // inside the first part's data
	}
	var noMain bytes.Buffer
	z := zip.NewWriter(&noMain)
	_, err := z.Create("hello.txt")
	require.NoError(t, err)
	require.NoError(t, z.Close())

	tests := []struct {
		name string
		data []byte
		want error
	}{
		{"empty", nil, docx.ErrNotWord},
		{"text", []byte("Dear reader"), docx.ErrNotWord},
		{"old or protected", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on"), docx.ErrProtected},
		{"only the start of a zip", []byte("PK\x03\x04"), docx.ErrBroken},
		{"cut off", cut, docx.ErrBroken},
		{"another kind of zip", noMain.Bytes(), docx.ErrNotWord},
		{"a spreadsheet", with("word/document.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>`), docx.ErrNotWord},
		{"no XML", with("word/document.xml", "nothing"), docx.ErrBroken},
		{"empty part", with("word/document.xml", ""), docx.ErrBroken},
		{"cut-off XML", with("word/document.xml", open+`<w:p><w:r><w:t>a`), docx.ErrBroken},
		{"wrong nesting", with("word/document.xml", open+`<w:p></w:body></w:p></w:document>`), docx.ErrBroken},
		{"two roots", with("word/document.xml", open+`</w:body></w:document><again/>`), docx.ErrBroken},
		{"an entity", with("word/document.xml", open+`<w:p><w:r><w:t>&bomb;</w:t></w:r></w:p></w:body></w:document>`), docx.ErrBroken},
		{"a document type", with("word/document.xml", `<!DOCTYPE a [<!ENTITY b "c">]>`+open+`</w:body></w:document>`), docx.ErrBroken},
		{"an encoding that is not allowed", with("word/document.xml", `<?xml version="1.0" encoding="windows-1252"?>`+open+`</w:body></w:document>`), docx.ErrBroken},
		{"broken styles", with("word/styles.xml", "<w:styles"), docx.ErrBroken},
		{"broken relationships", with("_rels/.rels", "<a><b></a>"), docx.ErrBroken},
		{"too deep", with("word/document.xml", open+strings.Repeat(`<w:sdt>`, 100_000)), docx.ErrTooBig},
		{"tables in tables in tables", with("word/document.xml", open+strings.Repeat(`<w:tbl><w:tr><w:tc>`, 100_000)), docx.ErrTooBig},
		{"too wide", with("word/document.xml", open+`<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="99999999999999999999"/></w:tcPr></w:tc></w:tr></w:tbl></w:body></w:document>`), docx.ErrTooBig},
		{"one wide row and many short ones", with("word/document.xml", open+`<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="1000"/></w:tcPr></w:tc></w:tr>`+
			strings.Repeat(`<w:tr><w:tc/></w:tr>`, 2000)+`</w:tbl></w:body></w:document>`), docx.ErrTooBig},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			doc, err := docx.Read(context.Background(), bytes.NewReader(tt.data), int64(len(tt.data)), nil)
			assert.Nil(t, doc)
			require.ErrorIs(t, err, tt.want)
			var typed *docx.Error
			require.ErrorAs(t, err, &typed)
			assert.True(t, strings.HasPrefix(err.Error(), "docx: "), err.Error())
			assert.Equal(t, 1, strings.Count(err.Error(), "docx:"), err.Error())
		})
	}

	t.Run("damaged data is noticed or does not matter", func(t *testing.T) {
		t.Parallel()
		if _, err := docx.Read(context.Background(), bytes.NewReader(flipped), int64(len(flipped)), nil); err != nil {
			require.ErrorIs(t, err, docx.ErrBroken)
		}
	})
}

func TestZipBomb(t *testing.T) {
	t.Parallel()
	bomb := with("word/document.xml", open+`<w:p><w:r><w:t>`+strings.Repeat(" ", 65<<20))
	assert.Less(t, len(bomb), 1<<20)
	_, err := docx.Read(context.Background(), bytes.NewReader(bomb), int64(len(bomb)), nil)
	require.ErrorIs(t, err, docx.ErrTooBig)
	assert.ErrorContains(t, err, "word/document.xml")

	// The archive's own word on the size may be too low.
	lie := bytes.ReplaceAll(bomb, binary.LittleEndian.AppendUint32(nil, uint32(65<<20+len(open)+len(`<w:p><w:r><w:t>`))), []byte{1, 0, 0, 0})
	require.NotEqual(t, bomb, lie)
	_, err = docx.Read(context.Background(), bytes.NewReader(lie), int64(len(lie)), nil)
	require.Error(t, err)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	d := docxtest.New()
	d.Paragraph("a")
	d.Table(docxtest.Table{Rows: docxtest.Texts([]string{"1", "2"}, []string{"3", "4"})})
	data := d.Bytes()
	for name, opts := range map[string]*docx.Options{
		"file":   {MaxFileBytes: 10},
		"part":   {MaxPartBytes: 100},
		"cells":  {MaxCells: 3},
		"blocks": {MaxBlocks: 3},
	} {
		_, err := docx.Read(context.Background(), bytes.NewReader(data), int64(len(data)), opts)
		require.ErrorIs(t, err, docx.ErrTooBig, name)
	}
	for name, opts := range map[string]*docx.Options{
		"defaults":     {},
		"just enough":  {MaxFileBytes: int64(len(data)), MaxCells: 4, MaxBlocks: 6},
		"none of them": {MaxFileBytes: -1, MaxPartBytes: -1, MaxCells: -1, MaxBlocks: -1},
	} {
		_, err := docx.Read(context.Background(), bytes.NewReader(data), int64(len(data)), opts)
		require.NoError(t, err, name)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx := context.Background()
	d := docxtest.New()
	d.Paragraph("hello")
	path := filepath.Join(dir, "a file.docx")
	require.NoError(t, d.WriteFile(path))
	doc, err := docx.Open(ctx, path, nil)
	require.NoError(t, err)
	assert.Equal(t, "hello", doc.Blocks[0].Text)

	_, err = docx.Open(ctx, filepath.Join(dir, "missing.docx"), nil)
	require.ErrorIs(t, err, fs.ErrNotExist)
	var typed *docx.Error
	require.ErrorAs(t, err, &typed)
	assert.Equal(t, filepath.Join(dir, "missing.docx"), typed.Path)
	assert.Equal(t, 1, strings.Count(err.Error(), "missing.docx"))

	_, err = docx.Open(ctx, dir, nil)
	require.ErrorIs(t, err, docx.ErrNotWord)

	text := filepath.Join(dir, "text.docx")
	require.NoError(t, os.WriteFile(text, []byte("text"), 0o600))
	_, err = docx.Open(ctx, text, nil)
	require.ErrorIs(t, err, docx.ErrNotWord)
	assert.Equal(t, "docx: "+text+": not a Word document: no zip archive", err.Error())

	why := errors.New("enough")
	cancelled, cancel := context.WithCancelCause(ctx)
	cancel(why)
	_, err = docx.Open(cancelled, path, nil)
	require.ErrorIs(t, err, why)
}
