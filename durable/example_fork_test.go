package durable_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
)

// A run goes another way in a copy: from a reply of the model that is replaced, and from an
// answer that is replaced. Records has the numbers that Change.Seq takes.
func ExampleFork() {
	ctx, st := context.Background(), store.Memory()
	finish := `{"Status":"FINISH","Result":"it is white"}`
	s, err := durable.Open(ctx, painter(finish), st, "wall", nil)
	if err != nil {
		panic(err)
	}
	if _, err := s.Run(ctx, "paint the wall"); err != nil {
		panic(err)
	}

	var call int64 // the first record of kind call: the first reply of the model
	for record, err := range durable.Records(ctx, st, "wall") {
		if err != nil {
			panic(err)
		}
		if record.Kind == "call" && call == 0 {
			call = record.Seq
		}
	}
	asks := `{"Status":"PENDING","Questions":["Which colour?"]}`
	if err := durable.Fork(ctx, st, "wall", st, "asked", durable.Change{Seq: call, Reply: asks}); err != nil {
		panic(err)
	}
	goOn := func(run, reply string) {
		s, err := durable.Open(ctx, painter(reply), st, run, &durable.Options{Existing: true})
		if err != nil {
			panic(err)
		}
		res, _ := s.Round().Run(ctx)
		fmt.Printf("%s: %s %q\n", run, res.Outcome, res.Answer)
	}
	goOn("asked", "")

	state, err := durable.Look(ctx, st, "asked")
	if err != nil {
		panic(err)
	}
	blue := durable.Change{Question: state.Waits[0].ID, Answer: people.Answer{Text: "blue"}}
	if err := durable.Fork(ctx, st, "asked", st, "blue", blue); err != nil {
		panic(err)
	}
	goOn("blue", `{"Status":"FINISH","Result":"it is blue"}`)
	// Output:
	// asked: SUSPENDED ""
	// blue: FINISH "it is blue"
}
