package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// list prints all runs, and what they wait for.
func (p program) list(ctx context.Context, c *call) (int, error) {
	var errs []error
	for state, err := range durable.List(ctx, c.store, durable.Query{}) {
		if err != nil { // of one run; the others are told all the same
			errs = append(errs, err)
			continue
		}
		fmt.Fprintf(p.out, "%s: %s at %s:%s, record %d\n", state.Run, cmp.Or(string(state.Outcome), "not finished"), state.Agent, state.Status, state.Seq)
		for _, q := range state.Waits {
			fmt.Fprintf(p.out, "  %s  %s asks: %s\n", q.ID, q.Agent, q.Text)
		}
	}
	return done, errors.Join(errs...)
}

// answer answers a question of a run that no process has now. Whoever calls run next goes on.
func (p program) answer(ctx context.Context, c *call) (int, error) {
	given, err := durable.Answer(ctx, c.store, c.args[0], c.args[1], reply(c.args[2]))
	switch {
	case err != nil:
		return failed, err
	case !given:
		fmt.Fprintln(p.out, "it was answered before; that answer counts")
	default:
		fmt.Fprintln(p.out, "answered; run goes on")
	}
	return done, nil
}

// show prints the records of a run.
func (p program) show(ctx context.Context, c *call) (int, error) {
	shown := 0
	for record, err := range durable.Records(ctx, c.store, c.args[0]) {
		if err != nil {
			return failed, err
		}
		shown++
		text := record.String()
		if !c.whole {
			text = cut(text)
		}
		fmt.Fprintln(p.out, text)
	}
	if shown == 0 {
		return failed, fmt.Errorf("%q: %w", c.args[0], durable.ErrNoRun)
	}
	return done, nil
}

// cut shortens a line.
func cut(line string) string {
	const most = 140
	if utf8.RuneCountInString(line) <= most {
		return line
	}
	return string([]rune(line)[:most-1]) + "…"
}

// replay does a run once more with what its journal has, and says whether this program
// would still take the same way.
func (p program) replay(ctx context.Context, c *call) (int, error) {
	state, err := durable.Look(ctx, c.store, c.args[0])
	if err != nil {
		return failed, err
	}
	about, err := c.world(state.Run).job(state.Request)
	if err != nil {
		return failed, err
	}
	host, err := newHost(about, nobody{}, nobody{})
	if err != nil {
		return failed, err
	}
	steps := 0
	result, err := durable.Replay(ctx, host, c.store, state.Run, options(func(round.Step) { steps++ }))
	if err != nil {
		return failed, err
	}
	fmt.Fprintf(p.out, "the same in all %d steps: %s\n", steps, cmp.Or(string(result.Outcome), "not finished"))
	return done, nil
}

// fork begins another run with what a run has up to a question, and another answer to it.
// It has a desktop of its own, as that is now.
func (p program) fork(ctx context.Context, c *call) (int, error) {
	from, as, id := c.args[0], c.args[1], c.args[2]
	state, err := durable.Look(ctx, c.store, from)
	if err != nil {
		return failed, err
	}
	step, err := asked(ctx, c, &state, id)
	if err != nil {
		return failed, err
	}
	if _, err := durable.Look(ctx, c.store, as); !errors.Is(err, durable.ErrNoRun) {
		return failed, errors.Join(fmt.Errorf("there is a run %q already", as), err)
	}
	about, err := c.world(from).job(state.Request)
	if err != nil {
		return failed, err
	}
	if err := c.world(as).begin(about); err != nil {
		return failed, err
	}
	desk, err := os.ReadFile(c.world(from).file(deskFile))
	if err == nil {
		err = os.WriteFile(c.world(as).file(deskFile), desk, 0o600)
	}
	if err != nil {
		return failed, err
	}
	change := durable.Change{Question: id, Answer: reply(c.args[3])}
	if err := durable.Fork(ctx, c.store, from, c.store, as, change); err != nil {
		return failed, err
	}
	fmt.Fprintf(p.out, "run %q has %q up to step %d, and goes on from there with that answer\n", as, from, step-1)
	return done, nil
}

// asked returns the step in which a question was asked that is answered.
func asked(ctx context.Context, c *call, state *durable.State, id string) (int, error) {
	if slices.ContainsFunc(state.Waits, func(q people.Question) bool { return q.ID == id }) {
		return 0, fmt.Errorf("question %q waits: answer it", id)
	}
	for record, err := range durable.Records(ctx, c.store, state.Run) {
		if err != nil {
			return 0, err
		}
		if record.Kind == "ask" && record.ID == id {
			return record.Step, nil
		}
	}
	return 0, fmt.Errorf("%w: run %q, question %q", durable.ErrUnknownQuestion, state.Run, id)
}
