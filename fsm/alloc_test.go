package fsm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/fsm"
)

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
