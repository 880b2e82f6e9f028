package rules

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/linuxagent/internal/workbook"
	"github.com/agentfsm/agentfsm/fsm"
)

// inWorkbook writes what the terminal found, by reference: the model need not copy
// what it only hands on.
func inWorkbook(p *prompt) reply.App {
	giveUp := func(reason string) reply.App {
		return reply.App{Status: fsm.Fail, Comment: reason}
	}
	done := p.Done()
	if len(done) == 0 {
		ref := ""
		for _, s := range p.Previous {
			if s.App == Terminal && s.Status == string(fsm.Finish) {
				ref = "subtask_result_" + strings.TrimPrefix(s.ID, "subtask_") + ".data.rows"
			}
		}
		if ref == "" {
			return giveUp("there is nothing to write: nothing came from the " + Terminal)
		}
		return reply.App{
			Status: fsm.Continue,
			Actions: []reply.Action{
				{Function: "clear_sheet"},
				{Function: "write_rows", Args: map[string]any{"rows": map[string]any{"$ref": ref}}},
			},
		}
	}
	last := done[len(done)-1]
	if last.Status == desktop.Failure {
		return giveUp(last.Error)
	}
	var state workbook.State
	if err := json.Unmarshal(last.Output, &state); err != nil {
		return giveUp(fmt.Sprintf("rules: what %s returned: %v", last.Tool, err))
	}
	if !state.Saved {
		return reply.App{
			Status: fsm.Continue, Function: workbook.Save, Args: map[string]any{"overwrite": state.FileExists},
		}
	}
	raw, err := json.Marshal(state)
	if err != nil {
		return giveUp("rules: " + err.Error())
	}
	return reply.App{
		Status: fsm.Finish, Result: raw,
		Comment: fmt.Sprintf("It is in the sheet %s of %s.", state.Sheet, state.File),
	}
}
