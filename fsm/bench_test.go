package fsm_test

import (
	"context"
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/stretchr/testify/assert"
)

// A step without the Round around it.
func BenchmarkStep(b *testing.B) {
	ctx := context.Background()
	states := counterStates.With(fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel})
	rest := fsm.NewManager[*agent]("Rest", states.Edges()...)
	if err := rest.AddState(fsm.Continue, &plain{name: fsm.Continue}); err != nil {
		b.Fatal(err)
	}
	a := &agent{states: rest}
	a.SetStatus(fsm.Continue)
	var driven fsm.Agent = a
	b.ReportAllocs()
	for b.Loop() {
		s := driven.States().Bind(driven.Status())
		a.Decide(fsm.Continue, fsm.ByModel, "")
		if s.Handle(ctx, driven) != nil {
			b.Fatal("fault")
		}
		to, _, who, _ := s.Next(driven)
		if who != driven || !s.Permits(to, "", 0) {
			b.Fatal("refused")
		}
		who.SetStatus(to)
	}
}

// A step costs no memory: what a driver calls for each of them allocates nothing.
func TestAllocations(t *testing.T) {
	m := rowTable()
	var set fsm.Set = m
	a := &agent{states: m, other: &bystander{}}
	var erased fsm.Agent = a
	b := set.Bind("DEFAULTS")
	ctx := context.Background()
	tests := map[string]func(){
		"Bind":     func() { set.Bind("DEFAULTS") },
		"State":    func() { m.State("DEFAULTS") },
		"Handle":   func() { _ = b.Handle(ctx, erased) },
		"Next":     func() { _, _, _, _ = b.Next(erased) },
		"Permits":  func() { b.Permits("HANDED", "Other", 0); b.Permits("NOPE", "", 0) },
		"Position": func() { a.Decide("WORKS", fsm.ByModel, "why"); a.SetStatus("WORKS") },
		"a custom state": func() {
			_ = custom.Bind("PLAIN").Handle(ctx, erased)
			_, _, _, _ = custom.Bind("PLAIN").Next(erased)
		},
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Zero(t, testing.AllocsPerRun(100, f))
		})
	}
}

var custom = func() *fsm.Manager[*agent] {
	m := fsm.NewManager[*agent]("Custom")
	if err := m.AddState("PLAIN", &plain{name: "PLAIN"}); err != nil {
		panic(err)
	}
	return m
}()
