package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/round"
)

// drive begins a run, or goes on with it where the last process left it. Which of the two
// is not for the caller to know: the journal says it.
func (p program) drive(ctx context.Context, c *call) (status int, err error) {
	state, err := durable.Look(ctx, c.store, c.run)
	begins := errors.Is(err, durable.ErrNoRun)
	if err != nil && !begins {
		return failed, err
	}
	w := c.world(c.run)
	var about job
	if begins {
		about, err = c.wanted.filled()
		if err == nil {
			err = w.begin(about)
		}
	} else {
		about, err = w.job(state.Request)
		if err == nil {
			err = about.agrees(c.wanted)
		}
	}
	if err != nil {
		return failed, err
	}
	screen, err := w.desktop(ctx, about, p.holding(c.hold))
	if err != nil {
		return failed, err
	}
	defer func() { err = errors.Join(err, screen.Close()) }()
	host, err := newHost(about, w.model(), screen)
	if err != nil {
		return failed, err
	}

	s, err := durable.Open(ctx, host, c.store, c.run, &durable.Options{Round: options(p.step)})
	if err != nil {
		return failed, err
	}
	if r := s.Round(); r != nil && !r.Result().Outcome.Ended() {
		fmt.Fprintf(p.out, "run %q goes on behind record %d\n", c.run, state.Seq)
	}
	result, err := s.Continue(ctx, about.Request)
	return p.stopped(result, err)
}

// stopped says how a run ended, or why it does not go on now.
func (p program) stopped(result round.Result, err error) (int, error) {
	switch {
	case err == nil:
		fmt.Fprintf(p.out, "%s: %s\n", result.Outcome, result.Answer)
		return done, nil
	case errors.Is(err, round.ErrSuspended):
		fmt.Fprintf(p.out, "%s at %s:%s until %s\n", result.Outcome, result.Agent, result.Status, count(len(result.Waits), "answer is", "answers are")+" given")
		return suspended, nil
	case errors.Is(err, round.ErrLost): // another process has the run, or the disk is full
		return failed, err
	}
	return failed, fmt.Errorf("%s: %s", result.Outcome, result.Reason)
}

func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// step prints what was executed in a step, or what became of it when the process before
// had begun it.
func (p program) step(s round.Step) {
	var list []string
	for _, c := range s.Commands {
		text := c.Command.ToolName
		if c.Result.Status != desktop.Success {
			text += ": " + string(c.Result.Status) + ": " + c.Result.Error + c.Err
		}
		if !c.Command.Looks {
			list = append(list, text)
		}
	}
	if len(list) > 0 {
		fmt.Fprintf(p.out, "  %s: %s\n", s.Agent, strings.Join(list, ", "))
	}
}

// holding stands still behind a tool of that name, until it is killed or the time for
// the command is over.
func (p program) holding(tool string) func(context.Context, string) {
	return func(ctx context.Context, executed string) {
		if executed == tool {
			fmt.Fprintf(p.out, "%s is executed, and the process stands still\n", tool)
			<-ctx.Done()
		}
	}
}
