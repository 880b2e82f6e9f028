package temporal_test

import (
	"context"
	"fmt"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"github.com/agentfsm/agentfsm/adapters/temporal"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// A service that Temporal drives. Its questions are answered by the service, or by an update of the workflow.
func Example() {
	ctx := context.Background()
	worker.SetStickyWorkflowCacheSize(100) // before the first worker of the process
	c, err := client.Dial(client.Options{})
	if err != nil {
		panic(err)
	}
	defer c.Close()
	var svc *runs.Service
	engine, err := temporal.New(c, &temporal.Options{
		Answer: func(ctx context.Context, run, question string, answer people.Answer) (bool, error) {
			return svc.Answer(ctx, run, question, answer) // which is there before Work is
		},
	})
	if err != nil {
		panic(err)
	}
	svc, err = runs.New(store.Memory(), runs.Config{ // one that all processes have, usually
		Engine: engine,
		Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
			return newClerk(""), nil, nil // your agent
		},
	})
	if err != nil {
		panic(err)
	}
	go func() { _ = svc.Work(ctx) }() // until Close
	if _, err := svc.Start(ctx, "order 12", "ask", nil); err != nil {
		panic(err)
	}

	// Elsewhere, in a program that has nothing but a client:
	h, err := c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID:   temporal.WorkflowID("order 12"),
		UpdateName:   temporal.Update,
		Args:         []any{"4f1c", people.Answer{Text: "7"}}, // the id of the question, and the answer
		WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		panic(err)
	}
	var given bool // false: another answer came first
	err = h.Get(ctx, &given)
	fmt.Println(given, err)
}
