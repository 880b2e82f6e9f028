package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/round/journal"
)

// A run that waits for an answer, and goes on when it was given.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	dir, err := os.MkdirTemp("", "sqlstore")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := sqlstore.OpenSQLite(ctx, filepath.Join(dir, "runs.db"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()

	if err := store.Enqueue(ctx, "order 12", []byte("make a chart")); err != nil {
		fmt.Println(err)
		return
	}
	// A worker: usually another process, and more than one.
	err = store.Work(ctx, sqlstore.WorkOptions{Worker: "desk 1"}, func(ctx context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
		last := int64(0)
		for entry, err := range store.Read(ctx, l.Run, 1) {
			if err != nil {
				return 0, err
			}
			last = entry.Seq
			fmt.Printf("recorded: %s\n", entry.Data)
		}
		if last == 0 {
			fmt.Printf("%s: %s\n", l.Run, l.Payload)
			if err := store.Append(ctx, l.Run, 0, []byte("asked: overwrite the file?")); err != nil {
				return 0, err
			}
			// Somebody answers at once, before we wait: it is not lost.
			if err := store.Append(ctx, l.Run, 1, []byte("answered: yes")); err != nil {
				return 0, err
			}
			return sqlstore.Wait, store.Wake(ctx, l.Run)
		}
		stop() // enough for an example
		return sqlstore.Done, nil
	})
	fmt.Println(errors.Is(err, context.Canceled))
	for q, err := range store.Queue(context.Background()) {
		fmt.Println(q.Run, q.State, err)
	}
	// Output:
	// order 12: make a chart
	// recorded: asked: overwrite the file?
	// recorded: answered: yes
	// true
	// order 12 ended <nil>
}

// A worker that was away for too long learns of it from the journal, before it acts.
func ExampleLease() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "sqlstore")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := sqlstore.OpenSQLite(ctx, filepath.Join(dir, "runs.db"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
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
