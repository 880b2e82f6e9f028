package program

import (
	"context"
	"flag"
	"fmt"
	"log/slog"

	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/llm"
)

// Run runs the program and returns its exit status.
func Run(ctx context.Context, args []string, c person.Console, model llm.Model) int {
	flags := flag.NewFlagSet("embed", flag.ContinueOnError)
	logged := flags.Bool("log", false, "log each step to standard error")
	if status, ok := person.Parse(flags, args, c, nil); !ok {
		return status
	}
	var logger *slog.Logger
	if *logged {
		logger = slog.New(slog.NewTextHandler(c.Err, nil))
	}
	o := newOffice(c.Out, model, logger)
	if err := o.work(ctx, o.jobs()); err != nil {
		fmt.Fprintln(c.Err, "embed:", err)
		return 1
	}
	return 0
}
