package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/rules"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], console{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: isTerminal(os.Stdin)})
	stop()
	os.Exit(status)
}

// run is the program. It returns its status.
func run(ctx context.Context, args []string, c console) int {
	s, err := parse(args, c.err)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	answer, err := work(ctx, s, c)
	if err != nil {
		fmt.Fprintln(c.err, err)
		return 1
	}
	fmt.Fprintln(c.out, answer)
	return 0
}

// work runs one round of a host on the two applications.
func work(ctx context.Context, s settings, c console) (answer string, err error) {
	steps := []func(round.Step){func(step round.Step) { c.show(step.NextAgent, step.To) }}
	ended := func(round.Result) error { return nil }
	if s.jsonl != "" {
		record, problem := os.Create(s.jsonl)
		if problem != nil {
			return "", fmt.Errorf("quickstart: -jsonl: %w", problem)
		}
		defer func() { err = errors.Join(err, record.Close()) }()
		steps = append(steps, round.JSONL(record))
		ended = func(result round.Result) error { return round.JSONLResult(record, result) }
	}

	screen := office.New(office.File(s.in))
	defer func() { err = errors.Join(err, screen.Close()) }()
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model:     rules.Model(),
			Desktop:   screen,
			User:      &terminal{console: c, confirm: s.confirm},
			Policy:    askBeforeReplacing(s.out),
			MaxMemory: maxSteps, // the rules need all that was done
			NewID:     counter("question"),
		},
		Apps: []hostagent.Program{office.Excel(s.out)},
		// Nobody watches, so the model may give up without asking first.
		States: hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel}),
	})
	if err != nil {
		return "", err
	}
	r, err := round.New(host, s.request, &round.Options{
		MaxSteps: maxSteps, MaxTransitions: 2 * maxSteps,
		Observe: observe.All(steps...),
	})
	if err != nil {
		return "", err
	}
	c.show(r.Result().Agent, r.Result().Status)
	result, err := r.Run(ctx)
	problem := ended(result)
	if err != nil {
		return "", errors.Join(fmt.Errorf("%s: %s", result.Outcome, result.Reason), problem)
	}
	return result.Answer, problem
}

// maxSteps is enough to look through a document with more than a thousand tables.
const maxSteps = 200

// counter makes ids that are the same in every run.
func counter(what string) func() string {
	var n atomic.Int64
	return func() string { return fmt.Sprintf("%s_%d", what, n.Add(1)) }
}
