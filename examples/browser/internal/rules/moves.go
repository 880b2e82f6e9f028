package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/fsm"
)

// The tools of a browser that the model knows besides the well-known ones.
const (
	navigate      = "navigate"
	selectOption  = "select_option"
	acceptDialog  = "accept_dialog"
	dismissDialog = "dismiss_dialog"
)

// maxOpened is how often a site is opened before its agent gives up.
const maxOpened = 4

// open goes to the start of the site.
func open(p *prompt, url string) reply.App {
	if p.count(navigate) >= maxOpened {
		return givesUp("the site does not show what is needed: " + p.LastError)
	}
	return reply.App{
		Status: fsm.Continue, Observation: "This is not the page that is needed.",
		Function: navigate, Args: map[string]any{"url": url},
	}
}

// obstacles are what stands before every page: a dialog, and one action that fails
// again and again.
func obstacles(p *prompt, at page) (reply.App, bool) {
	steps := p.Steps()
	failures, silent, last := 0, 0, ""
	for _, step := range slices.Backward(steps) {
		reason := failure(step)
		if reason == "" {
			break
		}
		if failures++; last == "" {
			last = reason
		}
		if strings.Contains(reason, inTime) {
			silent++
		}
	}
	if failures > maxFailures || silent > maxSilent {
		return givesUp("nothing succeeds any more: " + last), true
	}
	for _, c := range at {
		if c.ID == "dialog" {
			return one("A dialog is open, which nobody asked for.", reply.Action{Function: dismissDialog, ControlLabel: c.ID}), true
		}
	}
	return reply.App{}, false
}

// maxFailures is how many steps may fail one after another, maxSilent how many of these
// without an answer: each of them takes long.
const (
	maxFailures = 4
	maxSilent   = 1
)

// inTime is what is said of a command that a server has not answered.
const inTime = "no answer came in time"

// failure is why a step failed, and "" when all of it succeeded.
func failure(step acting.Memo) string {
	for _, a := range step.Actions {
		if a.Status == desktop.Failure {
			return a.Tool + ": " + a.Error
		}
	}
	return ""
}

// count is how often a tool was called in this sub-task.
func (p *prompt) count(tool string) (n int) {
	for _, a := range p.Done() {
		if a.Tool == tool {
			n++
		}
	}
	return n
}

// tried is how often a control of that name was acted on.
func (p *prompt) tried(tool, name string) (n int) {
	for _, a := range p.Done() {
		var given struct {
			Name string `json:"name"`
		}
		if a.Tool == tool && json.Unmarshal(a.Parameters, &given) == nil && given.Name == name {
			n++
		}
	}
	return n
}

// succeeded reports whether a control of that name was clicked on with success.
func (p *prompt) succeeded(name string) bool {
	for _, a := range p.Done() {
		var given struct {
			Name string `json:"name"`
		}
		if a.Tool == desktop.ClickInput && a.Status == "" && json.Unmarshal(a.Parameters, &given) == nil && given.Name == name {
			return true
		}
	}
	return false
}

// alert is what the page complains about.
func (p page) alert() string {
	for _, c := range p {
		if c.Type == "alert" {
			return strings.TrimSpace(words(c))
		}
	}
	return "the page does not say why"
}

// one is the decision for one action.
func one(observation string, a reply.Action) reply.App {
	return reply.App{
		Status: fsm.Continue, Observation: observation,
		Function: a.Function, ControlLabel: a.ControlLabel, ControlText: a.ControlText, Args: a.Args,
	}
}

// choose takes an option of a list.
func choose(c desktop.Control, option string) reply.Action {
	return reply.Action{Function: selectOption, ControlLabel: c.ID, ControlText: c.Name, Args: map[string]any{"options": []string{option}}}
}
