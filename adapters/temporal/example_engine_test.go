package temporal_test

import (
	"context"
	"fmt"

	"go.temporal.io/sdk/client"

	"github.com/agentfsm/agentfsm/adapters/temporal"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/runs"
)

// The server is away, and a run is started all the same: the journal has it, and Work tells the server later.
func ExampleEngine_Wake() {
	c, err := client.NewLazyClient(client.Options{HostPort: "127.0.0.1:1"}) // where nobody listens
	if err != nil {
		panic(err)
	}
	defer c.Close()
	engine, err := temporal.New(c, nil)
	if err != nil {
		panic(err)
	}
	svc, err := runs.New(store.Memory(), runs.Config{Engine: engine})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	_, err = svc.Start(ctx, "order 12", "ask", nil) // which writes a record, and then has the engine wake the run
	fmt.Println("the server knows:", err == nil)
	state, err := svc.Get(ctx, "order 12")
	fmt.Println(state.Run, "is", state.Stage, err)
	// Output:
	// the server knows: false
	// order 12 is ready <nil>
}
