package drivetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// steps is how many steps a run has: model calls, and commands, of an undisturbed one.
const steps = 3

// worker is an agent that calls its model and executes a command, steps times.
type worker struct {
	fsm.Position
	model llm.Model
	desk  desktop.Desktop
	N     int
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
func (w *worker) Answer() string                        { return fmt.Sprint(w.N) }
func (w *worker) Save() (fsm.Saved, error)              { return fsm.SaveState(w.N) }
func (w *worker) Load(saved fsm.Saved) error            { return saved.LoadState(&w.N) }

func (w *worker) work(ctx context.Context) error {
	text := fmt.Sprint("step ", w.N+1)
	if _, err := llm.Complete(ctx, w.model, &llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: text}}}}}); err != nil {
		return err
	}
	// That it may have been executed is as good as that it was.
	if _, err := desktop.Execute(ctx, w.desk, desktop.Command{ToolName: "act", Parameters: map[string]any{"n": text}}); err != nil {
		return err
	}
	w.N++
	if w.N == steps {
		w.Decide(fsm.Finish, fsm.BySystem, "")
	} else {
		w.Decide(fsm.Continue, fsm.BySystem, "")
	}
	return nil
}

// world is the model and the desktop of a run: all that they do is in a log.
type world struct {
	log  string
	gate func(ctx context.Context, call string) error // called when a call is about to be made
}

func newWorld(dir, run string) *world { return &world{log: filepath.Join(dir, run+".log")} }

func (w *world) agent() *worker { return &worker{model: w, desk: w} }

func (w *world) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if err := w.note("call " + req.Messages[0].Parts[0].Text); err != nil {
		return nil, err
	}
	if w.gate != nil {
		if err := w.gate(ctx, req.Messages[0].Parts[0].Text); err != nil {
			return nil, err
		}
	}
	return &llm.Response{Text: "ok"}, nil
}

func (w *world) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (w *world) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	if err := w.note("act " + cmd.Parameters["n"].(string)); err != nil { //nolint:forcetypeassert // work has put it there
		return desktop.Result{}, err
	}
	return desktop.Result{Status: desktop.Success, CallID: cmd.CallID}, nil
}

// note appends a line, whole, whoever else does.
func (w *world) note(line string) error {
	f, err := os.OpenFile(w.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// done counts what was done: calls in all, and each act.
func (w *world) done() (calls int, acts map[string]int, err error) {
	text, err := os.ReadFile(w.log)
	if err != nil && !os.IsNotExist(err) {
		return 0, nil, err
	}
	acts = map[string]int{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "call ") {
			calls++
		} else {
			acts[line]++
		}
	}
	return calls, acts, nil
}
