package fsm

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Validate returns what is wrong with the table, sorted and joined, or nil: edges from or to unregistered statuses, no start or two of
// them, a table in which no end is a success, successes that are none (they do not
// end, or are FAIL or ERROR), states that nothing leads to (a fault leads to ERROR),
// states that neither end nor go on, states that end and yet go on to one of the same agent that does
// not, edges without a cause or caused by a fault, hand-overs without a
// CONTINUE for control to come back to, states that are nil or have another
// name than the one they are registered under, and a kind without a name. What
// other kinds have is not looked at.
//
// Validate makes no state. Of a state that [Manager.Register] got as a constructor, and
// that is not made yet, it knows only the edges: whether it ends is not checked.
//
// A table that was found to be right, and has not changed, is not looked at again.
func (m *Manager[A]) Validate() error {
	states := m.states.Load()
	if m.right.Load() == states {
		return nil
	}
	v := &validation{kind: m.kind, set: m, registered: map[Status]*Bound{}, unmade: map[Status]bool{}}
	allKnown := true
	for _, status := range m.Statuses() {
		b, name, known := m.peek(status)
		v.registered[status], v.unmade[status] = b, !known
		allKnown = allKnown && known
		if b.unknown != nil {
			v.add(status, "its constructor returns nil or panics")
		} else if name != status {
			v.add(status, "its state is named %q", name)
		}
	}
	if m.kind == "" || m.kind == AnyKind {
		v.add("", "%q is no name for a kind: a hand-over to its agents cannot be told from other steps", m.kind)
	}
	v.edges(m.edges)
	v.starts(m.from[""])
	v.success()
	v.exits()
	v.reach()
	err := v.err()
	if err == nil && allKnown { // else there is more to find, once it is made
		m.right.Store(states)
	}
	return err
}

// finding is one thing that is wrong with a table.
type finding struct {
	status  Status // the state or the start of the edge, "" for the table
	problem string
}

type validation struct {
	kind       string
	set        Set
	registered map[Status]*Bound
	unmade     map[Status]bool // nobody knows yet whether they end
	findings   []finding
}

func (v *validation) add(status Status, format string, args ...any) {
	v.findings = append(v.findings, finding{status, fmt.Sprintf(format, args...)})
}

func (v *validation) edges(edges []Edge) {
	for _, e := range edges {
		if e.From != "" && v.registered[e.From] == nil {
			v.add(e.From, "an edge starts here, but the state is not registered")
		}
		switch {
		case e.To == "" && e.Kind != "": // the start of that agent
		case (e.Kind == "" || e.Kind == v.kind) && v.registered[e.To] == nil:
			v.add(e.From, "an edge leads to %q, which is not registered", e.To)
		case e.To == "":
			v.add(e.From, "the edge to %s names no status", e.target())
		}
		if e.Kind == "" && e.By&ByModel != 0 && ParseStatus(string(e.To)) != e.To {
			v.add(e.From, "the model can never take the edge to %s: what it writes is read as %s", e.To, ParseStatus(string(e.To)))
		}
		switch {
		case e.By == 0:
			v.add(e.From, "the edge to %s names no cause (By)", e.target())
		case e.By&ByFault != 0:
			v.add(e.From, "the edge to %s is caused by a fault; faults need no edge", e.target())
		}
		switch {
		case e.Kind == "":
		case e.From == "":
			v.add(e.From, "the start leads to another agent")
		case v.registered[Continue] == nil:
			v.add(e.From, "it hands over to %s, and control comes back at %s, which is not registered", e.target(), Continue)
		}
	}
}

// starts finds a second start: agents begin in one status, and nobody could say why in
// the first.
func (v *validation) starts(starts []Edge) {
	var names []Status
	for _, e := range starts {
		if e.Kind == "" && !slices.Contains(names, e.To) {
			names = append(names, e.To)
		}
	}
	slices.Sort(names)
	if len(names) > 1 {
		v.add("", "it has several starts, %s: only one edge may have no From", joinStatuses(names))
	}
}

func (v *validation) success() {
	some := false
	for status, b := range v.registered {
		some = some || b.IsSuccess() || v.unmade[status]
		switch {
		case !b.claims:
		case status == Fail, status == Error:
			v.add(status, "it is marked as a success, which it never is")
		case !b.Terminal():
			v.add(status, "it is marked as a success, and does not end")
		}
	}
	if !some {
		v.add("", "no end is a success: register %s, or set Success in the row of a state that ends", Finish)
	}
}

func (v *validation) exits() {
	for status, b := range v.registered {
		exit := false
		for _, e := range b.edges {
			exit = exit || e.To != status || e.Kind != ""
			if to := v.registered[e.To]; b.Terminal() && e.Kind == "" && to != nil && !to.Terminal() && !v.unmade[e.To] {
				v.add(status, "it ends, and yet an edge leads on to %s, which does not", e.To)
			}
		}
		if !exit && !b.Terminal() && b.unknown == nil && !v.unmade[status] {
			v.add(status, "it does not end, and no edge leads out of it")
		}
	}
}

// reach walks the table from its start. Control that is handed to another
// agent comes back at CONTINUE, and any state that does not end may have a
// fault.
func (v *validation) reach() {
	start, ok := Start(v.set)
	if !ok {
		v.add("", "no start: one edge needs an empty From")
		return
	}
	seen := map[Status]bool{}
	queue := []Status{start}
	for _, e := range v.set.Edges() {
		if e.From == "" {
			queue = append(queue, e.To)
		}
	}
	for len(queue) > 0 {
		status := queue[0]
		queue = queue[1:]
		b := v.registered[status]
		if seen[status] || b == nil {
			continue
		}
		seen[status] = true
		if !b.Terminal() {
			queue = append(queue, Error)
		}
		for _, e := range b.edges {
			if e.Kind == "" {
				queue = append(queue, e.To)
			} else {
				queue = append(queue, Continue)
			}
		}
	}
	for status := range v.registered {
		if !seen[status] {
			v.add(status, "nothing leads to it")
		}
	}
}

func (v *validation) err() error {
	slices.SortFunc(v.findings, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.status, b.status), cmp.Compare(a.problem, b.problem))
	})
	var errs []error
	for _, f := range slices.Compact(v.findings) {
		at := v.kind
		if f.status != "" {
			at += ": " + string(f.status)
		}
		errs = append(errs, &kindError{ErrTable, fmt.Sprintf("fsm: %s: %s", at, f.problem)})
	}
	return errors.Join(errs...)
}
