package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

// job is what a request comes down to. Each item builds on the one before.
var job = []reply.Item{
	{ID: "stock", Application: Warehouse, Task: "Sign in, read the stock on all pages, and return what is missing: a list of sku and quantity."},
	{ID: "order", Application: Supplier, DependsOn: []string{"stock"}, Task: "Order what is missing, with the reference of the request, and return the number of the order and its lines."},
	{ID: "summary", Application: Files, DependsOn: []string{"order"}, Task: "Write the summary into the file that the request names, and return its path."},
}

// host gives one part of the job after another away.
func host(p *prompt) reply.Host {
	if _, err := understand(p.Request); err != nil {
		return hostGivesUp(err.Error())
	}
	finished, failed := map[string]bool{}, map[string]int{}
	var last blackboard.Subtask
	for _, s := range p.Previous {
		last = s
		if s.Status == string(fsm.Finish) {
			finished[s.App] = true
		} else {
			failed[s.App]++
		}
	}
	if p.LastError != "" && last.Status == string(fsm.Finish) { // such as a window that is gone
		return hostGivesUp(p.LastError)
	}
	at := slices.IndexFunc(job, func(item reply.Item) bool { return !finished[item.Application] })
	if at < 0 {
		return answers(p)
	}
	next := job[at]
	w := slices.IndexFunc(p.Windows, func(w sections.Entry) bool { return w.Root == next.Application })
	if w < 0 {
		return hostGivesUp("there is no " + next.Application + " on this desktop")
	}
	d := reply.Host{Status: hostagent.Assign, ControlLabel: p.Windows[w].ID, CurrentSubTask: next.ID}
	switch {
	case len(p.Previous) == 0:
		d.Plan = job
	case failed[next.Application] == 0:
	case failed[next.Application] > 1 || !again(last):
		return hostGivesUp(last.Reason)
	default:
		d.Thought = "It failed, and nothing speaks against a second try: " + last.Reason
		d.Plan = slices.Clone(job[at:]) // an item that failed is ready again once it is planned again
	}
	return d
}

// again reports whether a part may be tried a second time. A person's no is
// final, and so are an order that may have been sent and a server that hangs.
func again(s blackboard.Subtask) bool {
	return !slices.ContainsFunc([]string{"not approved", inTime, Final}, func(text string) bool { return strings.Contains(s.Reason, text) })
}

// Final marks the reasons of parts that must not be tried again, in what the model says
// and in what a policy tells it.
const Final = "not to be tried again"

// answers is what the user gets.
func answers(p *prompt) reply.Host {
	var sent placed
	var wrote written
	if !p.result(Supplier, &sent) || !p.result(Files, &wrote) {
		return hostGivesUp("the results of the sub-tasks cannot be read")
	}
	return reply.Host{
		Status: fsm.Finish,
		Result: mustJSON(fmt.Sprintf("Order %s of %d articles is sent. The summary is in %s.", sent.Number, len(sent.Lines), wrote.Path)),
	}
}
