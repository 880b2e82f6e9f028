package durable_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// painter makes the agent of one process.
func painter(reply string) *appagent.Agent {
	a, err := appagent.New(appagent.Config{
		Model:   llmtest.Script(nil, reply),
		Desktop: desktoptest.New(nil, &desktoptest.App{Root: "paint", Process: "wall", Running: true}),
		Window:  desktop.Window{ID: "1", Root: "paint", Process: "wall"},
		User:    people.Later(),
	})
	if err != nil {
		panic(err)
	}
	return a
}

// A run asks, its process ends, a week later somebody answers, and another process
// goes on.
func Example() {
	ctx, st := context.Background(), store.Memory() // Files, or one in a database

	s, err := durable.Open(context.Background(), painter(`{"Status":"PENDING","Questions":["Which colour?"]}`), st, "wall", nil)
	if err != nil {
		panic(err)
	}
	_, err = s.Run(ctx, "paint the wall")
	fmt.Println("suspended:", errors.Is(err, round.ErrSuspended))

	for state, err := range durable.List(ctx, st, durable.Query{}) {
		if err != nil {
			panic(err)
		}
		for _, q := range state.Waits {
			fmt.Println(state.Run, "asks:", q.Text)
			if _, err := durable.Answer(ctx, st, state.Run, q.ID, people.Answer{Text: "blue"}); err != nil {
				panic(err)
			}
		}
	}

	s, err = durable.Open(ctx, painter(`{"Status":"FINISH","Result":"it is blue"}`), st, "wall", &durable.Options{Existing: true})
	if err != nil {
		panic(err)
	}
	res, err := s.Round().Run(ctx)
	fmt.Println(res.Answer, err)
	// Output:
	// suspended: true
	// wall asks: Which colour?
	// it is blue <nil>
}
