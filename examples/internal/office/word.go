package office

import (
	"context"
	"fmt"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/docx"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
)

// word is Word with a document.
type word struct {
	open func(ctx context.Context) (*docx.Document, error)

	mu     sync.Mutex
	doc    *docx.Document
	tables []table.Summary
}

// Extract is the result of extract_table: a header row, then a label and numbers
// in each row. A cell without a number is null.
type Extract struct {
	Table   int          `json:"table"` // its number in the document
	Title   string       `json:"title"`
	Rows    [][]any      `json:"rows"`
	Formats []string     `json:"formats"`           // how the document writes the numbers of each column
	Range   string       `json:"range"`             // the rows without the last ones if those are totals, as a sheet has them from A1 on
	Columns []string     `json:"columns"`           // those of them that the chart is to show
	Skipped []table.Cell `json:"skipped,omitempty"` // cells among the numbers that are none
}

// number is the parameter of the tools that take a table.
type number struct {
	Number int `json:"number" desc:"its number in list_tables"`
}

// extraction is the parameter of extract_table.
type extraction struct {
	Number  int   `json:"number" desc:"its number in list_tables"`
	Columns []int `json:"columns,omitempty" desc:"listed columns to chart, the first is 1; null: those of one unit, without totals"`
}

func (w *word) tools() toolset {
	reads := desktop.Annotations{ReadOnlyHint: true, IdempotentHint: true}
	return toolset{
		newTool("list_headings", "List the headings of the document.", reads,
			func(ctx context.Context, p from) (any, error) {
				doc, err := w.document(ctx)
				if err != nil {
					return nil, err
				}
				return pageOf(doc.Headings(), p)
			}),
		newTool("list_paragraphs", "List the paragraphs of the document.", reads,
			func(ctx context.Context, p from) (any, error) {
				doc, err := w.document(ctx)
				if err != nil {
					return nil, err
				}
				return pageOf(doc.Paragraphs(), p)
			}),
		newTool("list_tables", "Describe the tables of the document.", reads,
			func(ctx context.Context, p from) (any, error) {
				if _, err := w.document(ctx); err != nil {
					return nil, err
				}
				return pageOf(w.tables, p)
			}),
		newTool("read_table", "Return one table as it stands: the texts of its cells, row by row.", reads,
			func(ctx context.Context, p number) (any, error) { return w.table(ctx, p.Number) }),
		newTool("extract_table", "Return one table as rows for a spreadsheet, with number formats and the range and columns to chart.", reads, w.extract),
	}
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
	w.tables = make([]table.Summary, len(doc.Tables))
	for i := range doc.Tables {
		w.tables[i] = brief(table.Summarize(source(&doc.Tables[i])))
	}
	w.doc = doc
	return doc, nil
}

func (w *word) table(ctx context.Context, n int) (*docx.Table, error) {
	doc, err := w.document(ctx)
	if err != nil {
		return nil, err
	}
	if n < 1 || n > len(doc.Tables) {
		return nil, fmt.Errorf("office: there is no table %d, the document has %d", n, len(doc.Tables))
	}
	return &doc.Tables[n-1], nil
}

func (w *word) extract(ctx context.Context, p extraction) (any, error) {
	t, err := w.table(ctx, p.Number)
	if err != nil {
		return nil, err
	}
	data, err := table.Read(source(t))
	if err != nil {
		return nil, err
	}
	drawn := data.Drawn
	if len(p.Columns) > 0 {
		drawn = nil
		for _, n := range p.Columns {
			if n < 1 || n > len(data.Series) {
				return nil, fmt.Errorf("office: there is no column %d to draw, the table has %d", n, len(data.Series))
			}
			drawn = append(drawn, n-1)
		}
	}
	last, err := xlsx.Cell(len(data.Series)+1, len(data.Rows)-data.Totals+1)
	if err != nil {
		return nil, err
	}
	out := Extract{
		Table: data.Table, Title: data.Title,
		Rows: data.Grid(), Formats: data.Formats(), Range: "A1:" + last, Skipped: data.Skipped,
	}
	for _, i := range drawn {
		column, err := xlsx.Column(i + 2) // after the labels
		if err != nil {
			return nil, err
		}
		out.Columns = append(out.Columns, column)
	}
	return out, nil
}

func source(t *docx.Table) table.Source {
	s := table.Source{
		Number: t.Number, Parent: t.Parent, Heading: t.Heading, Sections: t.Sections, Caption: t.Caption,
		HeaderRows: t.HeaderRows, Rows: t.Rows,
	}
	for _, m := range t.Merges {
		s.Merges = append(s.Merges, table.Merge(m))
	}
	return s
}
