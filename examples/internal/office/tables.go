package office

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
)

// Extract is the result of extract_table: a header row, then a label and numbers in each row. A cell without a number
// is null.
type Extract struct {
	Table   int          `json:"table"` // its number in the document
	Title   string       `json:"title"`
	Rows    [][]any      `json:"rows"`
	Formats []string     `json:"formats"`           // how the document writes the numbers of each column
	Range   string       `json:"range"`             // the rows without totals, as a sheet has them from A1 on
	Columns []string     `json:"columns"`           // the columns of that range that the chart is to show
	Skipped []table.Cell `json:"skipped,omitempty"` // cells among the numbers that are none
}

// page is a part of the list of tables.
type page struct {
	Total int             `json:"total"`
	From  int             `json:"from"` // number of the first table here, from 1
	Items []table.Summary `json:"items"`
	Next  int             `json:"next,omitempty"` // where the list goes on
}

type (
	listing struct {
		From int `json:"from,omitempty" desc:"first table; null: 1; for more: next of the result"`
	}
	extraction struct {
		Number  int   `json:"number" desc:"its number in list_tables"`
		Columns []int `json:"columns,omitempty" desc:"listed columns to chart, the first is 1; null: those of one unit, without totals"`
	}
)

// TableTools has list_tables and extract_table. It calls read until that has succeeded once.
func TableTools(read func(ctx context.Context) ([]table.Source, error)) desktop.Desktop {
	var mu sync.Mutex
	var sources []table.Source
	known := false
	all := func(ctx context.Context) ([]table.Source, error) {
		mu.Lock()
		defer mu.Unlock()
		if known {
			return sources, nil
		}
		var err error
		sources, err = read(ctx)
		known = err == nil
		return sources, err
	}
	looks := &desktop.Annotations{ReadOnlyHint: true, IdempotentHint: true}
	return must(
		desktop.Func("list_tables", "Describe the tables of the document.", func(ctx context.Context, in listing) (page, error) {
			sources, err := all(ctx)
			if err != nil {
				return page{}, err
			}
			return list(sources, in.From)
		}, looks),
		desktop.Func("extract_table", "Return one table as rows for a spreadsheet, with number formats and the range and columns to chart.", func(ctx context.Context, in extraction) (Extract, error) {
			sources, err := all(ctx)
			if err != nil {
				return Extract{}, err
			}
			return extract(sources, in)
		}, looks),
	)
}

// list describes as many tables as a prompt shows whole.
func list(sources []table.Source, from int) (page, error) {
	p := page{Total: len(sources), From: max(from, 1), Items: []table.Summary{}}
	if p.From > len(sources)+1 {
		return page{}, fmt.Errorf("office: from is %d, but the list has %d items", from, len(sources))
	}
	size := envelope
	for i := p.From - 1; i < len(sources); i++ {
		s := short(table.Summarize(sources[i]))
		text, err := json.Marshal(s)
		if err != nil {
			return page{}, err
		}
		if size += len(text) + 1; size > acting.MaxOutput && len(p.Items) > 0 {
			p.Next = i + 1
			break
		}
		p.Items = append(p.Items, s)
	}
	return p, nil
}

// short cuts the texts and lists of a summary until a prompt shows it whole.
func short(s table.Summary) table.Summary {
	for n := 20; n > 0; n /= 2 {
		for _, text := range []*string{&s.Heading, &s.Caption, &s.Label, &s.Above, &s.Doubt, &s.Unfit} {
			*text = fmt.Sprintf("%.*s", 10*n, *text)
		}
		for _, list := range []*[]string{&s.Sections, &s.Header, &s.Totals, &s.Skipped} {
			short := []string{}
			for _, text := range (*list)[:min(len(*list), n)] {
				short = append(short, fmt.Sprintf("%.*s", 10*n, text))
			}
			*list = short
		}
		s.Columns, s.Others = s.Columns[:min(len(s.Columns), n)], s.Others[:min(len(s.Others), n)]
		if text, err := json.Marshal(s); err != nil || len(text) < acting.MaxOutput-envelope {
			break
		}
	}
	return s
}

// envelope is how many bytes are around the items of a page.
const envelope = 100

func extract(sources []table.Source, in extraction) (Extract, error) {
	if in.Number < 1 || in.Number > len(sources) {
		return Extract{}, fmt.Errorf("office: there is no table %d, the document has %d", in.Number, len(sources))
	}
	data, err := table.Read(sources[in.Number-1])
	if err != nil {
		return Extract{}, err
	}
	drawn := data.Drawn
	if len(in.Columns) > 0 {
		drawn = nil
		for _, n := range in.Columns {
			if n < 1 || n > len(data.Series) {
				return Extract{}, fmt.Errorf("office: there is no column %d to draw, the table has %d", n, len(data.Series))
			}
			drawn = append(drawn, n-1)
		}
	}
	return Extracted(data, drawn)
}

// Extracted is the result of extract_table for a table, with the series that the chart is to show.
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
