// Package rules plays the model of the office example. [Model] decides as a language model would, by what the windows
// show:
//
//	host    the table from Writer, then the chart in Calc; a part that failed again, in a program that is started again
//	Writer  list_tables, extract_table, hand it on; a person says which table if several fit
//	Calc    write_cells, Insert > Chart, Finish, File > Save As, the name, Save, the questions behind it
//
// What to do next follows from what a window shows, so that a dialog that comes late and a program that crashed need no
// rules of their own.
package rules

import (
	"errors"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
	"github.com/agentfsm/agentfsm/examples/internal/tables"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
)

// The programs, as the roots of their windows.
const (
	Writer = "libreoffice-writer"
	Calc   = "libreoffice-calc"
	start  = "soffice" // a window of LibreOffice that asks something before it shows a document
)

// DefaultRequest is the request of a person who says nothing else.
const DefaultRequest = "Extract the sales table from the document and create a bar chart"

// Model returns a model that decides by rules. out is the path of the spreadsheet.
func Model(request, out string) llm.Model {
	rule := func(play func(*agent) fakemodel.Reply) fakemodel.Rule {
		return func(p *fakemodel.Prompt) fakemodel.Reply { return play(&agent{p, request, out}) }
	}
	return fakemodel.New(fakemodel.Rules{
		fakemodel.Host: rule((*agent).host), Writer: rule((*agent).writer), Calc: rule((*agent).calc), start: rule((*agent).question),
	})
}

// agent is the agent that asks, with the job.
type agent struct {
	*fakemodel.Prompt

	request, out string
}

// job is what a request comes down to, in the order in which it is done.
var job = []struct{ app, task, message string }{
	{Writer, "Extract the table that the request is about.", "list_tables describes the tables, extract_table returns one as rows for a spreadsheet."},
	{Calc, "Write the extracted table into the empty sheet, insert a bar chart of it, and save the spreadsheet.", "The table is the result of the sub-task in Writer: write_cells takes its rows."},
}

// final marks the reason of a sub-task that is not to be tried again.
const final = "not to be tried again: "

func never(reason string) fakemodel.Reply { return fakemodel.Fail("%s", final+reason) }

// host assigns one part of the job after the other. A part is tried three times.
func (a *agent) host() fakemodel.Reply {
	if err := tables.CheckRequest(a.request); err != nil {
		return fakemodel.Fail("%v", err)
	}
	done, failed, why := progress(a.Previous)
	switch {
	case failed >= 3 || strings.Contains(why, final) || strings.Contains(why, "not approved") || strings.Contains(why, "nobody to ask"):
		return fakemodel.Fail("%s", strings.ReplaceAll(why, final, ""))
	case done >= len(job):
		return fakemodel.Reply{Status: fsm.Finish, Comment: a.said()}
	}
	for _, w := range a.Windows {
		if w.Running && w.Root == start {
			return fakemodel.Reply{Status: hostagent.Assign, Action: fakemodel.Action{ControlLabel: w.ID}, CurrentSubTask: "Answer the question of this window, so that the document opens unchanged."}
		}
	}
	next := job[done]
	// Of the windows that run the last is the newest; else the entry is the program.
	var window fakemodel.Window
	for _, w := range a.Windows {
		if w.Root == next.app && (window.ID == "" || w.Running || !window.Running) {
			window = w
		}
	}
	r := a.Assign(next.app, next.task)
	if window.ID != "" {
		r.ControlLabel, r.ControlText = window.ID, window.Title
	}
	r.Message, r.Observation = next.message, why
	return r
}

// progress says how many parts are done, how often the next one failed, and why.
func progress(previous []blackboard.Subtask) (done, failed int, why string) {
	for _, s := range previous {
		switch {
		case s.Status != string(fsm.Finish):
			failed, why = failed+1, s.Reason
		case s.App == Writer || s.App == Calc: // else it was a question that stood in the way
			done, failed, why = done+1, 0, ""
		}
	}
	return done, failed, why
}

// said is what the agents of the parts said.
func (a *agent) said() string {
	var list []string
	for _, s := range a.Previous {
		if s.Status == string(fsm.Finish) && (s.App == Writer || s.App == Calc) {
			list = append(list, s.Reason)
		}
	}
	return strings.Join(list, " ")
}

// writer extracts the table that the request names. If several fit, a person says which.
func (a *agent) writer() fakemodel.Reply {
	if d := a.dialog(); d != nil {
		return a.unexpected(*d)
	}
	if last, ok := a.Last(); ok && last.Status == desktop.Failure && a.failures() < maxFailures { // such as a document that loads
		if last.Tool == desktop.ClickInput || last.Tool == desktop.KeyboardInput { // of a dialog that went away by itself
			return a.wait("The dialog is gone.")
		}
		return fakemodel.Call(last.Tool, arguments(last)) // it may work once the document is there
	}
	var request strings.Builder
	request.WriteString(a.request)
	for _, answer := range a.Answers {
		request.WriteString(" " + answer.Answer)
	}
	r, err := tables.Rule(a.Prompt, request.String())
	if errors.Is(err, tables.ErrNone) && strings.EqualFold(request.String(), DefaultRequest) {
		r, err = tables.Rule(a.Prompt, "") // the person did not say which; the only one will do
	}
	switch {
	case err == nil:
		return r
	case errors.Is(err, tables.ErrSeveral) && len(a.Answers) == 0 && a.Offers(fsm.Pending):
		return fakemodel.Reply{Status: fsm.Pending, Comment: err.Error(), Questions: []string{"Which table do you mean? " + err.Error()}}
	}
	return never(err.Error())
}

// question answers a window that asks something before a program comes up, such as "Document in Use".
func (a *agent) question() fakemodel.Reply {
	if a.did(desktop.ClickInput, "") > 0 {
		return fakemodel.Reply{Status: fsm.Finish, Comment: "it is answered"}
	}
	if b := button(a.Controls, "Open Read-Only", "Discard", "OK", "Close"); b != nil {
		r := fakemodel.Act("The document is only read.", click(*b))
		r.Status, r.Comment = fsm.Finish, "answered: "+b.Name // the window closes with it
		return r
	}
	return a.wait("The window asks something unknown.")
}

// has reports whether a control has a state.
func has(c desktop.Control, state string) bool { return slices.Contains(c.State, state) }
