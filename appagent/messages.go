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
	var task, now builtin.Sections
	a.addTask(&task)
	a.data.Knowledge.Add(&task)
	shown, err := task.AddClosedOf(a.cfg.Board, a.data.Before)
	if err != nil {
		return nil, err
	}
	a.addSeen(&now, t)
	now.Add("plan", a.planned(), len(a.data.Plan) > 0)
	if err := now.AddRest(&a.data.Data, a.cfg.Board, shown, offered); err != nil {
		return nil, err
	}
	fields := a.cfg.fields()
	fields.Statuses = builtin.StatusesOf(offered)
	return a.kept.Messages(&builtin.Prompt{
		System: a.prompt, Fields: fields, Offered: offered, Box: t.Box,
		Task: task, Data: &a.data.Data, Steps: a.cfg.MaxMemory, Now: now, Screenshot: t.Screenshot,
	})
}

// seenSections are the task and what was seen of the window.
func (a *Agent) seenSections(t *turn) builtin.Sections {
	var sections builtin.Sections
	a.addTask(&sections)
	a.addSeen(&sections, t)
	return sections
}

func (a *Agent) addTask(sections *builtin.Sections) {
	sections.Add("request", a.data.Request, a.data.Request != "")
	sections.Add("subtask", a.data.Task, true)
}

func (a *Agent) addSeen(sections *builtin.Sections, t *turn) {
	window := a.cfg.Window
	if t.window != nil {
		window = *t.window
	}
	sections.Add("application", window, window != desktop.Window{})
	sections.Add("dialogs", t.shownDialogs(), len(t.dialogs) > 0)
	sections.Add("controls", t.controls, t.controls != nil)
	sections.Add("not_observed", t.NotObserved(), len(t.Unseen) > 0)
}

// planned is what is left to do, as a prompt shows it.
func (a *Agent) planned() []string {
	list := slices.Clone(a.data.Plan)
	for i := range list {
		list[i] = clip.Text(list[i], promptsize.PlanTask)
	}
	return list
}
