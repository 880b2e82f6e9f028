package scenarios_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

// runner is an agent that writes down what its states are asked, and when it is
// moved.
type runner struct {
	fsm.Position
	name   string
	states *fsm.Manager[*runner]
	log    *[]string
	give   *runner    // who takes over in PASS
	at     fsm.Status // and where; "": at the start of its table
	passed bool
}

func (r *runner) Name() string                          { return r.name }
func (r *runner) States() fsm.Set                       { return r.states }
func (r *runner) Answer() string                        { return "answer of " + r.name }
func (r *runner) Begin(context.Context, fsm.Task) error { return nil }

func (r *runner) SetStatus(s fsm.Status) {
	r.note("move to", s)
	r.Position.SetStatus(s)
}

func (r *runner) note(what string, s fsm.Status) {
	*r.log = append(*r.log, fmt.Sprintf("%s:%s %s %s", r.name, r.Status(), what, s))
}

// leg is a state of a runner.
type leg struct {
	name fsm.Status
	to   func(*runner) fsm.Status
	pass bool // control goes to give
	ends bool
}

func (l *leg) Name() fsm.Status   { return l.name }
func (l *leg) IsRoundEnd() bool   { return l.ends }
func (l *leg) IsSubtaskEnd() bool { return l.ends }
func (l *leg) IsSuccess() bool    { return l.ends && l.name == "END" }

func (l *leg) Handle(_ context.Context, r *runner) error {
	r.note("Handle", l.name)
	r.passed = r.passed || l.pass
	return nil
}

func (l *leg) NextState(r *runner) fsm.Status {
	r.note("NextState", l.name)
	return l.to(r)
}

func (l *leg) NextAgent(r *runner) fsm.Agent {
	r.note("NextAgent", l.name)
	if l.pass {
		return r.give
	}
	return r
}

// givers hand over in PASS, along the edges given, and finish when they go on.
func givers(t *testing.T, edges ...fsm.Edge) *fsm.Manager[*runner] {
	t.Helper()
	return runners(t, "Giver", []*leg{
		{name: fsm.Continue, to: func(r *runner) fsm.Status {
			if r.passed {
				return fsm.Finish
			}
			return "PASS"
		}},
		{name: "PASS", pass: true, to: func(r *runner) fsm.Status {
			if r.at != "" {
				return r.at
			}
			start, _ := fsm.Start(r.give.states)
			return start
		}},
		{name: fsm.Finish, ends: true, to: fsm.To[*runner]("")},
		{name: fsm.Error, ends: true, to: fsm.To[*runner]("")},
	}, append([]fsm.Edge{
		{To: fsm.Continue, By: fsm.BySystem},
		{From: fsm.Continue, To: "PASS", By: fsm.BySystem},
		{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	}, edges...)...)
}

// takers have neither PASS nor CONTINUE.
func takers(t *testing.T) *fsm.Manager[*runner] {
	t.Helper()
	return runners(t, "Taker", []*leg{
		{name: "WALK", to: fsm.To[*runner](fsm.Finish)},
		{name: fsm.Finish, ends: true, to: fsm.To[*runner]("")},
	}, fsm.Edge{To: "WALK", By: fsm.BySystem}, fsm.Edge{From: "WALK", To: fsm.Finish, By: fsm.BySystem})
}

func runners(t *testing.T, kind string, legs []*leg, edges ...fsm.Edge) *fsm.Manager[*runner] {
	t.Helper()
	m := fsm.NewManager[*runner](kind, edges...)
	for _, l := range legs {
		require.NoError(t, m.Register(l.name, func() fsm.State[*runner] { return l }))
	}
	return m
}
