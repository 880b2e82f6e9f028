package drivetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/round"
)

// env tells a child the folder of the logs.
const env = "AGENTFSM_DRIVETEST"

func newWorker(dir, run string) *worker { return &worker{log: filepath.Join(dir, run+".log")} }

// Child makes a test binary the other process of [Run]: call it first. In that process it drives the runs that it reads
// from its input, and returns true at the end.
func Child(open func(context.Context) (store.Store, error)) bool {
	dir := os.Getenv(env)
	if dir == "" {
		return false
	}
	ctx := context.Background()
	st, err := open(ctx)
	if err != nil {
		say("end", err)
		return true
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		run, gated := strings.CutPrefix(in.Text(), "gated ")
		w := newWorker(dir, run)
		if gated {
			w.gate = func(_ context.Context, text string) error {
				say("calls", text)
				in.Scan() // go
				return nil
			}
		}
		say("end", ending(w.drive(ctx, st, run, false)))
	}
	return true
}

// say writes to the parent. It notices what it does not get.
func say(words ...any) { _, _ = fmt.Fprintln(os.Stdout, words...) }

// ending is an error in one word.
func ending(err error) string {
	switch {
	case err == nil:
		return "finished"
	case errors.Is(err, store.ErrDriven):
		return "driven"
	case errors.Is(err, round.ErrLost) && errors.Is(err, store.ErrConflict):
		return "conflict"
	}
	return err.Error()
}
