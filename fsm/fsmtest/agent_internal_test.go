package fsmtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/fsm"
)

// The agents below are a clerk with one thing wrong.
type (
	nameless struct{ clerk }
	renamed  struct{ clerk }
	derived  struct{ *clerk }
	listed   struct {
		*clerk
		_ []int
	}
	undecided struct {
		pos fsm.Position
		set fsm.Set
	}
	hasty  struct{ clerk }
	sticky struct {
		clerk
		wish fsm.Decision
	}
	mute  struct{ clerk }
	deaf  struct{ clerk }
	stuck struct{ clerk }
)

func (*nameless) Name() string              { return "" }
func (r *renamed) Name() string             { return fmt.Sprint("clerk", r.calls.Add(1)) }
func (*undecided) base() *clerk             { return &clerk{} }
func (*undecided) Name() string             { return "clerk" }
func (u *undecided) States() fsm.Set        { return u.set }
func (u *undecided) Status() fsm.Status     { return u.pos.Status() }
func (u *undecided) SetStatus(s fsm.Status) { u.pos.SetStatus(s) }
func (u *undecided) Decision() fsm.Decision { return u.pos.Decision() }
func (h *hasty) Decide(to fsm.Status, by fsm.Cause, reason string) {
	h.SetStatus(to)
	h.clerk.Decide(to, by, reason)
}
func (s *sticky) Decide(to fsm.Status, by fsm.Cause, reason string) {
	s.wish = fsm.Decision{To: to, By: by, Reason: reason}
}
func (s *sticky) Decision() fsm.Decision { return s.wish }
func (m *mute) SetStatus(s fsm.Status) {
	m.clerk.SetStatus(s)
	m.Position.Decide("", 0, "")
}
func (*deaf) Decide(fsm.Status, fsm.Cause, string) {}
func (*stuck) SetStatus(fsm.Status)                {}

func TestBrokenAgents(t *testing.T) {
	m := table()
	same := &clerk{set: m}
	strict := fsm.Table("Strict", []fsm.Row[*clerk]{{Status: fsm.Finish, RoundEnd: true}}, fsm.Edge{To: fsm.Finish, By: fsm.BySystem})
	tests := []struct {
		name     string
		newAgent func() fsm.Agent
		want     string
	}{
		{"no func", nil, "newAgent is nil"},
		{"nil pointer", func() fsm.Agent { return (*clerk)(nil) }, "newAgent returns nil"},
		{"always the same", func() fsm.Agent { return same }, "newAgent returns an agent that it returned before"},
		{"not comparable", func() fsm.Agent { return listed{clerk: &clerk{set: m}} }, "cannot be compared: use a pointer"},
		{"no name", func() fsm.Agent { return &nameless{clerk{set: m}} }, `Name is "" first`},
		{"another name", func() fsm.Agent { return &renamed{clerk{set: m}} }, "must not change"},
		{"started", func() fsm.Agent { c := &clerk{set: m}; c.SetStatus(fsm.Continue); return c }, `a new agent has the status "CONTINUE"`},
		{"another Manager", func() fsm.Agent { return &clerk{set: table()} }, "States of the agent returns another Manager than the one that is checked"},
		{"embeds another", func() fsm.Agent { return derived{&clerk{set: strict}} }, "handles a *fsmtest.clerk and was given a fsmtest.derived: a type that embeds an agent needs a Manager of its own"},
		{"no Decide", func() fsm.Agent { return &undecided{set: m} }, "has no method Decide(fsm.Status, fsm.Cause, string)"},
		{"moves when it decides", func() fsm.Agent { return &hasty{clerk{set: m}} }, `Decide moved the agent from "" to "CONTINUE"`},
		{"repeats a wish", func() fsm.Agent { return &sticky{clerk: clerk{set: m}} }, `SetStatus leaves the decision to go to "CONTINUE" by system`},
		{"drops the reason", func() fsm.Agent { return &mute{clerk{set: m}} }, "SetStatus drops the reason"},
		{"does not keep a wish", func() fsm.Agent { return &deaf{clerk{set: m}} }, "after Decide of {To:CONTINUE By:system"},
		{"does not move", func() fsm.Agent { return &stuck{clerk{set: m}} }, `Status is "" after SetStatus of "CONTINUE"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var set fsm.Set = m
			if test.name == "embeds another" {
				set = strict
			}
			found := inspect(set, test.newAgent)
			expect(t, found, map[string]string{"agent": test.want})
			assert.Len(t, found["agent"], 1)
		})
	}
}
