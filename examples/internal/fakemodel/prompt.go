package fakemodel

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// Prompt has the sections of a prompt. A section that the prompt lacks is empty.
type Prompt struct {
	Request     string
	Windows     []Window       // only for a HostAgent; not nil, even if it sees none
	Application desktop.Window // only for an AppAgent: its window as it is now
	Terminal    desktop.Window // only for a LinuxAgent
	Task        Task
	Controls    []desktop.Control
	Previous    []blackboard.Subtask
	History     []acting.Memo
	Answers     []acting.Entry
	Board       map[string]json.RawMessage // the blackboard
	LastError   string
	Refused     bool // the agent could not use the last reply

	allowed []fsm.Status
	system  string
}

// Window is an application that the host may choose.
type Window struct {
	ID      string `json:"id"`
	Root    string `json:"root"`
	Title   string `json:"title"`
	Running bool   `json:"running"`
}

// Task is the sub-task of an AppAgent.
type Task struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// Read reads the sections of a prompt.
func Read(req *llm.Request) (*Prompt, error) {
	var p Prompt
	var now desktop.Window
	for name, into := range map[string]any{
		"request": &p.Request, "windows": &p.Windows, "application": &p.Application, "application_now": &now,
		"terminal": &p.Terminal, "subtask": &p.Task, "controls": &p.Controls, "previous_subtasks": &p.Previous,
		"history": &p.History, "answers": &p.Answers, "blackboard": &p.Board, "allowed_statuses": &p.allowed,
		"last_error": &p.LastError,
	} {
		raw, ok := llm.FindSection(req, name)
		if !ok {
			continue
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return nil, fmt.Errorf("fakemodel: section %s: %w", name, err)
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
	return &p, nil
}

// asks returns the key of the rule for the agent that asks.
func (p *Prompt) asks() string {
	if p.Windows != nil {
		return Host
	}
	return p.Terminal.Root + p.Application.Root // a prompt has only one of them
}

// Offers reports whether the prompt offers a status.
func (p *Prompt) Offers(status fsm.Status) bool {
	return slices.Contains(p.allowed, status) || strings.Contains(p.system, " "+string(status)+" ")
}

// Steps returns the steps of this sub-task, oldest first.
func (p *Prompt) Steps() []acting.Memo {
	return slices.DeleteFunc(slices.Clone(p.History), func(m acting.Memo) bool { return m.Task != p.Task.ID })
}

// Done returns the acts that were tried in this sub-task, oldest first. An act that waits for approval is not one.
func (p *Prompt) Done() []acting.MemoAction {
	var list []acting.MemoAction
	for _, memo := range p.Steps() {
		list = append(list, memo.Actions...)
	}
	return slices.DeleteFunc(list, func(a acting.MemoAction) bool { return a.Status == desktop.Skipped })
}

// Last returns the last act of this sub-task, or false.
func (p *Prompt) Last() (acting.MemoAction, bool) {
	done := p.Done()
	if len(done) == 0 {
		return acting.MemoAction{}, false
	}
	return done[len(done)-1], true
}

// Result returns the last result from an application, nil for none. A long result is shown by its head and a "$ref".
func (p *Prompt) Result(app string) json.RawMessage {
	for _, s := range slices.Backward(p.Previous) {
		if s.App == app && s.Status == string(fsm.Finish) {
			return s.Result
		}
	}
	return nil
}

// Doubtful reports whether an error says that the act may or may not have happened.
func Doubtful(reason string) bool {
	return strings.Contains(reason, "nobody knows whether it happened")
}

// Ref returns a value of a prompt for use in a reply: the value itself, or a "$ref" to it if the prompt shortened it.
// With a member it returns that member of the value.
func Ref(shown json.RawMessage, member string) any {
	var short struct {
		Ref string `json:"$ref"`
	}
	if json.Unmarshal(shown, &short) == nil && short.Ref != "" {
		if member != "" {
			short.Ref += "." + member
		}
		return short
	}
	if member == "" {
		return shown
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(shown, &members) != nil || members[member] == nil {
		return nil
	}
	return Ref(members[member], "")
}
