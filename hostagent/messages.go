package hostagent

import (
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
)

// messages renders the prompt, what changes least first. offered is what the model may answer.
func (a *Agent) messages(t *turn, offered []fsm.Status) ([]llm.Message, error) {
	var sections builtin.Sections
	sections.AddTools(t.Box)
	sections.AddGroups(t.Box)
	sections.Add("request", a.data.Request, true)
	a.data.Knowledge.Add(&sections)
	shown := a.addSubtasks(&sections)
	sections.AddHistory(&a.data.Data, a.cfg.memory())
	a.addSeen(&sections, t)
	planned := a.data.Plan.Show()
	sections.Add("plan", planned, len(planned) > 0)
	if err := sections.AddRest(&a.data.Data, a.cfg.Board, shown, offered); err != nil {
		return nil, err
	}
	return sections.Messages(a.prompt, builtin.HostFields{Name: a.cfg.Name, GraphPlans: a.cfg.GraphPlans, Statuses: offered}, t.Screenshot)
}

// seenSections are the request and what was seen of the desktop.
func (a *Agent) seenSections(t *turn) builtin.Sections {
	var sections builtin.Sections
	sections.Add("request", a.data.Request, true)
	a.addSeen(&sections, t)
	return sections
}

func (a *Agent) addSeen(sections *builtin.Sections, t *turn) {
	sections.Add("windows", t.targets, true)
	sections.Add("not_observed", t.NotObserved(), len(t.Unseen) > 0)
}

// addSubtasks adds what was done, and returns it.
func (a *Agent) addSubtasks(sections *builtin.Sections) []blackboard.Subtask {
	return sections.AddClosed(a.cfg.Board, a.Subtasks())
}
