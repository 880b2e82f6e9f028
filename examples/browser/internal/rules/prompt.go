package rules

import (
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/llm"
)

// prompt is what the model reads of one.
type prompt struct {
	Request     string
	Windows     []entry // of the host's prompt only
	Application desktop.Window
	Task        task
	Controls    []desktop.Control
	Unseen      []string
	Tools       []desktop.Tool
	Previous    []blackboard.Subtask
	History     []acting.Memo
	LastError   string
	Refused     bool // the last reply could not be used
}

// entry is an application that the host may choose.
type entry struct {
	ID   string `json:"id"`
	Root string `json:"root"`
}

type task struct {
	ID string `json:"id"`
}

func read(req *llm.Request) (*prompt, error) {
	p := &prompt{}
	var now desktop.Window
	for _, s := range []struct {
		name string
		into any
	}{
		{"request", &p.Request},
		{"windows", &p.Windows},
		{"application", &p.Application},
		{"application_now", &now},
		{"subtask", &p.Task},
		{"controls", &p.Controls},
		{"not_observed", &p.Unseen},
		{"tools", &p.Tools},
		{"previous_subtasks", &p.Previous},
		{"history", &p.History},
		{"last_error", &p.LastError},
	} {
		raw, ok := llm.FindSection(req, s.name)
		if !ok {
			continue
		}
		if err := json.Unmarshal(raw, s.into); err != nil {
			return nil, fmt.Errorf("%w: section %s: %w", ErrPrompt, s.name, err)
		}
	}
	if now != (desktop.Window{}) {
		p.Application = now
	}
	_, p.Refused = llm.FindSection(req, "refused_reply")
	return p, nil
}

// steps are the remembered ones of this sub-task, oldest first.
func (p *prompt) steps() []acting.Memo {
	var list []acting.Memo
	for _, memo := range p.History {
		if memo.Task == p.Task.ID {
			list = append(list, memo)
		}
	}
	return list
}

// done are the actions that were tried in this sub-task, oldest first.
func (p *prompt) done() []acting.MemoAction {
	var list []acting.MemoAction
	for _, memo := range p.steps() {
		for _, a := range memo.Actions {
			if a.Status != desktop.Skipped {
				list = append(list, a)
			}
		}
	}
	return list
}

// failed is what the last step met, and "" when it succeeded.
func (p *prompt) failed() string {
	done := p.done()
	if len(done) == 0 || done[len(done)-1].Status != desktop.Failure {
		return ""
	}
	return done[len(done)-1].Error
}

// observations are what this sub-task's steps have noted, oldest first.
func (p *prompt) observations() []string {
	var list []string
	for _, memo := range p.steps() {
		var said struct {
			Observation string `json:"Observation"`
		}
		if json.Unmarshal(memo.Decision, &said) == nil && said.Observation != "" {
			list = append(list, said.Observation)
		}
	}
	return list
}

// result is what an application's finished sub-task came to.
func (p *prompt) result(app string, into any) bool {
	for _, s := range p.Previous {
		if s.App == app && s.Status == "FINISH" && json.Unmarshal(s.Result, into) == nil {
			return true
		}
	}
	return false
}
