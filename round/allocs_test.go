package round_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/round"
)

const assign fsm.Status = "ASSIGN"

// pacer is both kinds of agent of the round whose allocations are counted: a host that hands
// over to a worker time and again, whose Handles do next to nothing. The host has a worker,
// the worker has none. The module bench measures how long such a round takes.
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

// A step costs no memory, with every default safety on: a long round allocates
// what a short one does.
func TestStepsAllocateNothing(t *testing.T) {
	for name, opts := range map[string]round.Options{
		"defaults":                        {},
		"a context that can be cancelled": {},
		"every bound":                     {MaxSteps: 10, MaxRepeats: 10, MaxTokens: 10, MaxCost: 10, MaxDuration: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background() // which is never done
			if name == "a context that can be cancelled" {
				ctx = t.Context()
			}
			allocations := func(handOvers, work, want int) float64 {
				host := newPacers(handOvers, work)
				opts.MaxTransitions = want
				return testing.AllocsPerRun(sample.Of(10, 3), func() {
					r, err := round.New(host, "pace", &opts)
					require.NoError(t, err)
					res, err := r.Run(ctx)
					require.NoError(t, err)
					if res.Transitions != want {
						t.Fatal(res.Transitions)
					}
				})
			}
			short := allocations(1, 1, 6)
			assert.Equal(t, short, allocations(1, 5000, 5005), "a self-loop")
			assert.Equal(t, short, allocations(1000, 1, 5001), "hand-overs")
		})
	}
}
