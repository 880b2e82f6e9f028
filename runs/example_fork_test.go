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

// A run waits for an answer. A fork of it gets one, and ends; the first run is deleted.
func ExampleService_Fork() {
	ctx := context.Background()
	svc, err := runs.New(store.Memory(), runs.Config{Agent: func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
		reply := `{"Status": "PENDING", "Questions": ["Which colour?"]}`
		if run.Run == "blue wall" {
			reply = `{"Status": "FINISH", "Result": "it is blue"}`
		}
		desk, err := desktop.New()
		if err != nil {
			return nil, nil, err
		}
		agent, err := appagent.New(appagent.Config{Model: llmtest.Script(nil, reply), Desktop: desk, NoImages: true, User: people.Later()})
		return agent, nil, err
	}})
	if err != nil {
		panic(err)
	}
	worked := make(chan error, 1)
	go func() { worked <- svc.Work(ctx) }()
	if _, err := svc.Start(ctx, "wall", "paint the wall", nil); err != nil {
		panic(err)
	}
	await := func(run, kind string) durable.State {
		for e, err := range svc.Watch(ctx, run, 0) {
			if err != nil {
				panic(err)
			}
			if e.Kind == kind {
				break
			}
		}
		state, err := svc.Get(ctx, run)
		if err != nil {
			panic(err)
		}
		return state
	}
	asked := await("wall", "stop")
	blue := durable.Change{Question: asked.Waits[0].ID, Answer: people.Answer{Text: "blue"}}
	fmt.Println("fork:", svc.Fork(ctx, "wall", "blue wall", blue))
	fmt.Println(await("blue wall", "end").Answer)
	if _, err := svc.Cancel(ctx, "wall", "the wall is blue"); err != nil {
		panic(err)
	}
	await("wall", "end")
	fmt.Println("delete:", svc.Delete(ctx, "wall"))
	fmt.Println(svc.Close(ctx))
	fmt.Println(<-worked)
	// Output:
	// fork: <nil>
	// it is blue
	// delete: <nil>
	// <nil>
	// runs: the service is closed
}
