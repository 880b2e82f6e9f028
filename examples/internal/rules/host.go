package rules

import (
	"regexp"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

// job is what a request comes down to, in the order in which it is done.
var job = []struct{ app, subtask, message string }{
	{wordApp, "Extract the table that the request is about.", "Its caption, heading or header names what the request asks for."},
	{excelApp, "Write the extracted table into a new workbook, add a bar chart of it and save it.", "The table is the result of the sub-task in Word."},
}

// host gives one part of the job after another away.
func host(p *prompt) reply.Host {
	if reason := Misunderstood(p.Request); reason != "" {
		return hostGivesUp(reason)
	}
	var results []string
	for _, s := range p.Previous {
		if s.Status != string(fsm.Finish) {
			return hostGivesUp(s.Reason)
		}
		results = append(results, s.Reason)
	}
	// Such as a program that does not come up. What may have happened shows in the windows.
	if p.LastError != "" && !sections.MayHaveHappened(p.LastError) {
		return hostGivesUp(p.LastError)
	}
	if len(results) >= len(job) {
		return reply.Host{Status: fsm.Finish, Comment: strings.Join(results, " "), Open: launched(p)}
	}
	next := job[len(results)]
	for _, w := range p.Windows {
		if w.Root != next.app {
			continue
		}
		var rest []string
		for _, later := range job[len(results)+1:] {
			rest = append(rest, later.subtask)
		}
		d := reply.Host{Status: hostagent.Assign, ControlLabel: w.ID, CurrentSubTask: next.subtask, Message: next.message}
		if rest != nil {
			d.Plan = rest
		}
		return d
	}
	return hostGivesUp("there is no " + next.app + " on this desktop")
}

var actID = regexp.MustCompile(`\bact_\d+\b`)

// launched answers for the launches that a refused FINISH left open: a sub-task in the program that
// was launched has its result.
func launched(p *prompt) map[string]string {
	if !p.Refused {
		return nil
	}
	open := map[string]string{}
	for _, id := range actID.FindAllString(p.LastError, -1) {
		open[id] = "done: the program did its sub-task"
	}
	return open
}
