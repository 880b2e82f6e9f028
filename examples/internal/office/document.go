package office

import (
	"bytes"
	"context"
	_ "embed"
	"path/filepath"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/table"
)

//go:embed testdata/sales.docx
var sample []byte

// Document is what Word shows.
type Document struct {
	Name   string // of the file, for the title of the window
	Tables func(ctx context.Context) ([]table.Source, error)
}

// File is the document in the file of that name, or a sample if the name is empty.
func File(name string) Document {
	open := func(ctx context.Context) (*docx.Document, error) { return docx.Open(ctx, name, nil) }
	shown := filepath.Base(name)
	if name == "" {
		shown = "sales.docx"
		open = func(ctx context.Context) (*docx.Document, error) {
			return docx.Read(ctx, bytes.NewReader(sample), int64(len(sample)), nil)
		}
	}
	return Document{Name: shown, Tables: func(ctx context.Context) ([]table.Source, error) {
		doc, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return sources(doc), nil
	}}
}

func sources(doc *docx.Document) []table.Source {
	list := make([]table.Source, len(doc.Tables))
	for i, t := range doc.Tables {
		list[i] = table.Source{
			Number: t.Number, Parent: t.Parent, Heading: t.Heading, Sections: t.Sections, Caption: t.Caption, Above: t.Above,
			HeaderRows: t.HeaderRows, Rows: t.Rows, Languages: t.Languages,
		}
		for _, m := range t.Merges {
			list[i].Merges = append(list[i].Merges, table.Merge(m))
		}
		for _, u := range t.Unclear {
			list[i].Unclear = append(list[i].Unclear, table.Unclear(u))
		}
	}
	var texts []string
	for _, b := range doc.Blocks {
		texts = append(texts, b.Text)
	}
	table.Prove(list, texts...)
	return list
}

// must returns a desktop of tools of this package.
func must(tools ...*desktop.FuncTool) desktop.Desktop {
	d, err := desktop.New(tools...)
	if err != nil {
		panic(err) // a tool has a wrong name or input
	}
	return d
}
