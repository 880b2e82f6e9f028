package appagent

import (
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm"
)

// messages renders the prompt. offered is what the model may answer.
func (a *Agent) messages(t *turn, offered []fsm.Status) ([]llm.Message, error) {
	task, now := t.shown.Begin()
	a.addTask(&task, t)
	a.data.Knowledge.Add(&task)
	shown, err := task.AddClosedOf(a.cfg.Board, a.data.Before)
	if err != nil {
		return nil, err
	}
	a.addSeen(&now, t)
	if len(a.data.Plan) > 0 {
		now.Add("plan", a.planned(), true)
	}
	if err := now.AddRest(&a.data.Data, a.cfg.Board, shown, builtin.Unnamed(offered, says, a.cfg.Prompt == defaultPrompt, a.tools.Calls != nil)); err != nil {
		return nil, err
	}
	fields := func(offer *builtin.Offer) any {
		fields := a.cfg.fields()
		fields.Statuses = builtin.StatusesOf(offered)
		_, fields.Controls = t.Box.Tool(desktop.GetUITree)
		fields.TextArgs = offer.TextArgs
		return fields
	}
	return t.shown.Messages(&builtin.Prompt{
		System: a.prompt, Fields: fields, Offered: offered, Box: t.Box,
		Task: task, Data: &a.data.Data, Steps: a.cfg.MaxMemory, Now: now, Screenshot: t.Screenshot,
		ToolCalls: a.tools.Calls != nil,
	})
}

// seenSections are the task and what was seen of the window.
func (a *Agent) seenSections(t *turn) builtin.Sections {
	var sections builtin.Sections
	a.addTask(&sections, t)
	a.addSeen(&sections, t)
	return sections
}

func (a *Agent) addTask(sections *builtin.Sections, t *turn) {
	sections.Add("request", a.data.Request, a.data.Request != "")
	if a.data.Window == (desktop.Window{}) {
		a.data.Window = a.seen(t)
	}
	sections.Add("application", a.data.Window, a.data.Window != (desktop.Window{}))
	sections.Add("subtask", a.data.Task, true)
}

// seen is the window without whether it has the focus. That changes often, and the agent's commands
// go to its window all the same.
func (a *Agent) seen(t *turn) desktop.Window {
	window := a.cfg.Window
	if t.window != nil {
		window = *t.window
	}
	window.Focused = false
	return window
}

func (a *Agent) addSeen(sections *builtin.Sections, t *turn) {
	if window := a.seen(t); window != a.data.Window {
		sections.Add("application_now", window, true)
	}
	if len(t.dialogs) > 0 {
		sections.Add("dialogs", t.shownDialogs(), true)
	}
	if t.controls != nil {
		sections.Add("controls", t.controls, true)
	}
	if len(t.Unseen) > 0 {
		sections.Add("not_observed", t.NotObserved(), true)
	}
}

// planned is what is left to do, as a prompt shows it.
func (a *Agent) planned() []string {
	list := slices.Clone(a.data.Plan)
	for i := range list {
		list[i] = clip.Text(list[i], promptsize.PlanTask)
	}
	return list
}
