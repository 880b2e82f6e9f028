package office

import (
	"context"
	"sync"

	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/table"
)

// word is Word with a document.
type word struct {
	open func(ctx context.Context) (*docx.Document, error)

	mu  sync.Mutex
	doc *docx.Document
}

// number is the parameter of the tools that take a table.
type number struct {
	Number int `json:"number" desc:"its number in list_tables"`
}

func (w *word) tools() toolset {
	list := toolset{
		newTool("list_headings", "List the headings of the document.", readOnly,
			func(ctx context.Context, p from) (any, error) {
				doc, err := w.document(ctx)
				if err != nil {
					return nil, err
				}
				return pageOf(doc.Headings(), p)
			}),
		newTool("list_paragraphs", "List the paragraphs of the document.", readOnly,
			func(ctx context.Context, p from) (any, error) {
				doc, err := w.document(ctx)
				if err != nil {
					return nil, err
				}
				return pageOf(doc.Paragraphs(), p)
			}),
		newTool("read_table", "Return one table as it stands: the texts of its cells, row by row.", readOnly,
			func(ctx context.Context, p number) (any, error) {
				doc, err := w.document(ctx)
				if err != nil {
					return nil, err
				}
				at, err := numbered(p.Number, len(doc.Tables))
				if err != nil {
					return nil, err
				}
				return &doc.Tables[at], nil
			}),
	}
	return append(list, (&tables{read: w.sources}).tools()...)
}

// document reads the document, once. After an error the next call tries again.
func (w *word) document(ctx context.Context) (*docx.Document, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.doc != nil {
		return w.doc, nil
	}
	doc, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	w.doc = doc
	return doc, nil
}

func (w *word) sources(ctx context.Context) ([]table.Source, error) {
	doc, err := w.document(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]table.Source, len(doc.Tables))
	for i := range doc.Tables {
		list[i] = source(&doc.Tables[i])
	}
	var texts []string
	for _, b := range doc.Blocks {
		texts = append(texts, b.Text)
	}
	table.Prove(list, texts...)
	return list, nil
}

func source(t *docx.Table) table.Source {
	s := table.Source{
		Number: t.Number, Parent: t.Parent, Heading: t.Heading, Sections: t.Sections, Caption: t.Caption, Above: t.Above,
		HeaderRows: t.HeaderRows, Rows: t.Rows, Languages: t.Languages,
	}
	for _, m := range t.Merges {
		s.Merges = append(s.Merges, table.Merge(m))
	}
	for _, u := range t.Unclear {
		s.Unclear = append(s.Unclear, table.Unclear(u))
	}
	return s
}
