package drivetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/round"
)

// request is that of all runs.
const request = "work"

// env names the folder of the logs to a child.
const env = "AGENTFSM_DRIVETEST"

// Child is what a test binary calls first: in the process that [Run] has started it drives what
// it is told to, and returns true when it is over.
func Child(open func(context.Context) (store.Store, error)) bool {
	dir := os.Getenv(env)
	if dir == "" {
		return false
	}
	st, err := open(context.Background())
	if err != nil {
		say("end", err)
		return true
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		run, gated := strings.CutPrefix(in.Text(), "gated ")
		w := newWorld(dir, run)
		if gated {
			w.gate = func(_ context.Context, call string) error {
				say("calls", call)
				in.Scan() // go
				return nil
			}
		}
		say("end", ending(drive(context.Background(), opens, st, w, run)))
	}
	return true
}

// say tells the process that has started this one.
func say(words ...any) { _, _ = fmt.Fprintln(os.Stdout, words...) } // it notices what it is not told

// opens and takesOver are the two ways to open a run.
var (
	opens     *durable.Options
	takesOver = &durable.Options{TakeOver: true}
)

// drive takes a run as far as it goes.
func drive(ctx context.Context, how *durable.Options, st store.Store, w *world, run string) error {
	s, err := durable.Open(ctx, w.agent(), st, run, how)
	if err != nil {
		return err
	}
	_, err = s.Continue(ctx, request)
	return err
}

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
