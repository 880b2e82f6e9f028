package main

import (
	"context"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// Writer is an agent: a model drafts a title, code checks it.
type Writer struct {
	fsm.Position // the state it is in
	name         string
	model        llm.Model
	data         data
}

type data struct{ Task, Title, Problem string }

type reply struct { // what the model writes
	Title  string
	Status fsm.Status
}

var states = fsm.Table("Writer", []fsm.Row[*Writer]{
	{Status: "DRAFT", Handle: (*Writer).draft},
	{Status: "CHECK", Handle: (*Writer).check},
	{Status: fsm.Finish, RoundEnd: true},
	{Status: fsm.Fail, RoundEnd: true},
},
	fsm.Edge{To: "DRAFT", By: fsm.BySystem}, // no From: the start
	fsm.Edge{From: "DRAFT", To: "CHECK", By: fsm.ByModel},
	fsm.Edge{From: "DRAFT", To: fsm.Fail, By: fsm.ByModel},
	fsm.Edge{From: "CHECK", To: "DRAFT", By: fsm.BySystem},
	fsm.Edge{From: "CHECK", To: fsm.Finish, By: fsm.BySystem},
)

func (w *Writer) Name() string    { return w.name }
func (w *Writer) States() fsm.Set { return states }
func (w *Writer) Answer() string  { return w.data.Title }

func (w *Writer) Begin(_ context.Context, task fsm.Task) error {
	w.data = data{Task: task.Text}
	return nil
}

func (w *Writer) draft(ctx context.Context) error {
	r, err := deciding.Ask(ctx, deciding.Inquiry[reply]{
		Model:    w.model,
		Messages: []llm.Message{llm.Text(llm.System, "You write short titles. CHECK: here is one. FAIL: there is none.")},
		Sections: []llm.Section{{Name: "task", Value: w.data.Task}, {Name: "problem", Value: w.data.Problem}},
		Allowed:  deciding.Allowed(w), // CHECK and FAIL, by the table
	})
	if err != nil {
		return err
	}
	w.data.Title = r.Title
	w.Decide(r.Status, fsm.ByModel, "")
	return nil
}

func (w *Writer) check(context.Context) error {
	to := fsm.Finish
	if len(w.data.Title) > 20 {
		to, w.data.Problem = "DRAFT", "more than 20 bytes"
	}
	w.Decide(to, fsm.BySystem, "")
	return nil
}
