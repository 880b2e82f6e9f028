package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
)

// storyOf tells what became of a run, by the clock: its records, and what its desktop did.
func storyOf(ctx context.Context, st store.Store, run string, log []event) ([]string, error) {
	type moment struct {
		at   time.Time
		line string
	}
	var all []moment
	for r, err := range durable.Records(ctx, st, run) {
		if err != nil {
			return nil, err
		}
		all = append(all, moment{r.At, r.String()})
	}
	for _, e := range log {
		all = append(all, moment{e.At, strings.TrimRight(fmt.Sprintf("    world: driver %d: %s %s", e.Life, e.What, e.Act), " ")})
	}
	slices.SortStableFunc(all, func(a, b moment) int { return a.at.Compare(b.at) })
	var lines []string
	for _, m := range all {
		lines = append(lines, m.at.Format("15:04:05.000 ")+m.line)
	}
	return lines, nil
}
