package rules

import (
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

// job is the plan: the workbook's part needs what comes out of the terminal's. As
// a plan of objects it is enforced: the host may not assign the second before the
// first has finished, nor write FINISH before both have.
var job = []reply.Item{
	{ID: "find", Task: "Find the file with the highest total of the column that the request names.", Application: Terminal},
	{ID: "write", Task: "Write what was found into the sheet and save the workbook.", Application: Workbook, DependsOn: []string{"find"}},
}

// broken is how the terminal's part says that a command went wrong, which may be
// better the next time; what a person refused, or what is not there, would not.
const broken = "a command failed: "

// host gives one part of the job after another away. After a part that failed it
// writes the plan again, once, where that may help.
func host(p *prompt) reply.Host {
	giveUp := func(reason string) reply.Host {
		return reply.Host{Status: fsm.Fail, Comment: reason}
	}
	if !understood(p.Request) {
		return giveUp("I do not understand the request: all that I can find out is which CSV file has the highest total of a column")
	}
	var results []string
	failed := 0
	for _, s := range p.Previous {
		if s.Status == string(fsm.Finish) {
			results, failed = append(results, s.Reason), 0
			continue
		}
		if failed++; failed > 1 || !strings.HasPrefix(s.Reason, broken) {
			return giveUp(s.Reason)
		}
	}
	if failed == 0 && p.LastError != "" { // such as a window that is gone
		return giveUp(p.LastError)
	}
	if len(results) >= len(job) {
		return reply.Host{Status: fsm.Finish, Comment: strings.Join(results, " ")}
	}
	next := job[len(results)]
	for _, w := range p.Windows {
		if w.Root != next.Application {
			continue
		}
		d := reply.Host{Status: hostagent.Assign, ControlLabel: w.ID, CurrentSubTask: next.ID}
		if len(p.Previous) == 0 || failed > 0 {
			d.Plan = job
		}
		return d
	}
	return giveUp("there is no " + next.Application + " on this desktop")
}

// understood reports whether a request is the one job that there is.
func understood(request string) bool {
	text := strings.ToLower(request)
	return strings.Contains(text, "csv") && strings.Contains(text, "highest total")
}
