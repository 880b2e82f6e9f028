package hostagent

import (
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
)

// messages renders the prompt. offered is what the model may answer.
func (a *Agent) messages(t *turn, offered []fsm.Status) ([]llm.Message, error) {
	sections := a.seenSections(t)
	a.data.Knowledge.Add(&sections)
	sections.Add("tools", builtin.OfferedTools(t.Box.Tools()), true)
	groups := builtin.Groups(t.Box.Tools())
	sections.Add("tool_groups", groups, len(groups) > 0)
	a.addSubtasks(&sections)
	planned := a.data.Plan.Show()
	sections.Add("plan", planned, len(planned) > 0)
	if err := sections.AddRest(&a.data.Data, a.cfg.Board, a.cfg.memory(), offered); err != nil {
		return nil, err
	}
	return sections.Messages(a.prompt, builtin.HostFields{Name: a.cfg.Name, Statuses: offered}, t.Screenshot)
}

// seenSections are the request and what was seen of the desktop.
func (a *Agent) seenSections(t *turn) builtin.Sections {
	var sections builtin.Sections
	sections.Add("request", a.data.Request, true)
	sections.Add("windows", t.targets, true)
	sections.Add("not_observed", t.NotObserved(), len(t.Unseen) > 0)
	return sections
}

func (a *Agent) addSubtasks(sections *builtin.Sections) {
	sections.Add("previous_subtasks", builtin.Closed(a.cfg.Board, a.Subtasks()), true)
}
