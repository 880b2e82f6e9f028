package plan

import (
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// Revise returns the plan after a planner wrote a new draft.
//
// What has finished or is being worked on stays as it is, also where the draft
// leaves it out; it then stands in front. Everything else is replaced by what the
// draft has, and is planned: also what had failed or was dropped. Items that the
// draft leaves out are [Dropped] and stand at the end. A nil draft keeps the plan;
// an empty one drops all that is open.
//
// The draft has an item again that has its task, under any id, or its id and other words. Who
// numbers a draft anew leaves out an item all the same whose id another one has now.
//
// Ids that differ in case, in full-width signs or in spaces are one. The plan has it as
// it was written first, also where something depends on it.
//
// The error is an [*Error] with all that [Plan.Check] finds in the new plan. It has
// [ErrSettled] where the draft has another task for something that stays, whose
// other members it may repeat or leave out, and [ErrNoID] where it has texts while
// p is a graph.
func (p Plan) Revise(d Draft) (Plan, error) {
	if d == nil {
		return p.Clone(), nil
	}
	enforced := p.Enforced()
	stays := map[string]Entry{}
	if enforced {
		for _, e := range p {
			if e.Status == Finished || e.Status == Assigned {
				stays[e.ID] = e
			}
		}
	}
	var found []*Finding
	written := map[string]bool{}
	fresh := make(Plan, 0, len(d))
	d = p.spell(d)
	for _, item := range d {
		old, settled := stays[item.ID]
		switch {
		case item.Note():
			fresh = append(fresh, Entry{Item: item})
			if enforced {
				found = append(found, &Finding{Task: item.Task, Err: ErrNoID})
			}
			continue
		case !settled || written[item.ID]:
			fresh = append(fresh, Entry{Item: item, Status: Planned})
		default:
			if item.Task != "" && Folded(item.Task) != Folded(old.Task) {
				found = append(found, &Finding{ID: item.ID, Err: ErrSettled})
			}
			fresh = append(fresh, old)
		}
		written[item.ID] = true
	}
	var next Plan
	for _, e := range p {
		if _, settled := stays[e.ID]; settled && !written[e.ID] && e.Status != Dropped {
			next = append(next, e)
		}
	}
	next = append(next, fresh...)
	if next.Enforced() {
		found = append(found, next.findings()...)
	}
	if err := joined(found); err != nil {
		return nil, err
	}
	again := p.again(d, stays)
	for i, e := range p {
		if e.ID != "" && !again[i] && (e.Status == Dropped || stays[e.ID].ID == "") {
			e.Status = Dropped
			next = append(next, e)
		}
	}
	return next.Clone(), nil
}

// again finds which of the items that do not stay a draft has again, by their places. An item of
// the draft is one of them: that of its id and task, else of its task, else of its id. What was
// dropped does not come back as another task.
func (p Plan) again(d Draft, stays map[string]Entry) map[int]bool {
	found, taken := map[int]bool{}, map[int]bool{}
	for _, like := range []struct {
		dropped  bool
		id, task bool
	}{{false, true, true}, {false, false, true}, {true, true, true}, {true, false, true}, {false, true, false}} {
		key := func(item *Item) (key [3]string) {
			if like.id {
				key[0] = item.ID
			}
			if like.task {
				key[1], key[2] = Folded(item.Task), Folded(item.Application)
			}
			return key
		}
		at := map[[3]string][]int{}
		for n := range d {
			if stays[d[n].ID].ID == "" && d[n].ID != "" && !taken[n] {
				at[key(&d[n])] = append(at[key(&d[n])], n)
			}
		}
		for i := range p {
			if p[i].ID == "" || found[i] || (p[i].Status == Dropped) != like.dropped || !like.dropped && stays[p[i].ID].ID != "" {
				continue
			}
			k := key(&p[i].Item)
			if free := at[k]; len(free) > 0 {
				found[i], taken[free[0]], at[k] = true, true, free[1:]
			}
		}
	}
	return found
}

// Pick returns the entry that a text names: by its id, or by its id or task when
// case, full-width signs and spaces do not count. What has finished or was dropped is meant only
// where nothing else is. The error says why no item is named, or why it cannot be begun now, and what can be.
func (p Plan) Pick(text string) (Entry, error) {
	i, err := p.named(text)
	if err != nil {
		return Entry{}, err
	}
	e := p[i]
	ready := p.ready()
	why, choice := "", p.choice()
	if ready != "" {
		ready = "; or write " + ready + " into CurrentSubTask"
	}
	switch e.Status {
	case Planned:
		if why = p.waitsFor(e.ID); why == "" {
			return p[i : i+1].Clone()[0], nil
		}
	case Finished:
		why = "has finished"
	case Assigned:
		why = "is being worked on"
	case Failed:
		why, choice = "has failed: write a Plan with it, to try it again, or without it", ready
	case Dropped:
		why, choice = "was dropped: write a Plan with it", ready
	}
	return Entry{}, fmt.Errorf("%q %s%s", clip(e.ID), why, choice)
}

func (p Plan) named(text string) (int, error) {
	if i := p.index(strings.TrimSpace(text)); i >= 0 {
		return i, nil
	}
	var open, over []int
	want := Folded(text)
	for i, e := range p {
		switch {
		case e.ID == "" || Folded(e.ID) != want && Folded(e.Task) != want:
		case e.Status == Finished || e.Status == Dropped:
			over = append(over, i)
		default:
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		open = over
	}
	switch len(open) {
	case 0:
		return 0, fmt.Errorf("the Plan has no item %s%s", quote(phrase(text)), p.choice())
	case 1:
		return open[0], nil
	}
	ids := make([]string, len(open))
	for n, i := range open {
		ids[n] = p[i].ID
	}
	return 0, fmt.Errorf("%s may mean %s: write one of these ids into CurrentSubTask", quote(phrase(text)), quoted(ids))
}

// waitsFor says what an item waits for, or "".
func (p Plan) waitsFor(id string) string {
	missing := p.Blocked(id)
	if len(missing) == 0 {
		return ""
	}
	words := make([]string, len(missing))
	for i, id := range missing {
		words[i] = fmt.Sprintf("%q", clip(id))
		if e, _ := p.Entry(id); e.Status == Failed {
			words[i] += " (failed)"
		}
	}
	return "waits for " + some(words)
}

// choice says behind a fault what a planner can do.
func (p Plan) choice() string {
	if ready := p.ready(); ready != "" {
		return ": write " + ready + " into CurrentSubTask, or change the Plan"
	}
	return ", and no item is ready: change the Plan"
}

// ready names the items that can be begun now, "" for none.
func (p Plan) ready() string {
	ready := p.Ready()
	if len(ready) > 1 {
		return "one of " + quoted(ready)
	}
	return quoted(ready)
}

func quoted(ids []string) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = fmt.Sprintf("%q", clip(id))
	}
	return some(words)
}

// some writes the first words of a list, and how many there are besides.
func some(words []string) string {
	const most = promptsize.Listed
	if len(words) <= most {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
}
