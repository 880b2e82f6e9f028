package job

import (
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/libreoffice"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/policies"
)

// policy is that of a screen, but for what the job is: its programs are started, its spreadsheet is drawn and saved
// unasked. A person is asked before a file is replaced.
func policy(programs []hostagent.Program) policies.Func {
	commands := map[string][]string{}
	for _, p := range programs {
		commands[p.Name] = p.Command
	}
	return policies.All(libreoffice.Policy(linuxdesktop.Policy(&linuxdesktop.PolicyOptions{
		Programs: commands,
		Allow: []linuxdesktop.Choice{
			{Dialog: "Tip of the Day", Control: "OK"},
			{Dialog: "Chart Type", Control: "Finish"}, {Dialog: "Data Range", Control: "Finish"}, {Dialog: "Chart Elements", Control: "Finish"},
			{Dialog: "Chart Type", Control: "Next >"}, {Dialog: "Data Range", Control: "Next >"}, {Dialog: "Data Series", Control: "Next >"},
			{Control: "File > Save As"}, {Dialog: "Save", Control: "Save"}, {Dialog: "Save As", Control: "Save"},
			{Dialog: "Confirm File Format", Control: "Use Excel 2007–365 Format"},
			{Dialog: "Confirm File Format", Control: "Use Excel 2007–365 Format!"},
			{Dialog: "Document in Use", Control: "Open Read-Only"},
		},
	})), policies.AskUncertain())
}
