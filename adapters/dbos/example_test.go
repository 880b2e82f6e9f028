package dbos_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
	_ "github.com/dbos-inc/dbos-transact-golang/dbos/driver/sqlite" // for a URL that begins with sqlite:

	"github.com/agentfsm/agentfsm/adapters/dbos"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// A service whose runs DBOS schedules.
func Example() {
	dir, err := os.MkdirTemp("", "dbos")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()

	engine, err := dbos.New(ctx, sdk.Config{
		DatabaseURL: "sqlite:" + filepath.ToSlash(filepath.Join(dir, "dbos.db")),
		ExecutorID:  "worker-0",
	}, nil)
	if err != nil {
		panic(err)
	}
	model := llmtest.Script(nil, // a real one, usually
		`{"Status": "PENDING", "Questions": ["How much?"]}`,
		`{"Status": "FINISH", "Result": "12 euros"}`)
	svc, err := runs.New(store.Memory(), runs.Config{ // or a store of files, or one in a database
		Engine: engine,
		Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
			desk, err := desktop.New() // what the agent works with
			if err != nil {
				return nil, nil, err
			}
			agent, err := appagent.New(appagent.Config{Model: model, Desktop: desk, NoImages: true, User: people.Later()})
			return agent, nil, err
		},
	})
	if err != nil {
		panic(err)
	}
	worked := make(chan error)
	go func() { worked <- svc.Work(ctx) }()

	if _, err := svc.Start(ctx, "order 12", "ask for the price", nil); err != nil {
		panic(err)
	}
	for e, err := range svc.Watch(ctx, "order 12", 0) {
		if err != nil {
			panic(err)
		}
		if e.Kind != "stop" {
			continue
		}
		state, err := svc.Get(ctx, "order 12")
		if err != nil {
			panic(err)
		}
		fmt.Println(state.Waits[0].Text)
		fmt.Println(svc.Answer(ctx, "order 12", state.Waits[0].ID, people.Answer{Text: "12 euros"}))
	}
	state, err := svc.Get(ctx, "order 12")
	fmt.Println(state.Stage, state.Outcome, state.Answer, err)
	fmt.Println(svc.Close(ctx), <-worked, engine.Close())
	// Output:
	// How much?
	// true <nil>
	// ended FINISH 12 euros <nil>
	// <nil> runs: the service is closed <nil>
}
