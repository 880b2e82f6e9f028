package appagent

import (
	"context"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/proof"
)

// open is what a FINISH leaves open: acts whose effect nobody saw, and, of an agent that works for
// nobody else, the notes of its plans.
func (a *Agent) open(written []builtin.Written) []builtin.Open {
	list := a.data.InDoubt()
	for _, n := range written {
		list = append(list, builtin.OfNote(n))
	}
	return list
}

// prove asks whether a FINISH counts, and returns what takes its place where it does not.
func (a *Agent) prove(ctx context.Context, t *turn, next fsm.Decision) (fsm.Decision, error) {
	if _, err := a.data.Hear(a.open(a.data.Notes), t.decision.Open); err != nil { // of an act beside it
		a.data.LastError = err.Error()
		return fsm.Decision{To: fsm.Continue, By: fsm.BySystem, Reason: err.Error()}, nil //nolint:nilerr // the model is told
	}
	if a.cfg.Verify == nil { // as in the Config that a host gives to its agents
		return next, nil
	}
	seen := t
	if len(t.performance.Acted) > 0 { // it changed what was seen
		seen, a.data.Seen = &turn{}, nil
		if err := a.collect(ctx, seen); err != nil && !gone(ctx, err) {
			return next, err
		}
	}
	claim := a.seenSections(seen).Claim(a.data.Task.Text, &a.data.Work, seen.Screenshot)
	instead, err := a.data.Verify(ctx, a.cfg.Verify, claim, a.cfg.MaxReplans)
	if err != nil || instead == nil {
		return next, err
	}
	a.data.LastError = instead.Reason
	return *instead, nil
}

// Verified returns what Config.Verify found about the FINISH of the task; nil: nobody was asked.
func (a *Agent) Verified() *proof.Finding { return a.data.Finding }

// Partial returns what of the task was dropped on purpose or is still open.
func (a *Agent) Partial() []proof.Undone {
	list := a.data.Doubtful()
	for _, n := range a.data.Notes {
		list = append(list, a.data.Undone(builtin.OfNote(n), n.Text, proof.Open, "")...)
	}
	return list
}
