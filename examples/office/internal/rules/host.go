package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	chart "github.com/agentfsm/agentfsm/examples/internal/rules"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

// job is what a request comes down to, in the order in which it is done.
var job = []struct{ app, task, message string }{
	{Writer, "Extract the table that the request is about.", "list_tables describes the tables, extract_table returns one as rows for a spreadsheet."},
	{Calc, "Write the extracted table into the empty sheet, insert a bar chart of it, and save the spreadsheet.", "The table is the result of the sub-task in Writer: write_cells takes its rows."},
}

// tries is how often a part is done before the host gives up.
const tries = 3

// waits is how long the host waits for a program that starts slowly, in seconds and times.
const waits, waiting = 4, 5

// host gives one part of the job after another away.
func host(p *prompt) reply.Host {
	if reason := chart.Misunderstood(p.wish.table); reason != "" {
		return hostGivesUp(reason)
	}
	done, failed, last := progress(p.Previous)
	switch {
	case failed >= tries || strings.Contains(last, final) || strings.Contains(last, "not approved"), strings.Contains(last, "nobody to ask"): // a person's no is one
		return hostGivesUp(strings.ReplaceAll(last, final, ""))
	case done >= len(job):
		return ends(p)
	}
	next := job[done]
	if asks := asking(p); asks != nil {
		return reply.Host{
			Status: hostagent.Assign, ControlLabel: asks.ID, CurrentSubTask: "Answer the question of this window, so that the document opens unchanged.",
			Observation: "A window came up that asks something.",
		}
	}
	if strings.Contains(p.LastError, "shows no window after") { // it starts slowly
		if w := window(p, next.app); w == nil || !w.Running {
			if waited(p) >= waiting {
				return hostGivesUp(p.LastError)
			}
			return reply.Host{Status: fsm.Continue, Thought: "It may come up yet.", Function: desktop.Wait, Args: map[string]any{"seconds": waits}}
		}
	}
	w := window(p, next.app)
	if w == nil {
		return hostGivesUp("there is no " + next.app + " on this desktop")
	}
	d := reply.Host{Status: hostagent.Assign, ControlLabel: w.ID, ControlText: w.Title, CurrentSubTask: next.task, Message: next.message, Observation: last}
	var rest []string
	for _, later := range job[done+1:] {
		rest = append(rest, later.task)
	}
	if rest != nil {
		d.Plan = rest
	}
	return d
}

// progress says how many parts are done, how often the next one failed, and why.
func progress(previous []blackboard.Subtask) (done, failed int, why string) {
	for _, s := range previous {
		switch {
		case s.App != Writer && s.App != Calc: // a question that was in the way
			if s.Status != string(fsm.Finish) {
				failed, why = failed+1, s.Reason
			}
		case s.Status == string(fsm.Finish):
			done, failed, why = done+1, 0, ""
		default:
			failed, why = failed+1, s.Reason
		}
	}
	return done, failed, why
}

// window is the one to assign: of those that run the last, which is the newest; else the program.
func window(p *prompt, app string) *sections.Entry {
	var found *sections.Entry
	for i := range p.Windows {
		if w := &p.Windows[i]; w.Root == app && (found == nil || w.Running || !found.Running) {
			found = w
		}
	}
	return found
}

// asking is a window of LibreOffice without a document, which asks something before it shows one; nil: there is none.
func asking(p *prompt) *sections.Entry {
	at := slices.IndexFunc(p.Windows, func(w sections.Entry) bool { return w.Running && w.Root == "soffice" })
	if at < 0 {
		return nil
	}
	return &p.Windows[at]
}

// waited counts the waits of the host.
func waited(p *prompt) (n int) {
	for _, memo := range p.History {
		for _, a := range memo.Actions {
			if a.Tool == desktop.Wait {
				n++
			}
		}
	}
	return n
}

// openID is what a refusal calls a launch, or a sub-task, that is open.
var openID = regexp.MustCompile(`\b(act|subtask|plan)_\d+\b`)

// ends says what came of the job, and answers for the launches that a refused FINISH left open.
func ends(p *prompt) reply.Host {
	var said []string
	for _, s := range p.Previous {
		if s.Status == string(fsm.Finish) && (s.App == Writer || s.App == Calc) {
			said = append(said, s.Reason)
		}
	}
	d := reply.Host{Status: fsm.Finish, Comment: strings.Join(said, " ")}
	if p.Refused {
		d.Open = map[string]string{}
		for _, id := range openID.FindAllString(p.LastError, -1) {
			d.Open[id] = "done: a later sub-task did it"
		}
		if len(d.Open) == 0 {
			return hostGivesUp(p.LastError)
		}
	}
	return d
}

func hostGivesUp(reason string) reply.Host {
	return reply.Host{Status: fsm.Fail, Comment: reason}
}
