package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
)

// Extract is the result of extract_table.
type Extract struct {
	Title   string   `json:"title"`
	Range   string   `json:"range"`   // of the rows, in a sheet that has them from A1 on
	Columns []string `json:"columns"` // those that a chart can show, such as C
	Formats []string `json:"formats"` // of all columns
	Rows    [][]any  `json:"rows"`    // a header, then a label and numbers or null in each row
}

type (
	from struct {
		From int `json:"from,omitempty" desc:"first table; null: 1; for more: next of the result"`
	}
	page struct {
		Items []Summary `json:"items"`
		Next  int       `json:"next,omitempty"` // where the list goes on
	}
	one struct {
		Number int `json:"number"`
	}
)

// Tools returns list_tables and extract_table for a document.
func Tools(read func(context.Context) ([]*Table, error)) []*desktop.FuncTool {
	hints := &desktop.Annotations{ReadOnlyHint: true, IdempotentHint: true}
	return []*desktop.FuncTool{
		desktop.Func("list_tables", "Describe the tables of the document.", func(ctx context.Context, in from) (p page, err error) {
			tables, err := read(ctx)
			for i := max(in.From, 1); err == nil && i <= len(tables); i++ {
				p.Items = append(p.Items, tables[i-1].Summary)
				if raw, e := json.Marshal(p); e == nil && len(raw) > acting.MaxOutput && len(p.Items) > 1 { // a prompt shows no more
					p.Items, p.Next = p.Items[:len(p.Items)-1], i
					break
				}
			}
			return p, err
		}, hints),
		desktop.Func("extract_table", "Return one table as rows for a spreadsheet.", func(ctx context.Context, in one) (*Extract, error) {
			tables, err := read(ctx)
			if err == nil && (in.Number < 1 || in.Number > len(tables)) {
				err = fmt.Errorf("there is no table %d, the document has %d", in.Number, len(tables))
			}
			if err != nil {
				return nil, err
			}
			return tables[in.Number-1].Extract()
		}, hints),
	}
}

// Extract returns the rows of a table, and what to chart of it.
func (t *Table) Extract() (*Extract, error) {
	if t.Unfit != "" {
		return nil, fmt.Errorf("%s cannot be drawn: %s", t.shown(), t.Unfit)
	}
	e, shown, at := &Extract{Title: t.Title, Formats: t.formats, Rows: t.rows}, t.drawn(), 1
	for i, c := range t.Columns {
		if c.Why == "" {
			at++
		}
		if slices.Contains(shown, i) {
			name, err := excelize.ColumnNumberToName(at)
			if err != nil {
				return nil, err
			}
			e.Columns = append(e.Columns, name)
		}
	}
	last, err := excelize.CoordinatesToCellName(len(t.formats), len(t.rows))
	e.Range = "A1:" + last
	return e, err
}
