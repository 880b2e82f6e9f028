package hostagent

import (
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
)

// messages renders the prompt, what changes least first. offered is what the model may answer.
func (a *Agent) messages(t *turn, offered []fsm.Status) ([]llm.Message, error) {
	task, now := t.shown.Begin()
	task.Add("request", a.data.Request, true)
	a.data.Knowledge.Add(&task)
	shown, err := task.AddClosed(a.cfg.Board, a.data.First)
	if err != nil {
		return nil, err
	}
	a.addSeen(&now, t)
	planned := a.data.Plan.Show()
	if len(planned) > 0 {
		now.Add("plan", planned, true)
	}
	if err := now.AddRest(&a.data.Data, a.cfg.Board, shown, builtin.Unnamed(offered, says, a.cfg.Prompt == defaultPrompt, a.tools.Calls != nil)); err != nil {
		return nil, err
	}
	fields := func(offer *builtin.Offer) any {
		_, shell := t.Box.Tool(desktop.RunShell)
		return builtin.HostFields{Name: a.cfg.Name, GraphPlans: a.cfg.GraphPlans, ToolCalls: a.cfg.ToolCalls, Shell: shell, TextArgs: offer.TextArgs, Statuses: builtin.StatusesOf(offered)}
	}
	return t.shown.Messages(&builtin.Prompt{
		System: a.prompt, Fields: fields, Offered: offered,
		Box: t.Box, Groups: true, Task: task, Data: &a.data.Data, Steps: a.cfg.memory(), Now: now, Screenshot: t.Screenshot,
		ToolCalls: a.tools.Calls != nil,
	})
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
	if len(t.Unseen) > 0 {
		sections.Add("not_observed", t.NotObserved(), true)
	}
}
