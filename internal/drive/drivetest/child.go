package drivetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/journal"
)

// request is that of all runs.
const request = "work"

// env names the folder of the logs to a child.
const env = "AGENTFSM_DRIVETEST"

// Child is what a test binary calls first: in the process that [Run] has started it drives what
// it is told to, and returns true when it is over.
func Child(open func(context.Context) (journal.Store, error)) bool {
	dir := os.Getenv(env)
	if dir == "" {
		return false
	}
	store, err := open(context.Background())
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
		say("end", ending(drive(context.Background(), round.Open, store, w, run)))
	}
	return true
}

// say tells the process that has started this one.
func say(words ...any) { _, _ = fmt.Fprintln(os.Stdout, words...) } // it notices what it is not told

// opener is round.Open or round.TakeOver.
type opener func(context.Context, fsm.Worker, *round.Journal, *round.Options) (*round.Session, error)

// drive takes a run as far as it goes.
func drive(ctx context.Context, open opener, store journal.Store, w *world, run string) error {
	s, err := open(ctx, w.agent(), round.NewJournal(store, run), nil)
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
	case errors.Is(err, journal.ErrDriven):
		return "driven"
	case errors.Is(err, round.ErrJournal) && errors.Is(err, journal.ErrConflict):
		return "conflict"
	}
	return err.Error()
}
