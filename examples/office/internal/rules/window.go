package rules

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
)

// Find returns the first control that is one, at any depth; nil: there is none.
func Find(list []desktop.Control, is func(desktop.Control) bool) *desktop.Control {
	for i := range list {
		if is(list[i]) {
			return &list[i]
		}
		if c := Find(list[i].Children, is); c != nil {
			return c
		}
	}
	return nil
}

// button returns the first one whose name begins so.
func button(list []desktop.Control, names ...string) *desktop.Control {
	for _, name := range names {
		c := Find(list, func(c desktop.Control) bool {
			return c.Type == "push button" && strings.HasPrefix(strings.ToLower(c.Name), strings.ToLower(name)) && !has(c, "disabled")
		})
		if c != nil {
			return c
		}
	}
	return nil
}

// dialog returns the one in front; nil: there is none.
func (a *agent) dialog() *desktop.Control {
	at := slices.IndexFunc(a.Controls, func(c desktop.Control) bool { return c.Type == "Dialog" })
	if at < 0 {
		return nil
	}
	return &a.Controls[at]
}

// on is an act on a control.
func on(c desktop.Control, tool string, more map[string]any) fakemodel.Action {
	args := map[string]any{"id": c.ID}
	maps.Copy(args, more)
	return fakemodel.Action{Function: tool, ControlLabel: c.ID, ControlText: c.Name, Args: args}
}

func click(c desktop.Control) fakemodel.Action {
	return on(c, desktop.ClickInput, map[string]any{"name": c.Name})
}

func set(c desktop.Control, text any) fakemodel.Action {
	return on(c, desktop.SetEditText, map[string]any{"name": c.Name, "text": text})
}

func menu(path ...string) fakemodel.Action {
	return fakemodel.Action{Function: desktop.SelectMenu, Args: map[string]any{"path": path}}
}

func keys(text string) fakemodel.Action {
	return fakemodel.Action{Function: desktop.KeyboardInput, Args: map[string]any{"keys": text}}
}

// wait looks again a little later, at most 25 times in a sub-task.
func (a *agent) wait(observation string) fakemodel.Reply {
	if a.did(desktop.Wait, "") >= 25 {
		return fakemodel.Fail("%s It stays so.", observation)
	}
	return fakemodel.Act(observation, fakemodel.Action{Function: desktop.Wait, Args: map[string]any{"seconds": 0.5}})
}

// unexpected closes a dialog that is not part of the job, such as a tip of the day.
func (a *agent) unexpected(d desktop.Control) fakemodel.Reply {
	inTheWay := "The dialog " + d.Name + " is in the way."
	if a.did(desktop.ClickInput, "")+a.did(desktop.KeyboardInput, "{ESC}") > 20 {
		return fakemodel.Fail("the dialog %s does not go away", d.Name)
	}
	if b := button(d.Children, "OK", "Close", "Cancel", "No", "Discard", "Later"); b != nil {
		return fakemodel.Act(inTheWay, click(*b))
	}
	if a.did(desktop.Wait, "") < 3 { // its buttons come later
		return a.wait("The dialog " + d.Name + " has no button yet.")
	}
	return fakemodel.Act(inTheWay, keys("{ESC}"))
}

// maxFailures is how many acts may fail one after another.
const maxFailures = 4

// failures counts the acts that failed since the last that did not. An act that may have happened is none: the window
// shows what came of it.
func (a *agent) failures() (n int) {
	for _, act := range slices.Backward(a.Done()) {
		switch {
		case act.Status == desktop.Failure && fakemodel.Doubtful(act.Error):
		case act.Status == desktop.Failure:
			n++
		case act.Tool != desktop.Wait:
			return n
		}
	}
	return n
}

// lastFailure is the last error of this sub-task.
func (a *agent) lastFailure() string {
	for _, act := range slices.Backward(a.Done()) {
		if act.Status == desktop.Failure {
			return act.Tool + ": " + act.Error
		}
	}
	return ""
}

// did counts the acts of this sub-task with a tool that succeeded, with a text in their arguments.
func (a *agent) did(tool, with string) (n int) {
	for _, act := range a.Done() {
		if act.Tool == tool && act.Status == "" && strings.Contains(string(act.Parameters), with) {
			n++
		}
	}
	return n
}

// justDid reports whether the last acts were that one, with success, and at most so many waits.
func (a *agent) justDid(tool, with string, waits int) bool {
	for _, act := range slices.Backward(a.Done()) {
		if act.Tool != desktop.Wait {
			return act.Tool == tool && act.Status == "" && strings.Contains(string(act.Parameters), `"`+with+`"`)
		}
		if waits--; waits < 0 {
			return false
		}
	}
	return false
}

func arguments(act acting.MemoAction) (args map[string]any) {
	_ = json.Unmarshal(act.Parameters, &args) // it was made of one
	return args
}
