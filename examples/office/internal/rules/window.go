package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/fsm"
)

// act is the decision for one act.
func act(observation string, a reply.Action) reply.App {
	return reply.App{Status: fsm.Continue, Observation: observation, Function: a.Function, ControlLabel: a.ControlLabel, ControlText: a.ControlText, Args: a.Args}
}

func click(c desktop.Control) reply.Action {
	return reply.Action{Function: desktop.ClickInput, ControlLabel: c.ID, ControlText: c.Name, Args: map[string]any{"id": c.ID, "name": c.Name}}
}

func menu(path ...string) reply.Action {
	return reply.Action{Function: desktop.SelectMenu, Args: map[string]any{"path": path}}
}

// maxWaits is how often an agent waits in one sub-task for what must come.
const maxWaits = 25

// wait looks again a little later.
func wait(p *prompt, observation string) reply.App {
	if did(p, desktop.Wait, "") >= maxWaits {
		return givesUp(observation + " It stays so.")
	}
	return act(observation, reply.Action{Function: desktop.Wait, Args: map[string]any{"seconds": 0.5}})
}

// find returns the first control that is one, of any depth; nil: there is none.
func find(list []desktop.Control, is func(desktop.Control) bool) *desktop.Control {
	for i := range list {
		if is(list[i]) {
			return &list[i]
		}
		if c := find(list[i].Children, is); c != nil {
			return c
		}
	}
	return nil
}

// button is the one whose name begins so.
func button(d desktop.Control, names ...string) *desktop.Control {
	for _, name := range names {
		c := find(d.Children, func(c desktop.Control) bool {
			return c.Type == "push button" && strings.HasPrefix(strings.ToLower(c.Name), strings.ToLower(name)) && !slices.Contains(c.State, "disabled")
		})
		if c != nil {
			return c
		}
	}
	return nil
}

// dialog is the one in front.
func dialog(p *prompt) (desktop.Control, bool) {
	for _, c := range p.Controls {
		if c.Type == "Dialog" {
			return c, true
		}
	}
	return desktop.Control{}, false
}

// unexpected closes a dialog that is not part of the job, such as a tip of the day.
func unexpected(p *prompt, d desktop.Control) reply.App {
	if did(p, desktop.ClickInput, "")+did(p, desktop.KeyboardInput, "{ESC}") > 20 {
		return givesUp("the dialog " + d.Name + " does not go away")
	}
	if b := button(d, "OK", "Close", "Cancel", "No", "Discard", "Later"); b != nil {
		return act("The dialog "+d.Name+" is in the way.", click(*b))
	}
	if did(p, desktop.Wait, "") < 3 { // its buttons come later
		return wait(p, "The dialog "+d.Name+" has no button yet.")
	}
	return act("The dialog "+d.Name+" is in the way.", reply.Action{Function: desktop.KeyboardInput, Args: map[string]any{"keys": "{ESC}"}})
}

// question answers a window that asks something before a program comes up, such as "Document in Use".
func question(p *prompt) reply.App {
	window := desktop.Control{Children: p.Controls}
	if did(p, desktop.ClickInput, "") > 0 {
		return reply.App{Status: fsm.Finish, Comment: "it is answered"}
	}
	if b := button(window, "Open Read-Only", "Discard", "OK", "Close"); b != nil {
		d := act("The document is only read.", click(*b))
		d.Status, d.Comment = fsm.Finish, "answered: "+b.Name // the window closes with it
		return d
	}
	return wait(p, "Nobody knows what it asks.")
}

// maxFailures is how many acts may fail one after another.
const maxFailures = 4

// failures counts the acts that failed since the last that did not. One of which nobody knows whether it happened is
// none: the window shows what came of it.
func failures(p *prompt) (n int) {
	for _, a := range slices.Backward(p.Done()) {
		switch {
		case a.Status == desktop.Failure && sections.MayHaveHappened(a.Error):
		case a.Status == desktop.Failure:
			n++
		case a.Tool != desktop.Wait:
			return n
		}
	}
	return n
}

func lastFailure(p *prompt) string {
	for _, a := range slices.Backward(p.Done()) {
		if a.Status == desktop.Failure {
			return a.Tool + ": " + a.Error
		}
	}
	return ""
}

// did counts the acts of this sub-task that succeeded with a text in their arguments.
func did(p *prompt, tool, with string) (n int) {
	for _, a := range p.Done() {
		if a.Tool == tool && a.Status == "" && strings.Contains(string(a.Parameters), with) {
			n++
		}
	}
	return n
}

// justClicked reports whether the last acts were a click on that button, and at most four waits.
func justClicked(p *prompt, name string) bool { return justDid(p, desktop.ClickInput, name, 4) }

// justDid reports whether the last acts were that one, and at most so many waits.
func justDid(p *prompt, tool, with string, waits int) bool {
	for n, a := range slices.All(reversed(p.Done())) {
		switch {
		case n > waits:
			return false
		case a.Tool == tool:
			return a.Status == "" && strings.Contains(string(a.Parameters), `"`+with+`"`)
		case a.Tool != desktop.Wait:
			return false
		}
	}
	return false
}

func reversed(list []acting.MemoAction) []acting.MemoAction {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

func arguments(a acting.MemoAction) (args map[string]any) {
	_ = json.Unmarshal(a.Parameters, &args) // it was made of one
	return args
}
