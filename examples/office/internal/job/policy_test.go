package job_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/office/internal/job"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/policies"
)

// The job is done unasked; what could harm anything else, or replaces a file, a person approves.
func TestPolicy(t *testing.T) {
	t.Parallel()
	in := func(dialog, button string) []desktop.Control {
		return []desktop.Control{{ID: "0x1", Type: "Dialog", Name: dialog}, {ID: "1.1", Type: "push button", Name: button}}
	}
	click := desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "1.1"}}
	launch := func(name string, argv ...any) desktop.Command {
		return desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": name, "command": argv}}
	}
	menu := func(path ...any) desktop.Command {
		return desktop.Command{ToolName: desktop.SelectMenu, Parameters: map[string]any{"path": path}}
	}
	keys := func(keys string) desktop.Command {
		return desktop.Command{ToolName: desktop.KeyboardInput, Parameters: map[string]any{"id": "1.1", "keys": keys}}
	}
	sheet := []desktop.Control{{ID: "1.0", Type: "document spreadsheet"}, {ID: "1.1", Type: "table", Name: "Sheet1"}}
	programs := []hostagent.Program{{Name: rules.Writer}, {Name: rules.Calc, Command: []string{"soffice", "--calc"}}}
	for name, c := range map[string]struct {
		cmd  desktop.Command
		path []desktop.Control
		want policies.Action
	}{
		"Writer":                   {launch(rules.Writer), nil, policies.Allow},
		"Calc":                     {launch(rules.Calc), nil, policies.Allow},
		"Calc, by its command":     {launch(rules.Calc, "soffice", "--calc"), nil, policies.Allow},
		"Calc, by another command": {launch(rules.Calc, "sh", "-c", "true"), nil, policies.Confirm},
		"another program":          {launch("xterm"), nil, policies.Confirm},
		"a tip":                    {click, in("Tip of the Day", "OK"), policies.Allow},
		"OK of another dialog":     {click, in("Delete Sheets", "OK"), policies.Confirm},
		"a document in use":        {click, in("Document in Use", "Open Read-Only"), policies.Allow},
		"a document in use, open":  {click, in("Document in Use", "Open Copy"), policies.Confirm},
		"what is drawn":            {keys("^{HOME}"), sheet, policies.Allow},
		"cells":                    {desktop.Command{ToolName: "write_cells", Parameters: map[string]any{"id": "1.1"}}, sheet, policies.Allow},
		"a chart":                  {menu("Insert", "Chart..."), nil, policies.Allow},
		"the next page":            {click, in("Chart Type", "Next >"), policies.Allow},
		"the last page":            {click, in("Data Range", "Finish"), policies.Allow},
		"the first is the last":    {click, in("Chart Type", "Finish"), policies.Allow},
		"the page before the last": {click, in("Data Series", "Next >"), policies.Allow},
		"the page of the title":    {click, in("Chart Elements", "Finish"), policies.Allow},
		"another wizard":           {click, in("Mail Merge", "Finish"), policies.Confirm},
		"the chart is left":        {keys("{ESC 2}"), nil, policies.Allow},
		"save as":                  {menu("File", "Save As..."), nil, policies.Allow},
		"save":                     {menu("File", "Save"), nil, policies.Confirm},
		"the name":                 {click, in("Save", "Save"), policies.Allow},
		"the name, otherwise":      {click, in("Save As", "Save"), policies.Allow},
		"the format":               {click, in("Confirm File Format", "Use Excel 2007–365 Format!"), policies.Allow},
		"a file that is there":     {click, in("Question", "Replace"), policies.Confirm},
		"close":                    {desktop.Command{ToolName: desktop.CloseApplication}, nil, policies.Confirm},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			if c.path != nil {
				ctx = policies.WithControl(ctx, c.path...)
			}
			tool, _ := desktop.ToolNamed(c.cmd.ToolName)
			v := job.Policy(programs)(ctx, tool, c.cmd)
			assert.Equal(t, c.want, v.Action, v.Reason)
		})
	}
}
