package main

import (
	"context"
	"io"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// The machine that is stepped: a host hands over to a worker, which takes paceWork steps of
// its own and ends. With the hand-over and the return that is a cycle of paceCycle steps.
const (
	paceWork  = 7
	paceCycle = 4 + paceWork
)

const paceAssign fsm.Status = "ASSIGN"

// pacer is both kinds of agent: the host has a worker, the worker has none.
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
		p.Decide(paceAssign, fsm.ByModel, "")
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
		{Status: paceAssign, Handle: (*pacer).hand, NextState: fsm.To[*pacer](fsm.Continue), NextAgent: (*pacer).handed},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: paceAssign, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	fsm.Edge{From: paceAssign, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
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

// What is on besides the defaults.
func observed(o *round.Options) { o.Observe = func(round.Step) {} }
func logged(o *round.Options)   { o.Observe = round.JSONL(io.Discard) }

// walkRound makes a Round with every default safety take n steps: whole cycles, and the
// one with which the host ends.
func walkRound(more func(*round.Options)) func(context.Context, int) (int, error) {
	return func(ctx context.Context, n int) (int, error) {
		host := &pacer{name: "host", set: paceHost, want: n / paceCycle}
		host.worker = &pacer{name: "worker", set: paceWorker, want: paceWork}
		opts := &round.Options{MaxTransitions: n + paceCycle}
		if more != nil {
			more(opts)
		}
		r, err := round.New(host, "pace", opts)
		if err != nil {
			return 0, err
		}
		result, err := r.Run(ctx)
		return result.Transitions, err
	}
}

// The same machine by hand: states behind an interface, in a map. It checks nothing and
// records nothing.
type (
	bareAgent struct {
		status, to     fsm.Status
		worker, caller *bareAgent
		done, want     int
	}
	bareState interface {
		Handle(ctx context.Context, a *bareAgent) error
		Next(a *bareAgent) (fsm.Status, *bareAgent)
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
		a.done, a.to = a.done+1, paceAssign
	default:
		a.done, a.to = a.done+1, fsm.Continue
	}
	return nil
}
func (bareWork) Next(a *bareAgent) (fsm.Status, *bareAgent) { return a.to, a }

func (bareAssign) Handle(_ context.Context, a *bareAgent) error { a.worker.done = 0; return nil }
func (bareAssign) Next(a *bareAgent) (fsm.Status, *bareAgent)   { return fsm.Continue, a.worker }

func (bareEnd) Handle(context.Context, *bareAgent) error   { return nil }
func (bareEnd) Next(a *bareAgent) (fsm.Status, *bareAgent) { return fsm.Continue, a.caller }

func walkBare(ctx context.Context, n int) (int, error) {
	states := map[fsm.Status]bareState{fsm.Continue: bareWork{}, paceAssign: bareAssign{}, fsm.Finish: bareEnd{}}
	host := &bareAgent{status: fsm.Continue, want: n / paceCycle}
	host.worker = &bareAgent{want: paceWork, caller: host}
	seen := 0
	for a := host; a != host || a.status != fsm.Finish; seen++ {
		s := states[a.status]
		if err := s.Handle(ctx, a); err != nil {
			return seen, err
		}
		to, next := s.Next(a)
		next.status = to
		a = next
	}
	return seen, nil
}
