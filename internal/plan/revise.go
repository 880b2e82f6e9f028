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
// draft leaves out are [Dropped] and stand at the end. A nil draft keeps a graph and
// ends notes; an empty one drops all that is open.
//
// Ids that differ in case, in full-width signs or in spaces are one. The plan has it as
// it was written first, also where something depends on it.
//
// The error is an [*Error] with all that [Plan.Check] finds in the new plan. It has
// [ErrSettled] where the draft has another task for something that stays, whose
// other members it may repeat or leave out, and [ErrNoID] where it has texts while
// p is a graph.
func (p Plan) Revise(d Draft) (Plan, error) {
	enforced := p.Enforced()
	if d == nil {
		if enforced {
			return p.Clone(), nil
		}
		if dropped := p.Dropped(); len(dropped) > 0 {
			return dropped, nil
		}
		return nil, nil
	}
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
	for _, item := range p.spell(d) {
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
			if item.Task != "" && folded(item.Task) != folded(old.Task) {
				found = append(found, &Finding{ID: item.ID, Err: ErrSettled})
			}
			fresh = append(fresh, old)
		}
		written[item.ID] = true
	}
	var next Plan
	for _, e := range p {
		if _, settled := stays[e.ID]; settled && !written[e.ID] {
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
	for _, e := range p {
		if _, settled := stays[e.ID]; !settled && e.ID != "" && !written[e.ID] {
			e.Status = Dropped
			next = append(next, e)
		}
	}
	return next.Clone(), nil
}

// Pick returns the entry that a text names: by its id, or by its id or task when
// case, full-width signs and spaces do not count. What has finished or was dropped is meant only
// where nothing else is. The error wraps [ErrUnplanned] when no item or more than one is named,
// and [ErrNotReady] when the item cannot be begun now; it says why, and what can be.
func (p Plan) Pick(text string) (Entry, error) {
	i, err := p.named(text)
	if err != nil {
		return Entry{}, fmt.Errorf("%w; %s", err, p.choice())
	}
	e := p[i]
	why := ""
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
		why = "has failed: write a plan that has it again, or one that does without it"
	case Dropped:
		why = "was dropped: write a plan that has it again"
	}
	return Entry{}, fmt.Errorf("%w: %q %s; %s", ErrNotReady, clip(e.ID), why, p.choice())
}

func (p Plan) named(text string) (int, error) {
	if i := p.index(strings.TrimSpace(text)); i >= 0 {
		return i, nil
	}
	var open, over []int
	want := folded(text)
	for i := range p {
		if e := &p[i]; e.ID == "" || folded(e.ID) != want && folded(e.Task) != want {
			continue
		}
		if p[i].Status == Finished || p[i].Status == Dropped {
			over = append(over, i)
		} else {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		open = over
	}
	switch len(open) {
	case 0:
		return 0, fmt.Errorf("%w: %s", ErrUnplanned, quote(phrase(text)))
	case 1:
		return open[0], nil
	}
	ids := make([]string, len(open))
	for n, i := range open {
		ids[n] = p[i].ID
	}
	return 0, fmt.Errorf("%w alone: %s may be %s", ErrUnplanned, quote(phrase(text)), quoted(ids))
}

// waitsFor says what an item waits for, or "".
func (p Plan) waitsFor(id string) string {
	missing := p.Blocked(id)
	if len(missing) == 0 {
		return ""
	}
	failed := map[string]bool{}
	for i := range p {
		failed[p[i].ID] = p[i].Status == Failed
	}
	words := make([]string, len(missing))
	for i, id := range missing {
		words[i] = fmt.Sprintf("%q", clip(id))
		if failed[id] {
			words[i] += " (failed)"
		}
	}
	return "waits for " + some(words)
}

func (p Plan) choice() string {
	ready := p.Ready()
	if len(ready) == 0 {
		return "nothing is ready"
	}
	return "ready: " + quoted(ready)
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
