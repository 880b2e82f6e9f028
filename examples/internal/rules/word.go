package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/fsm"
)

// The tools of Word that the model uses.
const (
	listTables   = "list_tables"
	extractTable = "extract_table"
)

// usual are the requests of programs that were told nothing else. They name no table if the document has only one.
var usual = map[string]bool{
	"extract the sales table from the word document and create a bar chart in excel": true,
	"extract the sales table from the document and create a bar chart":               true,
}

// Word looks at all tables, chooses one and hands it on.
func Word(p *prompt) reply.App {
	done := p.Done()
	if len(done) > 0 && done[len(done)-1].Status == desktop.Failure {
		return givesUp(done[len(done)-1].Error)
	}
	tables, next, err := Listed(done)
	if err != nil {
		return givesUp(strings.TrimPrefix(err.Error(), "table: "))
	}
	if next > 0 {
		return reply.App{
			Thought: "I have to see all tables before I choose.", Status: fsm.Continue,
			Function: listTables, Args: map[string]any{"from": next},
		}
	}
	choice, err := table.Choose(p.Request, tables)
	if errors.Is(err, table.ErrNoSuch) && usual[strings.ToLower(p.Request)] {
		if only, problem := table.Choose("", tables); problem == nil {
			choice, err = only, nil
		}
	}
	if err != nil {
		return givesUp(strings.TrimPrefix(err.Error(), "table: "))
	}
	chosen := tables[choice.Index]
	if last := done[len(done)-1]; last.Tool == extractTable {
		return reply.App{Status: fsm.Finish, Result: sections.Whole(last.Output), Comment: describe(chosen, choice.Columns)}
	}
	args := map[string]any{"number": chosen.Number}
	if len(choice.Columns) > 0 {
		var columns []int
		for _, i := range choice.Columns {
			columns = append(columns, i+1)
		}
		args["columns"] = columns
	}
	return reply.App{
		Observation: fmt.Sprintf("%d tables", len(tables)),
		Thought:     fmt.Sprintf("Table %d is the only one that fits the request: %q.", chosen.Number, choice.Words),
		Status:      fsm.Continue, Function: extractTable, Args: args,
	}
}

// Listed returns the tables that were listed so far, and where the list goes
// on; 0 for its end.
func Listed(done []acting.MemoAction) (tables []table.Summary, next int, err error) {
	next = 1
	for _, a := range done {
		if a.Tool != listTables || a.Status == desktop.Failure { // it was asked again then
			continue
		}
		var page struct {
			From  int             `json:"from"`
			Items []table.Summary `json:"items"`
			Next  int             `json:"next"`
		}
		if err := json.Unmarshal(a.Output, &page); err != nil {
			return nil, 0, fmt.Errorf("rules: what %s returned: %w", listTables, err)
		}
		if page.From != next {
			return nil, 0, fmt.Errorf("rules: the document has more tables than I can keep in mind; I have forgotten those from %d on", next)
		}
		tables, next = append(tables, page.Items...), page.Next
	}
	return tables, next, nil
}
