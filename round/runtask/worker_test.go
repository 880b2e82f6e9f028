package runtask_test

import (
	"context"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// worker is an agent of one step, which is a func.
type worker struct {
	fsm.Position
	step   func(ctx context.Context, w *worker) error
	task   string
	answer string
	closed chan error // what Close returns; it has been called when it is empty
}

var workers = fsm.Table("Worker",
	[]fsm.Row[*worker]{
		{Status: fsm.Continue, Handle: func(w *worker, ctx context.Context) error { return w.step(ctx, w) }},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
)

func (w *worker) Name() string    { return "worker" }
func (w *worker) States() fsm.Set { return workers }
func (w *worker) Answer() string  { return w.answer }

func (w *worker) Begin(_ context.Context, task fsm.Task) error {
	w.task, w.answer = task.Text, ""
	return nil
}

func (w *worker) Close(ctx context.Context) error {
	if w.closed == nil {
		return nil
	}
	select {
	case err := <-w.closed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// finish ends the task with an answer.
func (w *worker) finish(answer string) error {
	w.answer = answer
	w.Decide(fsm.Finish, fsm.BySystem, "")
	return nil
}

// sessions opens one for each call, with a worker that does step.
func sessions(step func(ctx context.Context, w *worker) error) func(context.Context) (*round.Session, error) {
	return func(context.Context) (*round.Session, error) { return round.NewSession(&worker{step: step}, nil) }
}
