package fsm_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/fsm"
)

// review is a state as a type of its own. It holds no data: the same instance
// serves every agent of the kind.
type review struct{}

func (review) Name() fsm.Status { return "REVIEW" }

func (review) Handle(_ context.Context, c *counter) error {
	c.Decide(fsm.Finish, fsm.BySystem, fmt.Sprintf("reviewed: %d", c.n))
	return nil
}

func (review) NextState(c *counter) fsm.Status { return c.Decision().To }
func (review) NextAgent(c *counter) fsm.Agent  { return c }
func (review) IsRoundEnd() bool                { return false }
func (review) IsSubtaskEnd() bool              { return false }

// A kind is customised on a copy of its Manager: With adds edges, AddState adds
// or replaces a state. The original stays what it was.
func ExampleManager_With() {
	reviewed := counterStates.With(
		fsm.Edge{From: fsm.Continue, To: "REVIEW", By: fsm.BySystem},
		fsm.Edge{From: "REVIEW", To: fsm.Finish, By: fsm.BySystem},
	)
	if err := reviewed.AddState("REVIEW", review{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(reviewed.Validate())
	fmt.Println(reviewed.Statuses())
	fmt.Println(counterStates.Statuses())
	// Output:
	// <nil>
	// [CONTINUE ERROR FINISH REVIEW]
	// [CONTINUE ERROR FINISH]
}

// Validate says everything that is wrong with a table at once.
func ExampleManager_Validate() {
	states := counterStates.With(
		fsm.Edge{From: fsm.Continue, To: "REVIEW", By: fsm.ByModel},
		fsm.Edge{From: fsm.Finish, To: fsm.Continue, By: fsm.BySystem},
	)
	fmt.Println(states.Validate())
	// Output:
	// fsm: Counter: CONTINUE: an edge leads to "REVIEW", which is not registered
	// fsm: Counter: FINISH: it ends, and yet an edge leads on to CONTINUE, which does not
}

// Every edge names who may take it. With ByModel, Targets is what a model may
// write in a state.
func ExampleBound_Targets() {
	states := counterStates.With(
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel},
	)
	state := states.Bind(fsm.Continue)
	fmt.Println("model: ", state.Targets(fsm.ByModel))
	fmt.Println("system:", state.Targets(fsm.BySystem))
	// Output:
	// model:  [FINISH]
	// system: [CONTINUE FINISH]
}

// The diagram is the same text for the same table, fit for a document under
// version control.
func ExampleManager_Mermaid() {
	fmt.Print(counterStates.Mermaid())
	// Output:
	// stateDiagram-v2
	//     state "CONTINUE" as CONTINUE
	//     state "ERROR" as ERROR
	//     state "FINISH" as FINISH
	//     [*] --> CONTINUE: system
	//     CONTINUE --> CONTINUE: system
	//     CONTINUE --> FINISH: system
	//     ERROR --> [*]
	//     FINISH --> [*]
	//     note left of ERROR: a fault in any state that does not end leads here
}

// Position is the part of an agent that every kind has alike.
func ExamplePosition() {
	var p fsm.Position
	p.Decide(fsm.Finish, fsm.ByModel, "all cells are written")
	fmt.Printf("%q %v\n", p.Status(), p.Decision())

	p.SetStatus(fsm.Finish) // what the Round does when the table permits it
	fmt.Printf("%q %v\n", p.Status(), p.Decision())
	// Output:
	// "" {FINISH model all cells are written}
	// "FINISH" { none all cells are written}
}
