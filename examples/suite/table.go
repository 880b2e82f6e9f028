package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
	"github.com/agentfsm/agentfsm/round"
)

// choose returns the tasks of some names, with commas between them; "": all. The order is that of all.
func choose(all []task.Task, names string, rest []string) (list []task.Task, err error) {
	if len(rest) > 0 {
		return nil, fmt.Errorf("suite: what is %q? Everything is given by flags", rest[0])
	}
	if names == "" {
		return all, nil
	}
	wanted := strings.Split(names, ",")
	for _, t := range all {
		if at := slices.Index(wanted, t.Name); at >= 0 {
			list, wanted = append(list, t), slices.Delete(wanted, at, at+1)
		}
	}
	if len(wanted) > 0 {
		var known []string
		for _, t := range all {
			known = append(known, t.Name)
		}
		return nil, fmt.Errorf("suite: there is no task %q, or it is named twice; there are %s", wanted[0], strings.Join(known, ", "))
	}
	return list, nil
}

// report says what a task came to.
type report struct {
	outcome      round.Outcome
	steps, calls int
	took         time.Duration
}

// table does tasks and prints a line for each. It returns the status of the program: 0 when all are done.
func table(ctx context.Context, tasks []task.Task, do func(context.Context, task.Task) (report, error), out, errs io.Writer) int {
	done := 0
	fmt.Fprintf(out, "| task | outcome | score | steps | model calls | time |\n|---|---|---|---|---|---|\n")
	for _, t := range tasks {
		r, wrong := do(ctx, t)
		score := 1
		if wrong != nil {
			score = 0
		}
		done += score
		fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %.1f s |\n", t.Name, r.outcome, score, r.steps, r.calls, r.took.Seconds())
		if wrong != nil {
			fmt.Fprintf(errs, "%s: %v\n", t.Name, wrong)
		}
	}
	fmt.Fprintf(out, "\n%d of %d tasks are done.\n", done, len(tasks))
	if done < len(tasks) {
		return 1
	}
	return 0
}
