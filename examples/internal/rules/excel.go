package rules

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/fsm"
)

// workbook is what the tools of Excel return.
type workbook struct {
	File       string `json:"file"`
	FileExists bool   `json:"file_exists"`
	Saved      bool   `json:"saved"`
	Used       string `json:"used_range"`
	Formatted  bool   `json:"formatted"`
	Charts     int    `json:"charts"`
}

// excel fills the sheet, draws the chart and saves, and goes on only when it
// sees that the step before is done.
func excel(p *prompt) reply.App {
	var data json.RawMessage
	for _, s := range p.Previous {
		if s.App == wordApp && s.Status == string(fsm.Finish) {
			data = s.Result
		}
	}
	if data == nil {
		return givesUp("there is no table to draw: nothing came from " + wordApp)
	}
	write := reply.Action{Function: "write_rows", Args: map[string]any{"rows": sections.Member(data, "rows")}}
	format := reply.Action{Function: "format_columns", Args: map[string]any{"formats": sections.Member(data, "formats")}}
	rest := []string{"add a bar chart", "save the workbook"}
	done := p.Done()
	if len(done) == 0 {
		return reply.App{Status: fsm.Continue, Actions: []reply.Action{write, format}, Plan: rest}
	}
	last := done[len(done)-1]
	switch {
	case last.Status == desktop.Failure && sections.MayHaveHappened(last.Error):
		return reply.App{
			Thought: "Nobody knows whether " + last.Tool + " was done. I look.", Status: fsm.Continue,
			Function: "show_workbook",
		}
	case last.Status == desktop.Failure:
		return givesUp(last.Error)
	}
	var book workbook
	if err := json.Unmarshal(last.Output, &book); err != nil {
		return givesUp(fmt.Sprintf("rules: what %s returned: %v", last.Tool, err))
	}
	switch {
	case book.Used == "" && interrupted(done):
		return reply.App{Status: fsm.Continue, Actions: []reply.Action{write, format}, Plan: rest}
	case !book.Formatted && interrupted(done):
		return reply.App{Status: fsm.Continue, Actions: []reply.Action{format}, Plan: rest}
	case book.Charts == 0:
		return reply.App{
			Observation: "The rows are in " + book.Used + ".",
			Status:      fsm.Continue, Function: "add_bar_chart",
			Args: map[string]any{"range": sections.Member(data, "range"), "columns": sections.Member(data, "columns"), "title": sections.Member(data, "title")},
			Plan: []string{"save the workbook"},
		}
	case !book.Saved:
		return reply.App{
			Observation: "The chart is there.",
			Status:      fsm.Continue, Function: "save_workbook",
			Args: map[string]any{"overwrite": book.FileExists},
		}
	}
	return reply.App{
		Observation: "It is saved.",
		Status:      fsm.Finish, Result: mustJSON(book),
		Comment: fmt.Sprintf("A bar chart of it is in %s.", book.File), Open: seen(done),
	}
}

// seen says of the acts that may or may not have happened that the workbook has what they are for.
func seen(done []acting.MemoAction) map[string]string {
	open := map[string]string{}
	for _, a := range done {
		if a.Status == desktop.Failure && sections.MayHaveHappened(a.Error) {
			open[fmt.Sprintf("act_%d", len(open)+1)] = "done: the workbook has it"
		}
	}
	return open
}

// interrupted reports whether it was unknown once what came of an action.
func interrupted(done []acting.MemoAction) bool {
	return slices.ContainsFunc(done, func(a acting.MemoAction) bool {
		return a.Status == desktop.Failure && sections.MayHaveHappened(a.Error)
	})
}
