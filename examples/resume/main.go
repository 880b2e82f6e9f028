package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/agentfsm/agentfsm/durable/store"
)

// What the program ends with.
const (
	done      = 0
	failed    = 1
	wrongUse  = 2
	suspended = 3 // somebody has to answer, then run goes on
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := program{out: os.Stdout, problems: os.Stderr}.run(ctx, os.Args[1:])
	stop()
	os.Exit(status)
}

// program is one process of it.
type program struct {
	out, problems io.Writer
	wrap          func(store.Store) store.Store // tests look on; nil: nobody does
}

// command is a subcommand: what it is called with, and what it does.
type command struct {
	name, args string
	do         func(p program, ctx context.Context, c *call) (status int, err error)
}

func commands() []command {
	return []command{
		{"run", "", program.drive},
		{"list", "", program.list},
		{"answer", "RUN ID yes|no|TEXT", program.answer},
		{"show", "RUN", program.show},
		{"replay", "RUN", program.replay},
		{"fork", "RUN AS ID yes|no|TEXT", program.fork},
	}
}

// run is the program. It returns its status.
func (p program) run(ctx context.Context, args []string) int {
	if len(args) == 0 {
		return p.ended(done, p.story(ctx))
	}
	for _, cmd := range commands() {
		if cmd.name != args[0] {
			continue
		}
		c, err := p.parse(cmd, args[1:])
		switch {
		case errors.Is(err, flag.ErrHelp):
			return done
		case err != nil:
			return wrongUse
		}
		status := failed
		if err = c.open(p, cmd.name == "run"); err == nil {
			status, err = cmd.do(p, ctx, c)
		}
		return p.ended(status, err)
	}
	fmt.Fprintln(p.problems, "Usage, and without anything a demonstration:")
	for _, cmd := range commands() {
		fmt.Fprintf(p.problems, "  resume %s -h\n", cmd.name)
	}
	if args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		return done
	}
	fmt.Fprintf(p.problems, "resume: what is %q?\n", args[0])
	return wrongUse
}

func (p program) ended(status int, err error) int {
	var use *useError
	switch {
	case err == nil:
		return status
	case errors.As(err, &use):
		status = wrongUse
	default:
		status = failed
	}
	fmt.Fprintln(p.problems, "resume:", err)
	return status
}

// useError says that a command was called in a way that cannot be meant.
type useError struct{ text string }

func (e *useError) Error() string { return e.text }
