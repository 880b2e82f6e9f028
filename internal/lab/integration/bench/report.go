package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"
)

// report is everything that was measured.
type report struct {
	Turns    int
	Loops    map[workload]map[string]figures // by side
	Machines map[string]figures
	Own      map[string]figures // by the names below

	Waiting    float64 // bytes
	Prompts    prompts
	Quickstart quickstart
}

// plan says what is measured.
type plan struct {
	Turns       int
	Most        int // steps of the longest run
	Transitions int
	Root        string // folder of the repository
	Log         io.Writer
}

// workloads are the columns of the tables: small and realistic up to 5,000 steps, encoded
// to 100, since what a peer then sends grows with the square of N.
func (p plan) workloads() []workload {
	var all []workload
	for _, isEncoded := range []bool{false, true} {
		for _, realistic := range []bool{false, true} {
			for _, n := range columns(isEncoded) {
				if n <= p.Most {
					all = append(all, workload{realistic, isEncoded, n})
				}
			}
		}
	}
	return all
}

func columns(isEncoded bool) []int {
	if isEncoded {
		return []int{10, 100}
	}
	return []int{10, 100, 1000, 5000}
}

// long is what a run may take and still be measured in every turn.
const long = 2 * time.Second // of CPU

// run measures everything, turn by turn.
func (p plan) run(ctx context.Context) (*report, error) {
	r := &report{Turns: p.Turns, Loops: map[workload]map[string]figures{}, Machines: map[string]figures{}, Own: map[string]figures{}}
	for turn := range p.Turns {
		fmt.Fprintf(p.Log, "turn %d of %d\n", turn+1, p.Turns)
		for _, w := range p.workloads() {
			if err := r.loopTurn(ctx, turn, w); err != nil {
				return nil, err
			}
		}
		// A number of steps that the host's cycle takes.
		err := walkTurn(ctx, p.Transitions/paceCycle*paceCycle+1, func(name string, c cost) { add(r.Machines, name, turn, c) })
		if err != nil {
			return nil, err
		}
		if err := r.ownTurn(ctx, turn); err != nil {
			return nil, err
		}
	}
	var err error
	if r.Waiting, err = waitingBytes(ctx, 500); err != nil {
		return nil, err
	}
	if r.Prompts, err = changingPrompts(ctx); err != nil {
		return nil, err
	}
	r.Quickstart, err = readQuickstart(ctx, p.Root)
	return r, err
}

// loopTurn lets each side run the workload. Who goes first changes with the turn.
func (r *report) loopTurn(ctx context.Context, turn int, w workload) error {
	sides := loops()
	if turn%2 == 1 {
		slices.Reverse(sides)
	}
	if r.Loops[w] == nil {
		r.Loops[w] = map[string]figures{}
	}
	for _, side := range sides {
		first, measured := r.Loops[w][side.Name][0]
		if !side.does(w) || measured && time.Duration(first.CPU)*time.Duration(w.Steps) > long {
			continue
		}
		c, err := measure(ctx, side, w)
		if err != nil {
			return err
		}
		add(r.Loops[w], side.Name, turn, c)
	}
	return nil
}

// What is measured of agentfsm alone, as tables.go refers to it.
const (
	lineBoth      = "two applications, small"
	lineBothReal  = "two applications, realistic"
	lineUsual     = "12 tools, 60 controls"
	lineTools     = "1,000 tools"
	lineControls  = "2,000 controls"
	lineBoard     = "a blackboard of 100,000 values"
	lineTasks     = "10 sub-tasks"
	lineManyTasks = "500 sub-tasks"
)

func ownLines() []line {
	return []line{
		{lineBoth, bothApplications(false)},
		{lineBothReal, bothApplications(true)},
		{lineUsual, func(ctx context.Context) (cost, error) { return screenStep(ctx, usual) }},
		{lineTools, func(ctx context.Context) (cost, error) { return screenStep(ctx, manyTools) }},
		{lineControls, func(ctx context.Context) (cost, error) { return screenStep(ctx, manyControls) }},
		{lineBoard, func(ctx context.Context) (cost, error) { return boardStep(ctx, 100_000) }},
		{lineTasks, func(ctx context.Context) (cost, error) { return subtasksStep(ctx, 10) }},
		{lineManyTasks, func(ctx context.Context) (cost, error) { return subtasksStep(ctx, 500) }},
	}
}

func (r *report) ownTurn(ctx context.Context, turn int) error {
	for _, l := range ownLines() {
		if l.Name == lineManyTasks && turn > 0 && time.Duration(r.Own[l.Name][0].CPU)*500 > long {
			continue
		}
		c, err := l.Run(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
		add(r.Own, l.Name, turn, c)
	}
	return nil
}

func add(to map[string]figures, name string, turn int, c cost) {
	if to[name] == nil {
		to[name] = figures{}
	}
	to[name][turn] = c
}
