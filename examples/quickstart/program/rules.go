package program

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/examples/internal/tables"
	"github.com/agentfsm/agentfsm/fsm"
)

// Rules play the model: a rule for each agent. Each is a list of "if this is done so far, then this is next".
var Rules = fakemodel.New(fakemodel.Rules{fakemodel.Host: host, Word: readTable, Excel: drawChart})

// host assigns one part of the job after the other.
func host(p *fakemodel.Prompt) fakemodel.Reply {
	if err := tables.CheckRequest(p.Request); err != nil {
		return fakemodel.Fail("%v", err)
	}
	if n := len(p.Previous); n > 0 && p.Previous[n-1].Status != string(fsm.Finish) {
		return fakemodel.Fail("%s", p.Previous[n-1].Reason)
	}
	switch len(p.Previous) {
	case 0:
		return p.Assign(Word, "Extract the table that the request is about.")
	case 1:
		return p.Assign(Excel, "Write the extracted table into the workbook, add a bar chart and save it.")
	}
	return fakemodel.Reply{Status: fsm.Finish, Comment: p.Previous[0].Reason + " " + p.Previous[1].Reason}
}

func readTable(p *fakemodel.Prompt) fakemodel.Reply {
	reply, err := tables.Rule(p, p.Request)
	if errors.Is(err, tables.ErrNone) && strings.EqualFold(p.Request, DefaultRequest) {
		reply, err = tables.Rule(p, "") // the person did not say which; the only one will do
	}
	if err != nil {
		return fakemodel.Fail("%v", err)
	}
	return reply
}

func drawChart(p *fakemodel.Prompt) fakemodel.Reply {
	table := p.Result(Word)
	last, ok := p.Last()
	if !ok {
		return fakemodel.Call("write_rows", map[string]any{"rows": fakemodel.Ref(table, "rows")})
	}
	var book Workbook
	if err := json.Unmarshal(last.Output, &book); err != nil || last.Status == desktop.Failure {
		return fakemodel.Fail("%s: %s", last.Tool, last.Error)
	}
	switch {
	case book.Charts == 0:
		return fakemodel.Call("add_bar_chart", map[string]any{
			"range": fakemodel.Ref(table, "range"), "columns": fakemodel.Ref(table, "columns"), "title": fakemodel.Ref(table, "title"),
		})
	case !book.Saved:
		return fakemodel.Call("save_workbook", map[string]any{"overwrite": book.FileExists})
	}
	return fakemodel.Reply{Status: fsm.Finish, Comment: "A bar chart of it is in " + book.File + "."}
}
