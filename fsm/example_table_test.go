package fsm_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/fsm"
)

// counter is an agent that counts to three. All that a run knows is in it.
type counter struct {
	fsm.Position
	n int
}

func (c *counter) Name() string    { return "counter" }
func (c *counter) States() fsm.Set { return counterStates }

func (c *counter) count(context.Context) error {
	c.n++
	if c.n < 3 {
		c.Decide(fsm.Continue, fsm.BySystem, "not there yet")
	} else {
		c.Decide(fsm.Finish, fsm.BySystem, "counted to three")
	}
	return nil
}

// counterStates is the kind: three states, and the steps between them.
var counterStates = fsm.Table("Counter",
	[]fsm.Row[*counter]{
		{Status: fsm.Continue, Handle: (*counter).count},
		{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Error, RoundEnd: true, SubtaskEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
)

// drive is a loop in its simplest form. Package round has the real one.
func drive(ctx context.Context, agent fsm.Agent) error {
	if agent.Status() == "" {
		start, _ := fsm.Start(agent.States())
		agent.SetStatus(start)
	}
	for {
		fmt.Println(agent.Status())
		state := agent.States().Bind(agent.Status())
		if state.Terminal() {
			return nil
		}
		if err := state.Handle(ctx, agent); err != nil {
			return err
		}
		to, _, _, err := state.Next(agent)
		if err != nil {
			return err
		}
		if !state.Permits(to, "", 0) {
			return state.Refuse(agent, to, agent)
		}
		agent.SetStatus(to)
	}
}

// A kind of agent is a table. Its agents are driven through the erased side of
// it, which knows nothing of their type.
func ExampleTable() {
	agent := &counter{}
	if err := drive(context.Background(), agent); err != nil {
		fmt.Println(err)
	}
	fmt.Println(agent.Decision().Reason)
	// Output:
	// CONTINUE
	// CONTINUE
	// CONTINUE
	// FINISH
	// counted to three
}

// What a model writes is cleaned up first and looked up then. An unknown name
// ends nothing: its state reports what is known.
func ExampleParseStatus() {
	status := fsm.ParseStatus(" done\n")
	state := counterStates.Bind(status)
	fmt.Println(status, state.Err() == nil, state.Terminal())
	fmt.Println(state.Handle(context.Background(), &counter{}))
	// Output:
	// DONE false false
	// fsm: Counter has no state "DONE", only CONTINUE, ERROR, FINISH
}
