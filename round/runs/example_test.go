package runs_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/journal"
	"github.com/agentfsm/agentfsm/round/runs"
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
	ctx, store := context.Background(), journal.Memory() // Files, or one in a database

	s, err := round.NewSession(painter(`{"Status":"PENDING","Questions":["Which colour?"]}`), &round.Options{Journal: round.NewJournal(store, "wall")})
	if err != nil {
		panic(err)
	}
	_, err = s.Run(ctx, "paint the wall")
	fmt.Println("suspended:", errors.Is(err, round.ErrSuspended))

	for state, err := range runs.All(ctx, store) {
		if err != nil {
			panic(err)
		}
		for _, q := range state.Questions {
			fmt.Println(state.Run, "asks:", q.Text)
			if _, err := runs.Answer(ctx, store, state.Run, q.ID, people.Answer{Text: "blue"}); err != nil {
				panic(err)
			}
		}
	}

	s, err = round.Resume(ctx, painter(`{"Status":"FINISH","Result":"it is blue"}`), round.NewJournal(store, "wall"), nil)
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
