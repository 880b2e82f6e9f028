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
	Windows     []window       // of the host's prompt only
	Terminal    desktop.Window // of the LinuxAgent's only
	Application desktop.Window // of the AppAgent's only
	Task        struct {
		ID string `json:"id"`
	}
	Previous  []blackboard.Subtask
	History   []acting.Memo
	Answers   []acting.Entry
	LastError string
	Refused   bool // the last reply could not be used
}

// window is an application that the host may choose.
type window struct {
	ID   string `json:"id"`
	Root string `json:"root"`
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
		{"terminal", &p.Terminal},
		{"application", &p.Application},
		{"application_now", &now},
		{"subtask", &p.Task},
		{"previous_subtasks", &p.Previous},
		{"history", &p.History},
		{"answers", &p.Answers},
		{"last_error", &p.LastError},
	} {
		raw, ok := llm.FindSection(req, s.name)
		if !ok {
			continue
		}
		if err := json.Unmarshal(raw, s.into); err != nil {
			return nil, fmt.Errorf("rules: section %s: %w", s.name, err)
		}
	}
	if now != (desktop.Window{}) {
		p.Application = now
	}
	_, p.Refused = llm.FindSection(req, "refused_reply")
	return p, nil
}

// done returns the actions that were tried in this sub-task, oldest first. What
// waits for approval is skipped at first.
func (p *prompt) done() []acting.MemoAction {
	var list []acting.MemoAction
	for _, memo := range p.History {
		if memo.Task != p.Task.ID {
			continue
		}
		for _, a := range memo.Actions {
			if a.Status != desktop.Skipped {
				list = append(list, a)
			}
		}
	}
	return list
}
