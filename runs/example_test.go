package runs_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// model stands for a real one: it has two replies.
var model = llmtest.Script(nil,
	`{"Function": "send_mail", "Args": {"to": "bob@example.com", "text": "12 euros"}, "Status": "CONTINUE"}`,
	`{"Status": "FINISH", "Result": "Bob knows."}`)

type mail struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

func send(_ context.Context, m mail) (string, error) {
	fmt.Println("a mail goes to", m.To)
	return "sent", nil
}

// newClerk makes the agent: its tool sends mail, which a person has to allow.
func newClerk(context.Context, durable.State) (fsm.Worker, func(), error) {
	desk, err := desktop.New(desktop.Func("send_mail", "Send a mail.", send, &desktop.Annotations{DestructiveHint: true}))
	if err != nil {
		return nil, nil, err
	}
	agent, err := appagent.New(appagent.Config{Model: model, Desktop: desk, NoImages: true, User: people.Later()})
	return agent, nil, err
}

// A service starts a run, a page watches it, and a person approves what it asks. The lines up to Start are all that a service
// needs.
func Example() {
	ctx := context.Background()
	svc, err := runs.New(store.Memory(), runs.Config{Agent: newClerk}) // or store.Files, or one in a database
	if err != nil {
		panic(err)
	}
	worked := make(chan error, 1)
	go func() { worked <- svc.Work(ctx) }()

	if _, err := svc.Start(ctx, "mail 12", "tell Bob the price", nil); err != nil {
		panic(err)
	}
	for e, err := range svc.Watch(ctx, "mail 12", 0) {
		if err != nil {
			panic(err)
		}
		if e.Kind != "stop" {
			continue
		}
		state, err := svc.Get(ctx, "mail 12")
		if err != nil {
			panic(err)
		}
		fmt.Println(state.Waits[0].Text)
		for range 2 { // a double click
			given, err := svc.Answer(ctx, "mail 12", state.Waits[0].ID, people.Answer{Approved: true})
			fmt.Println("this click counts:", given, err)
		}
	}
	state, err := svc.Get(ctx, "mail 12")
	fmt.Println(state.Stage, state.Outcome, state.Answer, err)
	fmt.Println(svc.Close(ctx))
	fmt.Println(<-worked)
	// Unordered output:
	// Allow send_mail {"text":"12 euros","to":"bob@example.com"}? It needs approval because the tool is marked as destructive.
	// this click counts: true <nil>
	// this click counts: false <nil>
	// a mail goes to bob@example.com
	// ended FINISH Bob knows. <nil>
	// <nil>
	// runs: the service is closed
}
