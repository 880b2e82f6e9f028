package hostagent

import (
	"context"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/proof"
)

// own are the sub-tasks of this round that this host gave. A host that works for it has its own
// ones, on the same blackboard.
func (a *Agent) own() []blackboard.Subtask {
	return slices.DeleteFunc(a.Subtasks(), func(s blackboard.Subtask) bool {
		_, given := a.data.Items[s.ID]
		return !given
	})
}

// again reports of each sub-task whether a later one that counts does it again: the same task of the
// same item of the plan, or for the same application.
func (a *Agent) again(all []blackboard.Subtask, counts func(blackboard.Subtask) bool) []bool {
	type way struct{ task, item, app string }
	later, list := map[way]bool{}, make([]bool, len(all))
	for i, s := range slices.Backward(all) {
		task, item := builtin.TextKey(s.Text), a.data.Items[s.ID]
		ways := []way{{task: task, app: builtin.TextKey(s.App)}, {task: task, item: item}}
		if item == "" {
			ways = ways[:1]
		}
		list[i] = slices.ContainsFunc(ways, func(w way) bool { return later[w] })
		for _, w := range ways {
			later[w] = later[w] || counts(s)
		}
	}
	return list
}

// left are the sub-tasks that did not finish and were not done again. Of several of one task it is
// the last. One that is worked on is among them.
func (a *Agent) left() (list []blackboard.Subtask) {
	all := a.own()
	again := a.again(all, func(blackboard.Subtask) bool { return true })
	for i, s := range all {
		if s.Status != string(fsm.Finish) && !again[i] {
			list = append(list, s)
		}
	}
	return list
}

// tasks are the items of the plan, by the keys of their tasks.
func (a *Agent) tasks() map[string]plan.Plan {
	items := map[string]plan.Plan{}
	for _, e := range a.data.Plan {
		if key := builtin.TextKey(e.Task); !e.Note() {
			items[key] = append(items[key], e)
		}
	}
	return items
}

// itemOf is the item of the plan that a sub-task is about: the one as which it was given, else one
// that has its task now and leaves its application open or names it.
func (a *Agent) itemOf(items map[string]plan.Plan, s blackboard.Subtask) (item plan.Entry, there bool) {
	for _, e := range items[builtin.TextKey(s.Text)] {
		if e.ID == a.data.Items[s.ID] {
			return e, true
		}
		if !there && (e.Application == "" || builtin.SameText(e.Application, s.App)) {
			item, there = e, true
		}
	}
	return item, there
}

// given returns the item as which a sub-task was given, where the plan does without it.
func (a *Agent) given(items map[string]plan.Plan, s blackboard.Subtask) (item plan.Entry, dropped bool) {
	item, there := a.itemOf(items, s)
	return item, there && item.Status == plan.Dropped && a.data.Items[s.ID] != ""
}

// notes are the texts of plans that bind nobody, but for those of sub-tasks and of items: what
// became of these says more.
func (a *Agent) notes(written []builtin.Written, p plan.Plan) (list []builtin.Written) {
	known := builtin.TextKeys(a.own(), func(s blackboard.Subtask) string { return s.Text })
	for _, e := range p {
		known[builtin.TextKey(e.Task)] = known[builtin.TextKey(e.Task)] || !e.Note()
	}
	for _, n := range written {
		if !known[builtin.TextKey(n.Text)] {
			list = append(list, n)
		}
	}
	return list
}

// open is what a FINISH with this plan leaves open: sub-tasks that failed, notes of all plans, and
// acts whose effect nobody saw. Nobody has to answer for what a plan of objects does without, but
// the model may say that it was done in another way.
func (a *Agent) open(written []builtin.Written, p plan.Plan) (list []builtin.Open) {
	items := a.tasks()
	for _, s := range a.left() {
		if _, dropped := a.given(items, s); dropped || s.Status == "" {
			continue
		}
		what := fmt.Sprintf("%q ended in %s", clip.Name(s.Text, promptsize.Phrase), s.Status)
		if s.Reason != "" {
			what += ": " + clip.Name(s.Reason, promptsize.Phrase)
		}
		list = append(list, builtin.Open{ID: s.ID, Key: s.ID, What: what})
	}
	for _, n := range a.notes(written, p) {
		list = append(list, builtin.OfNote(n))
	}
	list = append(list, a.data.InDoubt()...)
	known := make(map[string]bool, len(list))
	for _, o := range list {
		known[builtin.Fold(o.ID)] = true
	}
	for _, e := range p.Dropped() {
		if o := ofItem(e); !known[builtin.Fold(o.ID)] {
			known[builtin.Fold(o.ID)] = true
			list = append(list, o)
		}
	}
	return list
}

// ofItem is what an item is open as. Its id is the model's own, and may be that of something else.
func ofItem(e plan.Entry) builtin.Open {
	return builtin.Open{ID: e.ID, Key: "item: " + e.Application + ": " + e.Task, Free: true}
}

// prove asks whether a FINISH counts, and returns what takes its place where it does not.
func (a *Agent) prove(ctx context.Context, t *turn, next fsm.Decision) (fsm.Decision, error) {
	if _, err := a.data.Hear(a.open(a.data.Notes, t.plan), t.decision.Open); err != nil { // of an act beside it
		a.data.LastError = err.Error()
		return fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: err.Error()}, nil //nolint:nilerr // the model is told
	}
	if a.cfg.Verify == nil {
		return next, nil
	}
	seen := t
	if len(t.performance.Acted) > 0 { // it changed what was seen
		seen = &turn{}
		if err := a.collect(ctx, seen); err != nil {
			return next, err
		}
	}
	sections := a.seenSections(seen)
	if _, err := sections.AddClosed(a.cfg.Board, a.data.First); err != nil {
		return next, err
	}
	instead, err := a.data.Verify(ctx, a.cfg.Verify, sections.Claim(a.data.Request, &a.data.Work, seen.Screenshot), a.cfg.replans())
	if err != nil || instead == nil {
		return next, err
	}
	a.data.LastError = instead.Reason
	return *instead, nil
}

// Verified returns what Config.Verify found about the FINISH of the request; nil: nobody was asked.
func (a *Agent) Verified() *proof.Finding { return a.data.Finding }

// Partial returns what of the request failed, was dropped on purpose or is still open: sub-tasks,
// items and notes of the plan, acts. What was done again, or in another way, is not in it.
func (a *Agent) Partial() (list []proof.Undone) {
	items, tried := a.tasks(), map[[2]string]bool{}
	for _, s := range a.own() {
		if item, there := a.itemOf(items, s); there {
			tried[[2]string{item.ID, item.Task}] = true
		}
	}
	for _, s := range a.left() {
		o, status := builtin.Open{ID: s.ID, Key: s.ID}, proof.Failed
		if item, dropped := a.given(items, s); dropped {
			o.Key, status = ofItem(item).Key, proof.Dropped
		} else if s.Status == "" {
			status = proof.Open
		}
		list = append(list, a.data.Undone(o, s.Text, status, s.Reason)...)
	}
	for _, e := range a.data.Plan {
		if e.Note() || e.Status == plan.Finished || e.Status == plan.Assigned || tried[[2]string{e.ID, e.Task}] {
			continue // its sub-task says more
		}
		if e.Status == plan.Dropped {
			list = append(list, a.data.Undone(ofItem(e), e.Task, proof.Dropped, "")...)
		} else { // also one that was said to be done, and planned again
			list = append(list, proof.Undone{ID: e.ID, Task: e.Task, Status: proof.Open})
		}
	}
	for _, n := range a.notes(a.data.Notes, a.data.Plan) {
		list = append(list, a.data.Undone(builtin.OfNote(n), n.Text, proof.Open, "")...)
	}
	return append(append(list, a.inner()...), a.data.Doubtful()...)
}

// inner is what workers left of sub-tasks that finished and were not done again.
func (a *Agent) inner() []proof.Undone {
	all, counts := a.own(), map[string]bool{}
	finished := func(s blackboard.Subtask) bool { return s.Status == string(fsm.Finish) }
	for i, again := range a.again(all, finished) {
		counts[all[i].ID] = finished(all[i]) && !again
	}
	return slices.DeleteFunc(slices.Clone(a.data.Inner), func(undone proof.Undone) bool { return !counts[undone.ID] })
}
