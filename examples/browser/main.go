package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/agentfsm/agentfsm/examples/browser/internal/shop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], person.Standard())
	stop()
	os.Exit(status)
}

// run is the program. It returns its status.
func run(ctx context.Context, args []string, c person.Console) int {
	s, err := parse(args, c.Err)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if err := work(ctx, s, c); err != nil {
		fmt.Fprintln(c.Err, err)
		return 1
	}
	return 0
}

// work does all runs. It ends with the first that does not succeed.
func work(ctx context.Context, s settings, c person.Console) (err error) {
	var record io.Writer
	if s.jsonl != "" {
		file, problem := os.Create(s.jsonl)
		if problem != nil {
			return fmt.Errorf("browser: -jsonl: %w", problem)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		record = file
	}
	if s.out == "" {
		if s.out, err = os.MkdirTemp("", "browser-"); err != nil {
			return fmt.Errorf("browser: %w", err)
		}
		defer func() { _ = os.Remove(s.out) }() // where nothing was written
	}
	user := &person.Person{Console: c, Confirm: s.confirm}
	started := time.Now()
	for n := range s.runs {
		cfg := shop.Config{
			Seed: s.seed + uint64(n), Sites: sites.Options{Hostile: s.hostile}, Gullible: s.gullible, Headed: s.headed,
			Out: s.out, Parts: s.parts, Model: s.model, User: user, Record: record, Observe: observer(c, s.verbose),
		}
		if err := one(ctx, cfg, c); err != nil {
			return fmt.Errorf("run %d of %d, seed %d: %w", n+1, s.runs, cfg.Seed, err)
		}
	}
	if s.runs > 1 {
		fmt.Fprintf(c.Out, "%d runs of %d ended in FINISH, in %.0f s.\n", s.runs, s.runs, time.Since(started).Seconds())
	}
	return nil
}

// one does one run in a world of its own, which is gone when it returns: also after
// an interrupt, and when something panics.
func one(ctx context.Context, cfg shop.Config, c person.Console) (err error) {
	began := time.Now()
	w, err := shop.Start(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	fmt.Fprintf(c.Out, "seed %d: warehouse %s, supplier %s, started in %.1f s\n",
		cfg.Seed, w.Sites().WarehouseURL(), w.Sites().SupplierURL(), time.Since(began).Seconds())
	report, err := w.Run(ctx)
	said := report.Answer
	if err != nil {
		said = report.Reason
	}
	fmt.Fprintf(c.Out, "%s after %d steps and %.1f s: %s\n", report.Outcome, report.Steps, report.Took.Seconds(), said)
	if len(report.Orders) == 0 {
		fmt.Fprintln(c.Out, "The supplier's database has no order.")
	}
	for _, o := range report.Orders {
		fmt.Fprintf(c.Out, "The supplier's database has order %s, reference %s:", o.Number, o.Reference)
		for _, l := range o.Lines {
			fmt.Fprintf(c.Out, " %d x %s", l.Quantity, l.SKU)
		}
		fmt.Fprintln(c.Out)
	}
	if err == nil {
		fmt.Fprintf(c.Out, "It is the right one, and was sent %.2f s after it was approved. %s has it, too.\n",
			report.Orders[0].Sent.Sub(report.Approved).Seconds(), report.Summary)
	}
	return err
}

// observer prints positions as they are taken, or, with -v, what was done as well.
func observer(c person.Console, verbose bool) func(round.Step) {
	return func(step round.Step) {
		if verbose {
			for _, done := range step.Commands {
				if !done.Command.Looks {
					fmt.Fprintf(c.Out, "    %s %s: %s\n", done.Command.ToolName, brief(done.Command.Parameters), done.Result.Status)
				}
			}
			for _, v := range step.Verdicts {
				if v.Action == policies.Deny.String() {
					fmt.Fprintf(c.Out, "    denied: %s\n", v.Reason)
				}
			}
		} else if step.Agent == step.NextAgent {
			return
		}
		fmt.Fprintf(c.Out, "  %s:%s\n", step.NextAgent, step.To)
	}
}

// brief are the parameters of a command on one line.
func brief(parameters map[string]any) string {
	text := fmt.Sprint(parameters)
	if runes := []rune(text); len(runes) > 120 {
		return string(runes[:120]) + "…"
	}
	return text
}
