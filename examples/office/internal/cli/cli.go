// Package cli is the command line of the office example.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/office/internal/job"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// Run runs the program; rules play a nil model. It returns the exit status: 0 if the spreadsheet has the chart, 1 if not, 2 for wrong flags.
func Run(ctx context.Context, args []string, c person.Console, model llm.Model) int {
	cfg := job.Config{Model: model}
	var display string
	confirm := person.Ask
	var verbose bool
	flags := flag.NewFlagSet("office", flag.ContinueOnError)
	flags.StringVar(&cfg.In, "in", "", "`file` with the table: .docx or .odt")
	flags.StringVar(&cfg.Out, "out", "", "`file` for the chart: .xlsx or .ods")
	flags.StringVar(&cfg.Request, "request", rules.DefaultRequest, "what to draw")
	flags.Var(&confirm, "confirm", "whether a file may be replaced: ask, yes or no; without a terminal ask means no")
	flags.StringVar(&cfg.Pictures, "pictures", "", "`folder` for what the agents see; empty: they see no pictures")
	flags.StringVar(&display, "display", "", "a `display` that runs, such as :0; empty: one that nobody sees")
	flags.BoolVar(&verbose, "v", false, "print what came of each act")
	status, ok := person.Parse(flags, args, c, func() error {
		if cfg.In == "" || cfg.Out == "" {
			return errors.New("-in names a document, -out a spreadsheet")
		}
		return nil
	})
	if !ok {
		return status
	}
	if display != "" {
		cfg.Screen = &job.Screen{Display: display, Bus: os.Getenv("DBUS_SESSION_BUS_ADDRESS")}
	}
	cfg.User, cfg.Observe = &person.Person{Console: c, Confirm: confirm}, observer(c.Out, verbose)
	began := time.Now()
	result, err := job.Run(ctx, cfg)
	if result.Outcome != "" {
		said := result.Answer
		if err != nil {
			said = result.Reason
		}
		fmt.Fprintf(c.Out, "%s after %d steps and %.1f s: %s\n", result.Outcome, result.Steps, time.Since(began).Seconds(), said)
	}
	if v := result.Verified; v != nil {
		fmt.Fprintf(c.Out, "Verified by %s: %s: %s\n", v.By, v.Verdict, v.Evidence)
	}
	if err != nil {
		fmt.Fprintln(c.Err, err)
		return 1
	}
	fmt.Fprintf(c.Out, "%s has the chart.\n", cfg.Out)
	return 0
}

// observer prints what the agents do in each step, and with -v what came of it.
func observer(out io.Writer, verbose bool) func(round.Step) {
	return func(step round.Step) {
		for _, done := range step.Commands {
			if done.Command.Looks || done.Command.ToolName == desktop.Wait && !verbose {
				continue
			}
			fmt.Fprintf(out, "  step %d of at most %d: %s %.100s\n", step.Seq, job.MaxSteps, done.Command.ToolName, fmt.Sprint(done.Command.Parameters))
			if verbose {
				fmt.Fprintf(out, "    %s: %.160s%s\n", done.Result.Status, done.Result.Text(), done.Result.Error)
			}
		}
		for _, v := range step.Verdicts {
			if verbose && v.Reason != "" {
				fmt.Fprintf(out, "    %s: %s\n", v.Action, v.Reason)
			}
		}
		if verbose || step.Agent != step.NextAgent {
			fmt.Fprintf(out, "  %s:%s %.160s\n", step.NextAgent, step.To, step.Reason)
		}
	}
}
