package rules

import (
	"encoding/json"
	"fmt"
	"strings"

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
	Previous    []blackboard.Subtask
	History     []acting.Memo
	LastError   string
	Refused     bool // the last reply could not be used
}

// entry is an application that the host may choose.
type entry struct {
	ID      string `json:"id"`
	Root    string `json:"root"`
	Running bool   `json:"running"`
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
		{"previous_subtasks", &p.Previous},
		{"history", &p.History},
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

// done returns the actions that were tried in this sub-task, oldest first.
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

// mayHaveHappened reports whether an error says so of an action: a run that was
// interrupted, or a command without an answer.
func mayHaveHappened(text string) bool {
	return strings.Contains(text, "nobody knows whether it happened")
}

// note is what a prompt shows of a value that is too long for it.
type note struct {
	Ref string `json:"$ref"`
}

// whole is a value to hand on: as it was shown, or by its reference.
func whole(shown json.RawMessage) json.RawMessage {
	var n note
	if json.Unmarshal(shown, &n) == nil && n.Ref != "" {
		return mustJSON(n)
	}
	return shown
}

// member is a member of a value to hand on: as it was shown, or by its reference.
func member(shown json.RawMessage, name string) any {
	var n note
	if json.Unmarshal(shown, &n) == nil && n.Ref != "" {
		return note{Ref: n.Ref + "." + name}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(shown, &members) != nil {
		return nil
	}
	return members[name]
}

func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // a type of this package
	}
	return raw
}
