package tables

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/fsm"
)

// Extract is the result of extract_table.
type Extract struct {
	Title   string   `json:"title"`
	Range   string   `json:"range"`   // of the rows, in a sheet that has them from A1 on
	Columns []string `json:"columns"` // those that a chart can show, such as C
	Rows    [][]any  `json:"rows"`    // a header, then a label and numbers or null in each row
}

type (
	from struct {
		From int `json:"from,omitempty" desc:"first table; null: 1; for more: next of the result"`
	}
	page struct {
		Items []*Table `json:"items"`
		Next  int      `json:"next,omitempty"` // where the list goes on
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
				p.Items = append(p.Items, tables[i-1])
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
	e, at := &Extract{Title: t.Title, Rows: t.values}, 1
	for i, c := range t.Columns {
		if c.Why != "" {
			continue
		}
		name, err := excelize.ColumnNumberToName(at + 1)
		if err != nil {
			return nil, err
		}
		if at++; slices.Contains(t.drawn(), i) {
			e.Columns = append(e.Columns, name)
		}
	}
	last, err := excelize.CoordinatesToCellName(at, len(t.values))
	e.Range = "A1:" + last
	return e, err
}

// drawn returns which columns a chart shows: a chart has one axis, so they have the unit of the first one.
func (t *Table) drawn() (list []int) {
	for i, c := range t.Columns {
		if c.Why == "" && (len(list) == 0 || c.Unit == t.Columns[list[0]].Unit) {
			list = append(list, i)
		}
	}
	return list
}

// Rule plays the model of an agent that has the tools of [Tools]: it lists all tables, extracts the one that the
// request means, and finishes with the result. The error is why it cannot.
func Rule(p *fakemodel.Prompt, request string) (fakemodel.Reply, error) {
	if last, ok := p.Last(); ok && last.Status == desktop.Failure {
		return fakemodel.Reply{}, errors.New(last.Error)
	}
	var known []*Table
	var extracted json.RawMessage
	next := 1
	for _, act := range p.Done() {
		if act.Tool == "extract_table" {
			extracted = act.Output
		}
		if act.Tool != "list_tables" || act.Status == desktop.Failure { // it was repeated then
			continue
		}
		var listed page
		if err := json.Unmarshal(act.Output, &listed); err != nil || len(listed.Items) == 0 && next > 1 {
			return fakemodel.Reply{}, fmt.Errorf("tables: cannot read the list of tables: %s", act.Output)
		}
		known, next = append(known, listed.Items...), listed.Next
	}
	if next > 0 {
		return fakemodel.Call("list_tables", map[string]any{"from": next}), nil
	}
	table, err := Choose(request, known)
	switch {
	case err != nil:
		return fakemodel.Reply{}, err
	case extracted != nil:
		return fakemodel.Reply{Status: fsm.Finish, Result: fakemodel.Ref(extracted, ""), Comment: table.report()}, nil
	}
	return fakemodel.Call("extract_table", map[string]any{"number": table.Number}), nil
}

// report says what a chart of the table shows and leaves out.
func (t *Table) report() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %d rows, %d series.", t.shown(), t.Rows, len(t.drawn()))
	for i, c := range t.Columns {
		if !slices.Contains(t.drawn(), i) {
			fmt.Fprintf(&text, " The column %q is not drawn: %s.", c.Name, cmp.Or(c.Why, "it has another unit"))
		}
	}
	return text.String()
}
