package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is the program. It returns its status.
func run(ctx context.Context, args []string, out, problems io.Writer) int {
	flags := flag.NewFlagSet("embed", flag.ContinueOnError)
	flags.SetOutput(problems)
	logged := flags.Bool("log", false, "log each step to standard error")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	var logger *slog.Logger
	if *logged {
		logger = slog.New(slog.NewTextHandler(problems, nil))
	}
	o := newOffice(out, logger)
	if err := o.work(ctx, o.jobs()); err != nil {
		fmt.Fprintln(problems, "embed:", err)
		return 1
	}
	return 0
}
