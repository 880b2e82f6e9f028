package scenarios_test

import (
	"context"

	"github.com/agentfsm/agentfsm/fsm"
)

// worker is an agent of a kind that knows nothing of hosts. It does what a test says.
type worker struct {
	fsm.Position
	name    string
	states  *fsm.Manager[*worker] // nil: workerStates
	script  []fsm.Status          // what its steps decide, one after another; then FINISH
	does    func(ctx context.Context) error
	at      func(place string) // Begin, Handle, NextState, NextAgent or Answer
	next    func() fsm.Agent   // nil: itself
	answer  string
	tasks   []fsm.Task
	handled []fsm.Status
}

// workerRows are its states, which begin in start.
func workerRows(start fsm.Status, ends ...fsm.Row[*worker]) (rows []fsm.Row[*worker], edges []fsm.Edge) {
	rows = []fsm.Row[*worker]{{Status: start, Handle: (*worker).work, NextState: (*worker).nextState, NextAgent: (*worker).nextAgent}}
	edges = []fsm.Edge{{To: start, By: fsm.BySystem}, {From: start, To: start, By: fsm.BySystem}}
	for _, end := range ends {
		end.Handle, end.NextState, end.NextAgent, end.RoundEnd = (*worker).note, (*worker).nextState, (*worker).nextAgent, true
		rows = append(rows, end)
		edges = append(edges, fsm.Edge{From: start, To: end.Status, By: fsm.BySystem})
	}
	return rows, edges
}

func workerTable(start fsm.Status, ends ...fsm.Row[*worker]) *fsm.Manager[*worker] {
	rows, edges := workerRows(start, ends...)
	return fsm.Table("Worker", rows, edges...)
}

var (
	usualEnds    = []fsm.Row[*worker]{{Status: fsm.Finish}, {Status: fsm.Fail}, {Status: fsm.Error}}
	workerStates = workerTable(fsm.Continue, usualEnds...)
)

func (a *worker) Name() string               { return a.name }
func (a *worker) Save() (fsm.Saved, error)   { return fsm.SaveState(a.answer) }
func (a *worker) Load(saved fsm.Saved) error { return saved.LoadState(&a.answer) }

func (a *worker) States() fsm.Set {
	if a.states == nil {
		return workerStates
	}
	return a.states
}

func (a *worker) Begin(_ context.Context, task fsm.Task) error {
	a.tasks = append(a.tasks, task)
	a.is("Begin")
	return nil
}

func (a *worker) Answer() string {
	a.is("Answer")
	return a.answer
}

func (a *worker) work(ctx context.Context) error {
	a.is("Handle")
	to := fsm.Finish
	if len(a.script) > 0 {
		to, a.script = a.script[0], a.script[1:]
	}
	a.Decide(to, fsm.BySystem, "as it came")
	if a.does != nil {
		if err := a.does(ctx); err != nil {
			return err
		}
	}
	return a.note(ctx)
}

func (a *worker) note(context.Context) error {
	a.handled = append(a.handled, a.Status())
	return nil
}

func (a *worker) nextState() fsm.Status {
	a.is("NextState")
	return a.Decision().To
}

func (a *worker) nextAgent() fsm.Agent {
	a.is("NextAgent")
	if a.next != nil {
		return a.next()
	}
	return a
}

func (a *worker) is(place string) {
	if a.at != nil {
		a.at(place)
	}
}
