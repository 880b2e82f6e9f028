package office

import (
	"bytes"
	"context"
	_ "embed"
	"path/filepath"

	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/table"
)

//go:embed testdata/sales.docx
var sample []byte

// Document is what Word shows.
type Document struct {
	Name string // of the file, for the title of the window
	Open func(ctx context.Context) (*docx.Document, error)
}

// Tables reads the tables of the document.
func (d Document) Tables(ctx context.Context) ([]table.Source, error) {
	return (&word{open: d.Open}).sources(ctx)
}

// File is the document in the file of that name; a sample, if it is empty.
func File(name string) Document {
	if name == "" {
		return Document{Name: "sales.docx", Open: func(ctx context.Context) (*docx.Document, error) {
			return docx.Read(ctx, bytes.NewReader(sample), int64(len(sample)), nil)
		}}
	}
	return Document{Name: filepath.Base(name), Open: func(ctx context.Context) (*docx.Document, error) {
		return docx.Open(ctx, name, nil)
	}}
}
