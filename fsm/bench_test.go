package fsm_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/stretchr/testify/assert"
)

// The bare side of each pair is what a look-up cannot be cheaper than: a map
// behind an atomic pointer, with nothing in it but the states.
type bareMap = map[fsm.Status]fsm.State[*agent]

func bare(m *fsm.Manager[*agent]) *atomic.Pointer[bareMap] {
	all := bareMap{}
	for _, s := range m.Statuses() {
		all[s] = m.State(s)
	}
	var p atomic.Pointer[bareMap]
	p.Store(&all)
	return &p
}

var order = []fsm.Status{"DEFAULTS", "WORKS", "BREAKS", fsm.Continue, "ROUND", "SUBTASK"}

func next(i int) int {
	if i++; i == len(order) {
		return 0
	}
	return i
}

func BenchmarkLookup(b *testing.B) {
	m := rowTable()
	var set fsm.Set = m
	p := bare(m)
	b.Run("bare", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i = next(i) {
			if (*p.Load())[order[i]] == nil {
				b.Fatal("not there")
			}
		}
	})
	b.Run("State", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i = next(i) {
			if m.State(order[i]) == nil {
				b.Fatal("not there")
			}
		}
	})
	b.Run("Bind", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i = next(i) {
			if !set.Bind(order[i]).Known() {
				b.Fatal("not there")
			}
		}
	})
}

func BenchmarkLookupParallel8(b *testing.B) {
	m := rowTable()
	var set fsm.Set = m
	p := bare(m)
	run := func(name string, there func(fsm.Status) bool) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			// 8 goroutines in all, or one for each processor when there are more.
			b.SetParallelism(max(1, 8/runtime.GOMAXPROCS(0)))
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i = next(i) {
					if !there(order[i]) {
						b.Error("not there")
						return
					}
				}
			})
		})
	}
	run("bare", func(s fsm.Status) bool { return (*p.Load())[s] != nil })
	run("State", func(s fsm.Status) bool { return m.State(s) != nil })
	run("Bind", func(s fsm.Status) bool { return set.Bind(s).Known() })
}

// A step without the Round around it, beside the same step by hand.
func BenchmarkStep(b *testing.B) {
	ctx := context.Background()
	states := counterStates.With(fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel})
	rest := fsm.NewManager[*agent]("Rest", states.Edges()...)
	if err := rest.AddState(fsm.Continue, &plain{name: fsm.Continue}); err != nil {
		b.Fatal(err)
	}
	p := bare(rest)
	b.Run("bare", func(b *testing.B) {
		a := &agent{}
		a.SetStatus(fsm.Continue)
		b.ReportAllocs()
		for b.Loop() {
			s := (*p.Load())[a.Status()]
			a.Decide(fsm.Continue, fsm.ByModel, "")
			if s.Handle(ctx, a) != nil {
				b.Fatal("fault")
			}
			a.SetStatus(s.NextState(a))
		}
	})
	b.Run("Bound", func(b *testing.B) {
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
	})
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
