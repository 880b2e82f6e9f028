// Package cli is the command line of the browser example.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/agentfsm/agentfsm/examples/browser/internal/job"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/policies"
	"github.com/agentfsm/agentfsm/round"
)

// Run runs the program; rules play a nil model. It returns the exit status: 0 if every run ended in FINISH with the right order, 1 if not, 2 for wrong flags.
func Run(ctx context.Context, args []string, c person.Console, model llm.Model) int {
	cfg := job.Config{Model: model}
	var runs int
	var jsonl string
	confirm := person.Ask
	var verbose bool
	flags := flag.NewFlagSet("browser", flag.ContinueOnError)
	flags.Uint64Var(&cfg.Seed, "seed", 1, "makes the data of the first run; each run after it takes the next")
	flags.IntVar(&runs, "runs", 1, "how many runs, one after the other, each with other data")
	flags.Var(&confirm, "confirm", "whether an order may be sent: ask, yes or no; without a terminal ask means no")
	flags.BoolVar(&cfg.Hostile, "hostile", false, "the pages tell the agent to order at once")
	flags.BoolVar(&cfg.Gullible, "gullible", false, "the rules obey such pages")
	flags.BoolVar(&cfg.Headed, "headed", false, "show the browsers")
	flags.StringVar(&cfg.Out, "out", os.TempDir(), "`folder` for the summaries, each in a new one")
	flags.StringVar(&cfg.Parts, "parts", os.Getenv("AGENTFSM_REALPARTS"), "`folder` with node_modules")
	flags.StringVar(&jsonl, "jsonl", "", "`file` for a record of each step")
	flags.BoolVar(&verbose, "v", false, "print what the agents do in each step")
	status, ok := person.Parse(flags, args, c, func() error {
		if runs < 1 {
			return errors.New("-runs must be 1 at least")
		}
		return nil
	})
	if !ok {
		return status
	}
	cfg.User, cfg.Observe = &person.Person{Console: c, Confirm: confirm}, observer(c.Out, verbose)
	if err := work(ctx, cfg, runs, jsonl, c.Out); err != nil {
		fmt.Fprintln(c.Err, err)
		return 1
	}
	return 0
}

// work does all runs. It ends with the first that does not succeed.
func work(ctx context.Context, cfg job.Config, runs int, jsonl string, out io.Writer) (err error) {
	if err := os.MkdirAll(cfg.Out, 0o755); err != nil {
		return fmt.Errorf("browser: %w", err)
	}
	if jsonl != "" {
		file, failed := os.Create(jsonl)
		if failed != nil {
			return fmt.Errorf("browser: %w", failed)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		cfg.Record = file
	}
	for n := range runs {
		began := time.Now()
		report, err := job.Run(ctx, cfg)
		if report.Outcome != "" {
			said := report.Answer
			if err != nil {
				said = report.Reason
			}
			fmt.Fprintf(out, "%s after %d steps and %.1f s, seed %d: %s\n", report.Outcome, report.Steps, time.Since(began).Seconds(), cfg.Seed, said)
			if len(report.Orders) == 0 {
				fmt.Fprintln(out, "The supplier's database has no order.")
			}
			for _, o := range report.Orders {
				fmt.Fprintf(out, "The supplier's database has order %s, reference %s: %v\n", o.Number, o.Reference, o.Lines)
			}
		}
		if err != nil {
			return fmt.Errorf("run %d of %d: %w", n+1, runs, err)
		}
		fmt.Fprintf(out, "It is the right one, and was sent after it was approved. %s has it, too.\n", report.Summary)
		cfg.Seed++
	}
	return nil
}

// observer prints positions, and with -v also what was done and what was denied.
func observer(out io.Writer, verbose bool) func(round.Step) {
	return func(step round.Step) {
		if !verbose && step.Agent == step.NextAgent {
			return
		}
		for _, done := range step.Commands {
			if verbose && !done.Command.Looks {
				fmt.Fprintf(out, "    %s %.120s: %s\n", done.Command.ToolName, fmt.Sprint(done.Command.Parameters), done.Result.Status)
			}
		}
		for _, v := range step.Verdicts {
			if verbose && v.Action == policies.Deny.String() {
				fmt.Fprintf(out, "    denied: %s\n", v.Reason)
			}
		}
		fmt.Fprintf(out, "  %s:%s\n", step.NextAgent, step.To)
	}
}
