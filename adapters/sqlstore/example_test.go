package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// exampleStore is a database for an example.
func exampleStore() (st *sqlstore.Store, remove func()) {
	dir, err := os.MkdirTemp("", "sqlstore")
	if err != nil {
		panic(err)
	}
	st, err = sqlstore.OpenSQLite(context.Background(), filepath.Join(dir, "runs.db"), nil)
	if err != nil {
		panic(err)
	}
	return st, func() { _ = errors.Join(st.Close(), os.RemoveAll(dir)) }
}

// A service drives a run that asks something. A page lists what waits, and somebody answers.
func Example() {
	st, remove := exampleStore()
	defer remove()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()

	model := llmtest.Script(nil, // a real one, usually
		`{"Status":"PENDING","Questions":["Which colour?"]}`,
		`{"Status":"FINISH","Result":"it is blue"}`,
	)
	service, err := runs.New(st, runs.Config{
		Agent: func(context.Context, durable.State) (fsm.Worker, func(), error) {
			agent, err := appagent.New(appagent.Config{
				Model:   model,
				Desktop: desktoptest.New(nil, &desktoptest.App{Root: "paint", Running: true}),
				Window:  desktop.Window{ID: "1", Root: "paint"},
				User:    people.Later(),
			})
			return agent, nil, err
		},
		Poll: 10 * time.Millisecond,
	})
	if err != nil {
		panic(err)
	}
	ended := make(chan error)
	go func() { ended <- service.Work(ctx) }() // in a process of its own, usually, and there are several

	if _, err := service.Start(ctx, "wall", "paint the wall", nil); err != nil {
		panic(err)
	}
	for asked := false; !asked; { // a page that somebody reloads
		for state, err := range service.List(ctx, durable.Query{Asks: true}) {
			if err != nil {
				panic(err)
			}
			asked = true
			fmt.Println(state.Run, "asks:", state.Waits[0].Text)
			given, err := service.Answer(ctx, state.Run, state.Waits[0].ID, people.Answer{Text: "blue"})
			fmt.Println("given:", given, err)
		}
	}
	for _, err := range service.Watch(ctx, "wall", 0) { // until it ends
		if err != nil {
			panic(err)
		}
	}
	state, err := service.Get(ctx, "wall")
	fmt.Println(state.Stage, state.Answer, err)
	stop()
	fmt.Println(<-ended)
	// Output:
	// wall asks: Which colour?
	// given: true <nil>
	// ended it is blue <nil>
	// context canceled
}
