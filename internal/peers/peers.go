package peers

import (
	"context"
	"errors"

	looplab "github.com/looplab/fsm"
	"github.com/qmuntal/stateless"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// walk makes n transitions and returns how many of them arrived in the second
// of two states.
type walk func(ctx context.Context, n int) (arrived int, err error)

// walks are the machines, by name.
func walks() map[string]walk {
	return map[string]walk{
		"agentfsm":  walkRound,
		"looplab":   walkLooplab,
		"stateless": walkStateless,
	}
}

// walker is an agent that goes to and fro.
type walker struct {
	fsm.Position
	left, arrived int
}

const rest fsm.Status = "REST"

var walkers = fsm.Table("Walker", []fsm.Row[*walker]{
	{Status: fsm.Continue, Handle: (*walker).there},
	{Status: rest, Handle: (*walker).back},
	{Status: fsm.Finish, RoundEnd: true},
	{Status: fsm.Error, RoundEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: rest, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: rest, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: rest, To: fsm.Finish, By: fsm.BySystem},
)

func (w *walker) Name() string                          { return "walker" }
func (w *walker) States() fsm.Set                       { return walkers }
func (w *walker) Answer() string                        { return "" }
func (w *walker) Begin(context.Context, fsm.Task) error { return nil }

func (w *walker) there(context.Context) error {
	w.arrived++
	return w.leave(rest)
}

func (w *walker) back(context.Context) error { return w.leave(fsm.Continue) }

func (w *walker) leave(to fsm.Status) error {
	if w.left--; w.left == 0 {
		to = fsm.Finish
	}
	w.Decide(to, fsm.BySystem, "")
	return nil
}

func walkRound(ctx context.Context, n int) (int, error) {
	w := &walker{left: n}
	r, err := round.New(w, "walk", &round.Options{MaxTransitions: -1, MaxRepeats: -1, MaxSteps: -1})
	if err != nil {
		return 0, err
	}
	_, err = r.Run(ctx)
	return w.arrived, err
}

func walkLooplab(ctx context.Context, n int) (int, error) {
	arrived := 0
	machine := looplab.NewFSM("continue", looplab.Events{
		{Name: "there", Src: []string{"continue"}, Dst: "rest"},
		{Name: "back", Src: []string{"rest"}, Dst: "continue"},
	}, looplab.Callbacks{
		"enter_rest":     func(context.Context, *looplab.Event) { arrived++ },
		"enter_continue": func(context.Context, *looplab.Event) {},
	})
	for i := range n {
		event := "there"
		if i%2 == 1 {
			event = "back"
		}
		if err := machine.Event(ctx, event); err != nil {
			return arrived, err
		}
	}
	return arrived, nil
}

var errState = errors.New("peers: not in the state that it should be in")

func walkStateless(ctx context.Context, n int) (int, error) {
	arrived := 0
	machine := stateless.NewStateMachine("continue")
	machine.Configure("continue").Permit("there", "rest").OnEntry(func(context.Context, ...any) error { return nil })
	machine.Configure("rest").Permit("back", "continue").OnEntry(func(context.Context, ...any) error { arrived++; return nil })
	for i := range n {
		event := "there"
		if i%2 == 1 {
			event = "back"
		}
		if err := machine.FireCtx(ctx, event); err != nil {
			return arrived, err
		}
	}
	if state := machine.MustState(); n%2 == 1 && state != "rest" {
		return arrived, errState
	}
	return arrived, nil
}
