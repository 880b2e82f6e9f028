package round_test

import (
	"context"
	"io"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// The round of the benchmarks: a host that hands over to a worker four times,
// 45 steps in all, whose Handles do next to nothing. What is measured is the
// loop.
const (
	paceHandOvers = 4
	paceWork      = 7 // steps of the worker before it finishes
	paceCycle     = 4 + paceWork
	paceSteps     = paceHandOvers*paceCycle + 1
)

const assign fsm.Status = "ASSIGN"

// pacer is both kinds of agent of the round: the host has a worker, the worker
// has none.
type pacer struct {
	fsm.Position
	name   string
	set    fsm.Set
	worker *pacer
	done   int // hand-overs of a host, steps of a worker since it began
	want   int
}

func (p *pacer) Name() string                          { return p.name }
func (p *pacer) States() fsm.Set                       { return p.set }
func (p *pacer) Answer() string                        { return "" }
func (p *pacer) Begin(context.Context, fsm.Task) error { p.done = 0; return nil }

func (p *pacer) work(context.Context) error {
	switch {
	case p.done == p.want:
		p.Decide(fsm.Finish, fsm.ByModel, "")
	case p.worker != nil:
		p.done++
		p.Decide(assign, fsm.ByModel, "")
	default:
		p.done++
		p.Decide(fsm.Continue, fsm.ByModel, "")
	}
	return nil
}

func (p *pacer) hand(context.Context) error { p.worker.done = 0; return nil }
func (p *pacer) handed() fsm.Agent          { return p.worker }

var paceHost = fsm.Table("PaceHost",
	[]fsm.Row[*pacer]{
		{Status: fsm.Continue, Handle: (*pacer).work},
		{Status: assign, Handle: (*pacer).hand, NextState: fsm.To[*pacer](fsm.Continue), NextAgent: (*pacer).handed},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: assign, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	fsm.Edge{From: assign, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
)

var paceWorker = fsm.Table("PaceWorker",
	[]fsm.Row[*pacer]{
		{Status: fsm.Continue, Handle: (*pacer).work},
		{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Error, RoundEnd: true, SubtaskEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
)

func newPacers(handOvers, work int) *pacer {
	return &pacer{
		name: "host", set: paceHost, want: handOvers,
		worker: &pacer{name: "worker", set: paceWorker, want: work},
	}
}

// What follows is the same machine by hand: states behind an interface, made
// when they are first needed, in a map behind an atomic pointer. It checks
// nothing and records nothing.
type (
	bareAgent struct {
		status fsm.Status
		to     fsm.Status
		states *atomic.Pointer[map[fsm.Status]bareState]
		worker *bareAgent
		caller *bareAgent
		done   int
		want   int
	}
	bareState interface {
		Handle(ctx context.Context, a *bareAgent) error
		NextState(a *bareAgent) fsm.Status
		NextAgent(a *bareAgent) *bareAgent
		IsRoundEnd() bool
	}
	bareWork   struct{}
	bareAssign struct{}
	bareEnd    struct{}
)

func (bareWork) Handle(_ context.Context, a *bareAgent) error {
	switch {
	case a.done == a.want:
		a.to = fsm.Finish
	case a.worker != nil:
		a.done++
		a.to = assign
	default:
		a.done++
		a.to = fsm.Continue
	}
	return nil
}
func (bareWork) NextState(a *bareAgent) fsm.Status { return a.to }
func (bareWork) NextAgent(a *bareAgent) *bareAgent { return a }
func (bareWork) IsRoundEnd() bool                  { return false }

func (bareAssign) Handle(_ context.Context, a *bareAgent) error { a.worker.done = 0; return nil }
func (bareAssign) NextState(*bareAgent) fsm.Status              { return fsm.Continue }
func (bareAssign) NextAgent(a *bareAgent) *bareAgent            { return a.worker }
func (bareAssign) IsRoundEnd() bool                             { return false }

func (bareEnd) Handle(context.Context, *bareAgent) error { return nil }
func (bareEnd) NextState(*bareAgent) fsm.Status          { return fsm.Continue }
func (bareEnd) NextAgent(a *bareAgent) *bareAgent        { return a.caller }
func (bareEnd) IsRoundEnd() bool                         { return true }

func (a *bareAgent) state() bareState {
	if s := (*a.states.Load())[a.status]; s != nil {
		return s
	}
	all := map[fsm.Status]bareState{}
	maps.Copy(all, *a.states.Load())
	switch a.status {
	case assign:
		all[a.status] = bareAssign{}
	case fsm.Finish:
		all[a.status] = bareEnd{}
	default:
		all[a.status] = bareWork{}
	}
	a.states.Store(&all)
	return all[a.status]
}

func newBare(handOvers, work int) *bareAgent {
	registry := func() *atomic.Pointer[map[fsm.Status]bareState] {
		var p atomic.Pointer[map[fsm.Status]bareState]
		p.Store(&map[fsm.Status]bareState{})
		return &p
	}
	host := &bareAgent{states: registry(), want: handOvers}
	host.worker = &bareAgent{states: registry(), want: work, caller: host}
	return host
}

func (a *bareAgent) run(ctx context.Context) (steps int, err error) {
	a.status, a.done = fsm.Continue, 0
	for {
		s := a.state()
		if a.caller == nil && s.IsRoundEnd() {
			return steps, nil
		}
		if err := s.Handle(ctx, a); err != nil {
			return steps, err
		}
		to, next := s.NextState(a), s.NextAgent(a)
		next.status = to
		a = next
		steps++
	}
}

// BenchmarkStep is the price of a step of a Round, with every bound, check and
// record on that is on by default: a long round of self-loops and hand-overs, of
// which one operation is one step.
func BenchmarkStep(b *testing.B) {
	ctx := context.Background()
	b.Run("bare", func(b *testing.B) {
		host := newBare(b.N/paceCycle+1, paceWork)
		b.ReportAllocs()
		b.ResetTimer()
		if _, err := host.run(ctx); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("round", func(b *testing.B) {
		host := newPacers(b.N/paceCycle+1, paceWork)
		r, err := round.New(host, "pace", &round.Options{MaxTransitions: b.N + 2*paceCycle})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		b.ResetTimer()
		if _, err := r.Run(ctx); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkStepBesideBare says how many times the bare loop a step takes. Both
// take turns, so that a machine that is busy with something else slows both
// down; what is reported is the median of the turns.
func BenchmarkStepBesideBare(b *testing.B) {
	const handOvers = 50 * paceHandOvers
	ctx := context.Background()
	host, bare := newPacers(handOvers, paceWork), newBare(handOvers, paceWork)
	var times, bares, rounds []float64
	for b.Loop() {
		start := time.Now()
		steps, err := bare.run(ctx)
		if err != nil {
			b.Fatal(err)
		}
		byHand := time.Since(start)
		r, err := round.New(host, "pace", &round.Options{MaxTransitions: steps})
		if err != nil {
			b.Fatal(err)
		}
		start = time.Now()
		if _, err := r.Run(ctx); err != nil {
			b.Fatal(err)
		}
		took := time.Since(start)
		times = append(times, float64(took)/float64(byHand))
		bares = append(bares, float64(byHand)/float64(steps))
		rounds = append(rounds, float64(took)/float64(steps))
	}
	for name, list := range map[string][]float64{"times-bare": times, "bare-ns/step": bares, "round-ns/step": rounds} {
		slices.Sort(list)
		b.ReportMetric(list[len(list)/2], name)
	}
	b.ReportMetric(0, "ns/op") // of both together: it says nothing
}

// BenchmarkRound45 is a whole round of 45 steps with four hand-overs, made and
// run anew each time.
func BenchmarkRound45(b *testing.B) {
	perStep := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*paceSteps), "ns/step")
	}
	b.Run("bare", func(b *testing.B) {
		host := newBare(paceHandOvers, paceWork)
		b.ReportAllocs()
		for b.Loop() {
			if steps, err := host.run(b.Context()); err != nil || steps != paceSteps {
				b.Fatal(steps, err)
			}
		}
		perStep(b)
	})
	run := func(name string, ctx context.Context, opts *round.Options) {
		b.Run(name, func(b *testing.B) {
			host := newPacers(paceHandOvers, paceWork)
			b.ReportAllocs()
			for b.Loop() {
				r, err := round.New(host, "pace", opts)
				if err != nil {
					b.Fatal(err)
				}
				if res, err := r.Run(ctx); err != nil || res.Transitions != paceSteps {
					b.Fatal(res.Transitions, err)
				}
			}
			perStep(b)
		})
	}
	run("default", context.Background(), nil)
	cancellable, cancel := context.WithCancel(b.Context())
	defer cancel()
	run("cancellable", cancellable, nil)
	run("timed", context.Background(), &round.Options{MaxDuration: time.Hour})
	run("observed", context.Background(), &round.Options{Observe: func(round.Step) {}})
	run("jsonl", context.Background(), &round.Options{Observe: round.JSONL(io.Discard)})
}

// BenchmarkTwoApplications is a session in which each round extracts from one
// application and draws in another, with a model, a desktop and agents that do
// everything but wait: the prompts, the checks, the blackboard.
func BenchmarkTwoApplications(b *testing.B) {
	run := func(name string, opts *round.Options) {
		b.Run(name, func(b *testing.B) {
			script := []string{
				`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract"}`,
				`{"Status": "CONTINUE", "Function": "keyboard_input", "Args": {"keys": "x"}}`,
				`{"Status": "FINISH", "Result": [1, 2, 3]}`,
				`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "draw"}`,
				`{"Status": "FINISH", "Result": "drawn"}`,
				`{"Status": "FINISH", "Result": "done"}`,
			}
			calls := 0
			model := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
				calls++
				return &llm.Response{Text: script[(calls-1)%len(script)], Usage: llm.Usage{InputTokens: 1}}, nil
			})
			b.ReportAllocs()
			for b.Loop() {
				d := desktoptest.New(b, // its log grows
					&desktoptest.App{Root: "word", Process: "report", Title: "report.docx", Running: true},
					&desktoptest.App{Root: "excel", Process: "book", Title: "Book1", Running: true})
				host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: d}})
				if err != nil {
					b.Fatal(err)
				}
				r, err := round.New(host, "extract and draw", opts)
				if err != nil {
					b.Fatal(err)
				}
				if res, err := r.Run(b.Context()); err != nil || res.Transitions != 10 {
					b.Fatal(res.Transitions, err)
				}
			}
		})
	}
	run("default", nil)
	run("jsonl", &round.Options{Observe: round.JSONL(io.Discard)})
}
