package office

import (
	"context"
	"fmt"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
)

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

// extraction is the parameter of extract_table.
type extraction struct {
	Number  int   `json:"number" desc:"its number in list_tables"`
	Columns []int `json:"columns,omitempty" desc:"listed columns to chart, the first is 1; null: those of one unit, without totals"`
}

// TableTools are list_tables and extract_table for a document that something else reads. read is called until it
// has succeeded once.
func TableTools(read func(ctx context.Context) ([]table.Source, error)) desktop.Desktop {
	return (&tables{read: read}).tools()
}

// tables are those of a document.
type tables struct {
	read func(ctx context.Context) ([]table.Source, error)

	mu        sync.Mutex
	sources   []table.Source
	summaries []table.Summary
}

var readOnly = desktop.Annotations{ReadOnlyHint: true, IdempotentHint: true}

func (t *tables) tools() toolset {
	return toolset{
		newTool("list_tables", "Describe the tables of the document.", readOnly,
			func(ctx context.Context, p from) (any, error) {
				if _, err := t.all(ctx); err != nil {
					return nil, err
				}
				return pageOf(t.summaries, p)
			}),
		newTool("extract_table", "Return one table as rows for a spreadsheet, with number formats and the range and columns to chart.", readOnly, t.extract),
	}
}

// all reads the document, once. After an error the next call tries again.
func (t *tables) all(ctx context.Context) ([]table.Source, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.summaries != nil {
		return t.sources, nil
	}
	sources, err := t.read(ctx)
	if err != nil {
		return nil, err
	}
	t.sources, t.summaries = sources, make([]table.Summary, len(sources))
	for i := range sources {
		t.summaries[i] = brief(table.Summarize(sources[i]))
	}
	return t.sources, nil
}

// numbered returns the place of table n.
func numbered(n, of int) (int, error) {
	if n < 1 || n > of {
		return 0, fmt.Errorf("office: there is no table %d, the document has %d", n, of)
	}
	return n - 1, nil
}

func (t *tables) extract(ctx context.Context, p extraction) (any, error) {
	sources, err := t.all(ctx)
	if err != nil {
		return nil, err
	}
	at, err := numbered(p.Number, len(sources))
	if err != nil {
		return nil, err
	}
	data, err := table.Read(sources[at])
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
	return Extracted(data, drawn)
}

// Extracted is what extract_table returns of a table, drawn being the series that the chart is to show.
func Extracted(data *table.Data, drawn []int) (Extract, error) {
	last, err := xlsx.Cell(len(data.Series)+1, len(data.Rows)-data.Totals+1)
	if err != nil {
		return Extract{}, err
	}
	out := Extract{
		Table: data.Table, Title: data.Title,
		Rows: data.Grid(), Formats: data.Formats(), Range: "A1:" + last, Skipped: data.Skipped,
	}
	for _, i := range drawn {
		column, err := xlsx.Column(i + 2) // after the labels
		if err != nil {
			return Extract{}, err
		}
		out.Columns = append(out.Columns, column)
	}
	return out, nil
}
