package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/internal/progress"
	"github.com/agentfsm/agentfsm/examples/office/internal/job"
	"github.com/agentfsm/agentfsm/examples/office/stage"
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
	said, err := work(ctx, s, c)
	if err == nil {
		return 0
	}
	if said == "" || !strings.HasSuffix(err.Error(), said) { // more than was said
		fmt.Fprintln(c.Err, err)
	}
	return 1
}

// work does the job and says what came of it. It returns what it has said about an error.
func work(ctx context.Context, s settings, c person.Console) (said string, _ error) {
	watch := progress.New(c.Err, &progress.Options{MaxSteps: job.MaxSteps})
	cfg := job.Config{
		In: s.in, Out: s.out, Request: s.request, Model: s.model, Pictures: s.pictures, Journal: s.journal, Dir: s.dir,
		User: &person.Person{Console: c, Confirm: s.confirm}, Observe: observer(c, s.verbose),
	}
	if s.display != "" {
		cfg.Screen = &stage.Screen{Display: s.display, Bus: s.bus}
	}
	report, err := job.Run(ctx, cfg)
	if report.Outcome == "" { // nothing began
		return "", err
	}
	short := report.Result
	short.Reason = "" // it is said below
	err = errors.Join(err, watch.Done(short))
	said = report.Answer
	if err != nil {
		said = report.Reason
	}
	fmt.Fprintf(c.Out, "%s after %d steps and %.1f s: %s\n", report.Outcome, report.Steps, report.Took.Seconds(), said)
	if v := report.Verified; v != nil {
		fmt.Fprintf(c.Out, "Verified by %s: %s: %s\n", v.By, v.Verdict, v.Evidence)
	}
	if err == nil {
		fmt.Fprintf(c.Out, "%s has the chart.\n", s.out)
	}
	fmt.Fprintf(c.Out, "It took %v.\n", report.Costs)
	return said, err
}

// observer shows what the agents do and how far they are, or, with -v, also what came of each act.
func observer(c person.Console, verbose bool) func(round.Step) {
	if !verbose {
		return func(step round.Step) {
			if text := doing(step); text != "" {
				fmt.Fprintf(c.Err, "  step %d of at most %d: %s\n", step.Seq, job.MaxSteps, text)
			}
		}
	}
	return func(step round.Step) {
		for _, done := range step.Commands {
			if done.Command.Looks {
				continue
			}
			what := done.Result.Text()
			if done.Result.Error != "" {
				what = done.Result.Error
			}
			fmt.Fprintf(c.Out, "    %s %s: %s %s\n", done.Command.ToolName, brief(fmt.Sprint(done.Command.Parameters)), done.Result.Status, brief(what))
		}
		for _, v := range step.Verdicts {
			if v.Reason != "" {
				fmt.Fprintf(c.Out, "    %s: %s\n", v.Action, v.Reason)
			}
		}
		fmt.Fprintf(c.Out, "  %s:%s %s\n", step.NextAgent, step.To, brief(step.Reason))
	}
}

// brief is a text on one line.
func brief(text string) string {
	if runes := []rune(text); len(runes) > 160 {
		return string(runes[:160]) + "…"
	}
	return text
}
