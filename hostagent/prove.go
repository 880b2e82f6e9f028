package hostagent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/proof"
)

const noteKey = "note: "

// failed are the sub-tasks of this round that failed and were not done again. Of several of one
// task it is the last.
func (a *Agent) failed() (list []blackboard.Subtask) {
	all := a.Subtasks()
	for i, s := range all {
		item := a.data.Items[s.ID]
		again := func(later blackboard.Subtask) bool {
			return sameName(later.Text, s.Text) || item != "" && a.data.Items[later.ID] == item
		}
		if s.Status == "" || s.Status == string(fsm.Finish) || slices.ContainsFunc(all[i+1:], again) {
			continue
		}
		list = append(list, s)
	}
	return list
}

// given reports whether the plan does without a sub-task that failed: its item was dropped.
func (a *Agent) given(s blackboard.Subtask) bool {
	e, there := a.data.Plan.Entry(a.data.Items[s.ID])
	return there && e.Status == plan.Dropped
}

// notes are the texts of a plan that binds nobody, but for those of sub-tasks: how these ended
// says more.
func (a *Agent) notes(p plan.Plan) (list []string) {
	for _, e := range p {
		tried := func(s blackboard.Subtask) bool { return sameName(s.Text, e.Task) }
		if e.Note() && e.Status == "" && strings.TrimSpace(e.Task) != "" && !slices.ContainsFunc(a.Subtasks(), tried) {
			list = append(list, e.Task)
		}
	}
	return list
}

// open is what a FINISH leaves open: sub-tasks that failed, notes of the plan as it was and as the
// reply leaves it, and acts whose effect nobody saw.
func (a *Agent) open(after plan.Plan) (list []builtin.Open) {
	for _, s := range a.failed() {
		if !a.given(s) {
			what := fmt.Sprintf("%q ended in %s", clip.Name(s.Text, promptsize.Phrase), s.Status)
			if s.Reason != "" {
				what += ": " + clip.Name(s.Reason, promptsize.Phrase)
			}
			list = append(list, builtin.Open{ID: s.ID, Key: s.ID, What: what})
		}
	}
	for i, note := range union(a.notes(a.data.Plan), a.notes(after)) {
		list = append(list, builtin.Open{ID: fmt.Sprintf("plan_%d", i+1), Key: noteKey + note, What: clip.Name(note, promptsize.Phrase)})
	}
	return append(list, a.data.InDoubt()...)
}

// prove asks whether a FINISH counts, and returns what takes its place where it does not.
func (a *Agent) prove(ctx context.Context, t *turn, next fsm.Decision, open []builtin.Open) (fsm.Decision, error) {
	a.data.Settle(append(open, a.dropped()...), t.decision.Open)
	a.keepNotes(open)
	if err := a.data.Unanswered(a.data.InDoubt(), t.decision.Open); err != nil { // of an act beside it
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
	a.addSubtasks(&sections)
	instead, err := a.data.Verify(ctx, a.cfg.Verify, sections.Claim(a.data.Request, &a.data.Work, seen.Screenshot), a.cfg.replans())
	if err != nil || instead == nil {
		return next, err
	}
	a.data.LastError = instead.Reason
	return *instead, nil
}

// dropped are the items that the plan does without. Nobody has to answer for them, but the model
// may say that they were done in another way.
func (a *Agent) dropped() (list []builtin.Open) {
	for _, e := range a.data.Plan.Dropped() {
		list = append(list, builtin.Open{ID: e.ID, Key: e.ID})
	}
	return list
}

// keepNotes notes which notes of the plan the model gave up: the plan does not have them any more.
func (a *Agent) keepNotes(open []builtin.Open) {
	a.data.Notes = nil
	for _, o := range open {
		if note, ok := strings.CutPrefix(o.Key, noteKey); ok && a.data.Said[o.Key].Dropped {
			a.data.Notes = append(a.data.Notes, note)
		}
	}
}

// Verified returns what Config.Verify found about the FINISH of the request; nil: nobody was asked.
func (a *Agent) Verified() *proof.Finding { return a.data.Finding }

// Partial returns what of the request failed or was dropped on purpose: sub-tasks, items and notes
// of the plan, acts. What was done again, or in another way, is not in it.
func (a *Agent) Partial() (list []proof.Undone) {
	tried := map[string]bool{}
	for _, s := range a.failed() {
		item := a.data.Items[s.ID]
		tried[item] = true
		said, answered := a.data.Said[s.ID]
		if !answered {
			said, answered = a.data.Said[item]
		}
		undone := proof.Undone{ID: s.ID, Task: s.Text, Status: proof.Failed, Reason: s.Reason}
		switch {
		case answered && !said.Dropped:
			continue
		case answered:
			undone.Status, undone.Reason = proof.Dropped, said.Why
		case a.given(s):
			undone.Status = proof.Dropped
		}
		list = append(list, undone)
	}
	for _, e := range a.data.Plan.Dropped() {
		if said, answered := a.data.Said[e.ID]; !tried[e.ID] && (!answered || said.Dropped) {
			list = append(list, proof.Undone{ID: e.ID, Task: e.Task, Status: proof.Dropped, Reason: said.Why})
		}
	}
	for _, note := range a.data.Notes {
		list = append(list, proof.Undone{Task: note, Status: proof.Dropped, Reason: a.data.Said[noteKey+note].Why})
	}
	return append(append(list, a.data.Inner...), a.data.Dropped()...)
}
