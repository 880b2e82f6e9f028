package plan

import "slices"

// Status says what became of an item.
type Status string

// The statuses. A note has none.
const (
	Planned  Status = "planned"  // not begun
	Assigned Status = "assigned" // its sub-task is being worked on
	Finished Status = "finished" // its sub-task has finished
	Failed   Status = "failed"   // its sub-task ended in another way
	Dropped  Status = "dropped"  // left out of a later draft before it finished; kept as a record, it binds nobody
)

// Entry is an item with what became of it.
type Entry struct {
	Item
	Status  Status
	Subtask string // id of the sub-task that it was last assigned as
}

// Plan is a list of entries. A nil one is empty.
type Plan []Entry

// Notes returns a plan of texts, which binds nobody.
func Notes(texts ...string) Plan {
	p := make(Plan, len(texts))
	for i, text := range texts {
		p[i].Task = text
	}
	return p
}

// Notes returns the texts of p that bind nobody.
func (p Plan) Notes() (list []string) {
	for i := range p {
		if p[i].Note() {
			list = append(list, p[i].Task)
		}
	}
	return list
}

// Without returns the plan without the notes of that text.
func (p Plan) Without(text string) Plan {
	return slices.DeleteFunc(p.Clone(), func(e Entry) bool { return e.Note() && Folded(e.Task) == Folded(text) })
}

// Clone returns a copy that shares nothing with p.
func (p Plan) Clone() Plan {
	c := slices.Clone(p)
	for i := range c {
		c[i].DependsOn = slices.Clone(c[i].DependsOn)
	}
	return c
}

// Enforced reports whether p is a graph, rather than notes or nothing. What was
// dropped does not count.
func (p Plan) Enforced() bool {
	return slices.ContainsFunc(p, func(e Entry) bool { return !e.Note() && e.Status != Dropped })
}

// Dropped returns what was left out of a later draft before it had finished. An
// entry with a Subtask was tried, and failed.
func (p Plan) Dropped() Plan {
	return slices.DeleteFunc(p.Clone(), func(e Entry) bool { return e.Status != Dropped })
}

// kept is the plan without what was dropped. It shares its entries with p.
func (p Plan) kept() Plan {
	return slices.DeleteFunc(slices.Clone(p), func(e Entry) bool { return e.Status == Dropped })
}

// Texts returns the task of each item, in order.
func (p Plan) Texts() []string {
	list := make([]string, len(p))
	for i := range p {
		list[i] = p[i].Task
	}
	return list
}

// Entry returns the entry of that id.
func (p Plan) Entry(id string) (Entry, bool) {
	if i := p.index(id); i >= 0 {
		return p[i], true
	}
	return Entry{}, false
}

func (p Plan) index(id string) int {
	dropped := -1
	for i := range p {
		switch e := &p[i]; {
		case id == "" || e.ID != id:
		case e.Status != Dropped:
			return i
		case dropped < 0:
			dropped = i // meant only where nothing else is
		}
	}
	return dropped
}

// Ready returns the ids of the items that can be begun now.
func (p Plan) Ready() []string {
	return p.ids(func(e *Entry) bool { return e.Status == Planned && len(p.missing(*e)) == 0 })
}

// Blocked returns the ids of the items that id waits for: those that it depends
// on itself and that have not finished. An id that p does not have waits for
// nothing.
func (p Plan) Blocked(id string) []string {
	e, _ := p.Entry(id)
	return p.missing(e)
}

// Unfinished returns the ids of the items that have not finished, failed ones
// included. Notes are not among them, nor is what was dropped.
func (p Plan) Unfinished() []string {
	return p.ids(func(e *Entry) bool { return e.Status != Finished && e.Status != Dropped })
}

// Planned counts the items that were not begun, notes included.
func (p Plan) Planned() int {
	n := 0
	for i := range p {
		if p[i].Status == Planned || p[i].Status == "" {
			n++
		}
	}
	return n
}

// Inputs returns the ids of the sub-tasks that did what id depends on.
func (p Plan) Inputs(id string) []string {
	e, _ := p.Entry(id)
	var list []string
	for _, need := range e.DependsOn {
		if before, ok := p.Entry(need); ok && before.Subtask != "" {
			list = append(list, before.Subtask)
		}
	}
	return list
}

// Assign returns the plan in which the item is being worked on as that sub-task.
// Whether it may be is what [Plan.Pick] says. An id that p does not have changes
// nothing.
func (p Plan) Assign(id, subtask string) Plan {
	c := p.Clone()
	if i := c.index(id); i >= 0 {
		c[i].Status, c[i].Subtask = Assigned, subtask
	}
	return c
}

// Close returns the plan after a sub-task ended, and whether that changes
// anything: it does when an item is assigned as that sub-task.
func (p Plan) Close(subtask string, finished bool) (Plan, bool) {
	c := p.Clone()
	i := slices.IndexFunc(c, func(e Entry) bool { return e.Status == Assigned && e.Subtask == subtask })
	if i < 0 {
		return c, false
	}
	c[i].Status = Failed
	if finished {
		c[i].Status = Finished
	}
	return c, true
}

func (p Plan) ids(want func(*Entry) bool) []string {
	var list []string
	for i := range p {
		if e := &p[i]; e.ID != "" && want(e) {
			list = append(list, e.ID)
		}
	}
	return list
}

// missing are the ids of what an entry depends on and that has not finished.
func (p Plan) missing(e Entry) (list []string) {
	for _, id := range e.DependsOn {
		if before, _ := p.Entry(id); before.Status != Finished {
			list = append(list, id)
		}
	}
	return list
}
