package durable_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// A process that is given a run need not know whether it is new, waits, or was
// interrupted. Here the first one ends before the second reply of its model is on record, so the next one
// asks for that again.
func ExampleOpen() {
	st := store.Memory() // Files, or one in a database
	serve := func(ctx context.Context, st store.Store, replies ...any) (round.Result, error) {
		agent := &Writer{model: llmtest.Script(nil, replies...)}

		s, err := durable.Open(ctx, agent, st, "headline 7", nil)
		if err != nil {
			return round.Result{}, err
		}
		return s.Continue(ctx, "a headline for today")
	}

	res, err := serve(context.Background(), &full{st, 2},
		`{"Headline": "Nothing whatsoever happened today", "Status": "REVIEW"}`, `{"Headline": "A calm day", "Status": "REVIEW"}`)
	fmt.Println(res.Outcome, errors.Is(err, round.ErrLost))

	res, err = serve(context.Background(), st, `{"Headline": "A quiet day", "Status": "REVIEW"}`)
	fmt.Println(res.Outcome, res.Answer, res.Calls, err)
	// Output:
	// LOST true
	// FINISH A quiet day 2 <nil>
}

// Review is a status of the kind's own.
const Review fsm.Status = "REVIEW"

// Writer is the kind of docs/guides/state-set.md: a model writes a headline, code checks its length.
type Writer struct {
	fsm.Position
	model                  llm.Model
	task, headline, remark string
}

var writers = fsm.Table("Writer",
	[]fsm.Row[*Writer]{
		{Status: fsm.Continue, Handle: (*Writer).write},
		{Status: Review, Handle: (*Writer).review},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
		{Status: fsm.Error, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: Review, By: fsm.ByModel},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel},
	fsm.Edge{From: Review, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: Review, To: fsm.Finish, By: fsm.BySystem},
)

func (w *Writer) Name() string    { return "writer" }
func (w *Writer) States() fsm.Set { return writers }
func (w *Writer) Answer() string  { return w.headline }

func (w *Writer) Begin(_ context.Context, task fsm.Task) error {
	w.task, w.headline, w.remark = task.Text, "", ""
	return nil
}

func (w *Writer) write(ctx context.Context) error {
	type draft struct {
		Headline string     `json:"Headline,omitempty"`
		Status   fsm.Status `json:"Status"`
	}
	reply, err := deciding.Ask(ctx, deciding.Inquiry[draft]{
		Model:    w.model,
		Sections: []llm.Section{{Name: "task", Value: w.task}, {Name: "remark", Value: w.remark}},
		Allowed:  deciding.Allowed(w),
	})
	if err != nil {
		return err
	}
	w.headline = reply.Headline
	w.Decide(reply.Status, fsm.ByModel, "a draft")
	return nil
}

func (w *Writer) review(context.Context) error {
	if n := len(w.headline); n > 20 {
		w.remark = fmt.Sprintf("%d letters are too many", n)
		w.Decide(fsm.Continue, fsm.BySystem, w.remark)
		return nil
	}
	w.Decide(fsm.Finish, fsm.BySystem, "it fits")
	return nil
}

// written is what a Writer knows.
type written struct{ Task, Headline, Remark string }

// Save returns it, for the journal.
func (w *Writer) Save() (fsm.Saved, error) {
	return fsm.SaveState(written{w.task, w.headline, w.remark})
}

// Load makes a new Writer know it.
func (w *Writer) Load(saved fsm.Saved) error {
	var had written
	err := saved.LoadState(&had)
	w.task, w.headline, w.remark = had.Task, had.Headline, had.Remark
	return err
}

// scribble answers by what it is shown: it does not know which process asks.
func scribble(t *testing.T, calls *int) llm.Model {
	return llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		*calls++
		assert.Equal(t, "a headline for today", llmtest.Section[string](t, req, "task"))
		text := `{"Headline": "A quiet day", "Status": "REVIEW"}`
		if remark := llmtest.Section[string](t, req, "remark"); remark == "" {
			text = `{"Headline": "Nothing whatsoever happened today", "Status": "REVIEW"}`
		}
		return &llm.Response{Text: text}, nil
	})
}
