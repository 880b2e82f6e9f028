package dbos_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
	_ "github.com/dbos-inc/dbos-transact-golang/dbos/driver/sqlite" // for a URL that begins with sqlite:

	"github.com/agentfsm/agentfsm/adapters/dbos"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
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
	svc, err := runs.New(store.Memory(), runs.Config{ // or a store of files, or one in a database
		Engine: engine,
		Agent: func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
			return newClerk(run.Run, -1), nil, nil
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
		if e.Kind == "stop" {
			fmt.Println(svc.Answer(ctx, "order 12", "order 12-q", people.Answer{Text: "12 euros"}))
		}
	}
	state, err := svc.Get(ctx, "order 12")
	fmt.Println(state.Stage, state.Outcome, state.Answer, err)
	fmt.Println(svc.Close(ctx), <-worked, engine.Close())
	// Output:
	// true <nil>
	// ended FINISH 12 euros <nil>
	// <nil> runs: the service is closed <nil>
}
