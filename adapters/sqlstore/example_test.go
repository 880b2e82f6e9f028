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
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
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

// A worker begins a run that asks something and waits. Somebody answers, and the worker
// goes on with it.
func Example() {
	st, remove := exampleStore()
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
		// A second worker takes over from one that lost its lease.
		s, err := durable.Open(ctx, painter, st, l.Run, &durable.Options{TakeOver: l.Tries > 1})
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
		case errors.Is(err, store.ErrConflict):
			return sqlstore.Release, nil
		}
		return 0, err
	}
	ended := make(chan error)
	go func() { // in a process of its own, usually, and there are several
		ended <- st.Work(ctx, sqlstore.WorkOptions{Poll: 10 * time.Millisecond}, work)
	}()

	if err := st.Enqueue(ctx, "wall", []byte("paint the wall")); err != nil {
		fmt.Println(err)
		return
	}
	question := waitFor(ctx, st, "wall")
	fmt.Println("asked:", question.Text)
	if _, err := durable.Answer(ctx, st, "wall", question.ID, people.Answer{Text: "blue"}); err != nil {
		fmt.Println(err)
		return
	}
	if err := st.Wake(ctx, "wall"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(errors.Is(<-ended, context.Canceled))
	for q, err := range st.Queue(context.Background()) {
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
func waitFor(ctx context.Context, st *sqlstore.Store, run string) people.Question {
	for {
		for q, err := range st.Queue(ctx) {
			if err != nil {
				panic(err)
			}
			if q.Run != run || q.State != sqlstore.Waiting {
				continue
			}
			state, err := durable.Look(ctx, st, run)
			if err != nil {
				panic(err)
			}
			return state.Waits[0]
		}
	}
}

// A worker that was away for too long learns of it from the journal, before it acts.
func ExampleLease() {
	ctx := context.Background()
	st, remove := exampleStore()
	defer remove()
	if err := st.Enqueue(ctx, "order 12", nil); err != nil {
		fmt.Println(err)
		return
	}

	slow, err := st.Claim(ctx, "slow", 1) // for a nanosecond
	if err != nil {
		fmt.Println(err)
		return
	}
	var quick *sqlstore.Lease
	for quick == nil { // the lease has run out
		quick, err = st.Claim(ctx, "quick", 0)
		if err != nil && !errors.Is(err, sqlstore.ErrNothing) {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(st.Append(ctx, quick.Run, 0, []byte("intent: send the letter")))

	err = st.Append(ctx, slow.Run, 0, []byte("intent: send the letter"))
	fmt.Println(errors.Is(err, store.ErrConflict))
	fmt.Println(errors.Is(slow.Done(ctx), sqlstore.ErrLeaseLost))
	fmt.Println(quick.Done(ctx))
	// Output:
	// <nil>
	// true
	// true
	// <nil>
}
