package durable_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
)

// move moves a run to another store. Nobody works on it meanwhile: stop all processes that have the first store.
func move(ctx context.Context, run string, from, to store.Store) error {
	var journal [][]byte
	for entry, err := range from.Read(ctx, run, 1) {
		if err != nil {
			return err
		}
		journal = append(journal, entry.Data)
	}
	if err := to.Append(ctx, run, 0, journal...); err != nil { // all of it, or nothing
		return err
	}
	return from.Delete(ctx, run)
}

// A run that waits for an answer is moved from the store of one process to one that several have, and goes on there.
func Example_move() {
	ctx := context.Background()
	from, to := store.Memory(), store.Memory() // Files, and one in a database
	s, err := durable.Open(ctx, painter(`{"Status":"PENDING","Questions":["Which colour?"]}`), from, "wall", nil)
	if err != nil {
		panic(err)
	}
	_, err = s.Run(ctx, "paint the wall")
	fmt.Println(err)
	if err := s.Close(ctx); err != nil {
		panic(err)
	}

	if err := move(ctx, "wall", from, to); err != nil {
		panic(err)
	}
	for state, err := range durable.List(ctx, to, durable.Query{}) {
		if err != nil {
			panic(err)
		}
		fmt.Println(state.Run, "asks:", state.Waits[0].Text)
		_, err = durable.Answer(ctx, to, state.Run, state.Waits[0].ID, people.Answer{Text: "blue"})
		fmt.Println(err)
	}
	s, err = durable.Open(ctx, painter(`{"Status":"FINISH","Result":"it is blue"}`), to, "wall", &durable.Options{Existing: true})
	if err != nil {
		panic(err)
	}
	res, err := s.Round().Run(ctx)
	fmt.Println(res.Outcome, res.Answer, err)
	// Output:
	// round: suspended: AppAgent/paint/wall:PENDING: waiting for an answer to: Which colour?
	// wall asks: Which colour?
	// <nil>
	// FINISH it is blue <nil>
}
