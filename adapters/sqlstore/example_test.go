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
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/journal"
	"github.com/agentfsm/agentfsm/round/runs"
)

// exampleStore is a database for an example.
func exampleStore() (store *sqlstore.Store, remove func()) {
	dir, err := os.MkdirTemp("", "sqlstore")
	if err != nil {
		panic(err)
	}
	store, err = sqlstore.OpenSQLite(context.Background(), filepath.Join(dir, "runs.db"), nil)
	if err != nil {
		panic(err)
	}
	return store, func() { _ = errors.Join(store.Close(), os.RemoveAll(dir)) }
}

// A worker begins a run that asks something and waits. Somebody answers, and the worker
// goes on with it.
func Example() {
	store, remove := exampleStore()
	defer remove()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()

	model := llmtest.Script(nil, // a real one, usually
		`{"Status":"PENDING","Questions":["Which colour?"]}`,
		`{"Status":"FINISH","Result":"it is blue"}`,
	)
	work := func(ctx context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
		painter, err := appagent.New(appagent.Config{
			Model:   model,
			Desktop: desktoptest.New(nil, &desktoptest.App{Root: "paint", Running: true}),
			Window:  desktop.Window{ID: "1", Root: "paint"},
			User:    people.Later(),
		})
		if err != nil {
			return 0, err
		}
		open := round.Open
		if l.Tries > 1 {
			open = round.TakeOver // from a worker that lost its lease
		}
		s, err := open(ctx, painter, round.NewJournal(store, l.Run), nil)
		if err != nil {
			return 0, err
		}
		result, err := s.Continue(ctx, string(l.Payload))
		fmt.Printf("%s is %s %q\n", l.Run, result.Outcome, result.Answer)
		switch {
		case result.Outcome.Ended():
			defer stop() // enough for an example
			return sqlstore.Done, nil
		case errors.Is(err, round.ErrSuspended) && len(result.Waits) > 0:
			return sqlstore.Wait, nil
		case errors.Is(err, journal.ErrConflict):
			return sqlstore.Release, nil
		}
		return 0, err
	}
	ended := make(chan error)
	go func() { // in a process of its own, usually, and there are several
		ended <- store.Work(ctx, sqlstore.WorkOptions{Poll: 10 * time.Millisecond}, work)
	}()

	if err := store.Enqueue(ctx, "wall", []byte("paint the wall")); err != nil {
		fmt.Println(err)
		return
	}
	question := waitFor(ctx, store, "wall")
	fmt.Println("asked:", question.Text)
	if _, err := runs.Answer(ctx, store, "wall", question.ID, people.Answer{Text: "blue"}); err != nil {
		fmt.Println(err)
		return
	}
	if err := store.Wake(ctx, "wall"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(errors.Is(<-ended, context.Canceled))
	for q, err := range store.Queue(context.Background()) {
		fmt.Println(q.Run, q.State, err)
	}
	// Output:
	// wall is SUSPENDED ""
	// asked: Which colour?
	// wall is FINISH "it is blue"
	// true
	// wall ended <nil>
}

// waitFor looks at the queue until a run waits, and returns what it asks: a page that
// somebody reloads.
func waitFor(ctx context.Context, store *sqlstore.Store, run string) people.Question {
	for {
		for q, err := range store.Queue(ctx) {
			if err != nil {
				panic(err)
			}
			if q.Run != run || q.State != sqlstore.Waiting {
				continue
			}
			state, err := runs.Look(ctx, store, run)
			if err != nil {
				panic(err)
			}
			return state.Questions[0]
		}
	}
}

// A worker that was away for too long learns of it from the journal, before it acts.
func ExampleLease() {
	ctx := context.Background()
	store, remove := exampleStore()
	defer remove()
	if err := store.Enqueue(ctx, "order 12", nil); err != nil {
		fmt.Println(err)
		return
	}

	slow, err := store.Claim(ctx, "slow", 1) // for a nanosecond
	if err != nil {
		fmt.Println(err)
		return
	}
	var quick *sqlstore.Lease
	for quick == nil { // the lease has run out
		quick, err = store.Claim(ctx, "quick", 0)
		if err != nil && !errors.Is(err, sqlstore.ErrNothing) {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(store.Append(ctx, quick.Run, 0, []byte("intent: send the letter")))

	err = store.Append(ctx, slow.Run, 0, []byte("intent: send the letter"))
	fmt.Println(errors.Is(err, journal.ErrConflict))
	fmt.Println(errors.Is(slow.Done(ctx), sqlstore.ErrLeaseLost))
	fmt.Println(quick.Done(ctx))
	// Output:
	// <nil>
	// true
	// true
	// <nil>
}
