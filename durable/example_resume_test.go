package durable_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// full is a store that takes so many Appends: the process ends there.
type full struct {
	store.Store
	left int
}

func (f *full) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if f.left--; f.left < 0 {
		return errors.New("the power is gone")
	}
	return f.Store.Append(ctx, run, after, records...)
}

// A process ends between a command and the record of its result. Another one goes on:
// it asks the model nothing that was answered, and does not save a second time.
func ExampleOpen_afterACrash() {
	notes := &desktoptest.App{Root: "notes", Running: true, Tools: []desktoptest.Tool{{Name: "save"}}}
	d := desktoptest.New(nil, notes)
	agent := func(replies ...any) *appagent.Agent {
		a, err := appagent.New(appagent.Config{
			Model: llmtest.Script(nil, replies...), Desktop: d, Window: desktop.Window{ID: "1"}, NoImages: true,
		})
		if err != nil {
			panic(err)
		}
		return a
	}
	st := store.Memory()

	broken := &full{st, 2} // the round; the model's reply with the intent
	s, err := durable.Open(context.Background(), agent(`{"Status":"FINISH","Function":"save"}`), broken, "run 1", nil)
	if err != nil {
		panic(err)
	}
	_, err = s.Run(context.Background(), "save it")
	fmt.Println("interrupted:", errors.Is(err, round.ErrLost), "saved:", len(d.Calls("save")))

	s, err = durable.Open(context.Background(), agent(`{"Status":"FINISH","Comment":"it is saved","Open":{"act_1":"done: the window says so"}}`), st, "run 1", &durable.Options{Existing: true})
	if err != nil {
		panic(err)
	}
	for step, err := range s.Round().Steps(context.Background()) {
		if err != nil {
			panic(err)
		}
		fmt.Println(step, step.Reason)
	}
	fmt.Println(s.Round().Result().Answer, "saved:", len(d.Calls("save")))
	// Output:
	// interrupted: true saved: 1
	// AppAgent:CONTINUE -> AppAgent:CONTINUE (system) save failed: nobody knows whether it happened: the run was interrupted while it was executed; look before you repeat it
	// AppAgent:CONTINUE -> AppAgent:FINISH (model) it is saved
	// it is saved saved: 1
}

// A run is done once more with what its journal has, under another policy: this one
// would have asked somebody.
func ExampleReplay() {
	agent := func(policy policies.Func, replies ...any) *appagent.Agent {
		a, err := appagent.New(appagent.Config{
			Model:   llmtest.Script(nil, replies...),
			Desktop: desktoptest.New(nil, &desktoptest.App{Root: "notes", Running: true, Tools: []desktoptest.Tool{{Name: "save"}}}),
			Window:  desktop.Window{ID: "1"}, NoImages: true, Policy: policy,
		})
		if err != nil {
			panic(err)
		}
		return a
	}
	st := store.Memory()
	s, err := durable.Open(context.Background(), agent(nil, `{"Status":"FINISH","Function":"save","Comment":"it is saved"}`), st, "run 1", nil)
	if err != nil {
		panic(err)
	}
	if _, err := s.Run(context.Background(), "save it"); err != nil {
		panic(err)
	}

	res, err := durable.Replay(context.Background(), agent(nil), st, "run 1", nil)
	fmt.Println(res.Outcome, res.Answer, err)

	careful := func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
		return policies.Verdict{Action: policies.Confirm, Reason: "it is careful"}
	}
	_, err = durable.Replay(context.Background(), agent(careful), st, "run 1", nil)
	fmt.Println(err)
	// Output:
	// FINISH it is saved <nil>
	// durable: replay "run 1": round 1, step 1: intent: it was save, and is nothing: policy: confirm save: it is careful
}
