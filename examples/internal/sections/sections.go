// Package sections reads the prompts of agents, for the models of rules that the examples ask.
//
//	p, err := sections.Read(req)
//	...
//	for _, a := range p.Done() { // what was tried in this sub-task
//
// docs/guides/prompt.md says what each section has.
package sections

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// Prompt is what a model of rules reads of one. What the prompt does not have is empty.
type Prompt struct {
	Request     string
	Windows     []Entry        // of a host's prompt only
	Application desktop.Window // of an AppAgent's only: as it is now
	Terminal    desktop.Window // of a LinuxAgent's only
	Task        Task
	Controls    []desktop.Control
	Dialogs     []desktop.Window
	Unseen      []string // what could not be observed
	Tools       []desktop.Tool
	Previous    []blackboard.Subtask
	History     []acting.Memo
	Answers     []acting.Entry
	LastError   string
	Refused     bool // the last reply could not be used

	system string // the system message
}

// Entry is an application that the host may choose.
type Entry struct {
	ID      string `json:"id"`
	Root    string `json:"root"`
	Title   string `json:"title"`
	Running bool   `json:"running"`
}

// Task is the sub-task of an AppAgent.
type Task struct {
	ID string `json:"id"`
}

// Read reads a prompt. The error says which section has another form.
func Read(req *llm.Request) (Prompt, error) {
	var p Prompt
	var now desktop.Window
	for _, s := range []struct {
		name string
		into any
	}{
		{"request", &p.Request},
		{"windows", &p.Windows},
		{"application", &p.Application},
		{"application_now", &now},
		{"terminal", &p.Terminal},
		{"subtask", &p.Task},
		{"controls", &p.Controls},
		{"dialogs", &p.Dialogs},
		{"not_observed", &p.Unseen},
		{"tools", &p.Tools},
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
			return Prompt{}, fmt.Errorf("rules: section %s: %w", s.name, err)
		}
	}
	if now != (desktop.Window{}) {
		p.Application = now
	}
	_, p.Refused = llm.FindSection(req, "refused_reply")
	for _, m := range req.Messages {
		if m.Role == llm.System {
			p.system += m.Text()
		}
	}
	return p, nil
}

// Offers reports whether the system message of an agent offers a status.
func (p *Prompt) Offers(status fsm.Status) bool {
	return strings.Contains(p.system, " "+string(status)+" ")
}

// Steps are the remembered ones of this sub-task, oldest first.
func (p *Prompt) Steps() []acting.Memo {
	var list []acting.Memo
	for _, memo := range p.History {
		if memo.Task == p.Task.ID {
			list = append(list, memo)
		}
	}
	return list
}

// Done are the actions that were tried in this sub-task, oldest first. What waits for approval
// is skipped at first.
func (p *Prompt) Done() []acting.MemoAction {
	var list []acting.MemoAction
	for _, memo := range p.Steps() {
		for _, a := range memo.Actions {
			if a.Status != desktop.Skipped {
				list = append(list, a)
			}
		}
	}
	return list
}

// Model makes a model of what decides a prompt. The decision is written as JSON.
func Model(name string, decide func(*Prompt) (any, error)) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p, err := Read(req)
		if err != nil {
			return nil, err
		}
		decision, err := decide(&p)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(decision)
		if err != nil {
			return nil, fmt.Errorf("rules: reply: %w", err)
		}
		return &llm.Response{Text: string(text), Model: name, FinishReason: "stop"}, nil
	})
}
