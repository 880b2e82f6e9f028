package drivetest

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// steps is how many steps a run has. An undisturbed run has as many model calls and commands.
const steps = 3

// worker is an agent that calls its model and executes a command in each step. It is the model and the desktop, too:
// the log, which several processes append to, has each call and each command.
type worker struct {
	fsm.Position
	log  string                                       // a file
	gate func(ctx context.Context, text string) error // called within each model call; nil: nothing
	n    int                                          // the steps that are done
}

var states = fsm.Table("Worker",
	[]fsm.Row[*worker]{
		{Status: fsm.Continue, Handle: (*worker).work},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

func (w *worker) Name() string                          { return "worker" }
func (w *worker) States() fsm.Set                       { return states }
func (w *worker) Begin(context.Context, fsm.Task) error { return nil }
func (w *worker) Answer() string                        { return fmt.Sprint(w.n) }
func (w *worker) Save() (fsm.Saved, error)              { return fsm.SaveState(w.n) }
func (w *worker) Load(saved fsm.Saved) error            { return saved.LoadState(&w.n) }

func (w *worker) work(ctx context.Context) error {
	text := fmt.Sprint("step ", w.n+1)
	if _, err := llm.Complete(ctx, w, &llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: text}}}}}); err != nil {
		return err
	}
	// That it may have been executed is as good as that it was.
	if _, err := desktop.Execute(ctx, w, desktop.Command{ToolName: text}); err != nil {
		return err
	}
	w.n++
	next := fsm.Continue
	if w.n == steps {
		next = fsm.Finish
	}
	w.Decide(next, fsm.BySystem, "")
	return nil
}

func (w *worker) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	text := req.Messages[0].Parts[0].Text
	if err := w.note("call " + text); err != nil {
		return nil, err
	}
	if w.gate != nil {
		if err := w.gate(ctx, text); err != nil {
			return nil, err
		}
	}
	return &llm.Response{Text: "ok"}, nil
}

func (w *worker) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (w *worker) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	return desktop.Result{Status: desktop.Success, CallID: cmd.CallID}, w.note("act " + cmd.ToolName)
}

// note appends a whole line to the log.
func (w *worker) note(line string) error {
	f, err := os.OpenFile(w.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

// drive drives a run until it ends.
func (w *worker) drive(ctx context.Context, st store.Store, run string, takeOver bool) error {
	s, err := durable.Open(ctx, w, st, run, &durable.Options{TakeOver: takeOver})
	if err != nil {
		return err
	}
	_, err = s.Continue(ctx, "work")
	return err
}
