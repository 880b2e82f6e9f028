package main

import "context"

// line is something of agentfsm that is measured by itself.
type line struct {
	Name string // in limits.txt
	Run  func(ctx context.Context) (cost, error)
}

// guarded are the lines whose allocations and bytes limits.txt bounds. Some are smaller
// than those of the tables, so that they are done within seconds.
func guarded() []line {
	return []line{
		{"app-small", oneLoop(runApp, false)},
		{"app-realistic", oneLoop(runApp, true)},
		{"host-small", oneLoop(runHost, false)},
		{"host-realistic", oneLoop(runHost, true)},
		{"two-applications-small", bothApplications(false)},
		{"two-applications-realistic", bothApplications(true)},
		{"tools-1000", func(ctx context.Context) (cost, error) { return screenStep(ctx, manyTools) }},
		{"controls-2000", func(ctx context.Context) (cost, error) { return screenStep(ctx, manyControls) }},
		{"board-10000", func(ctx context.Context) (cost, error) { return boardStep(ctx, 10_000) }},
		{"sub-tasks-10", func(ctx context.Context) (cost, error) { return subtasksStep(ctx, 10) }},
		{"sub-tasks-50", func(ctx context.Context) (cost, error) { return subtasksStep(ctx, 50) }},
		{"waiting", func(ctx context.Context) (cost, error) {
			bytes, err := waitingBytes(ctx, 100)
			return cost{Bytes: bytes}, err
		}},
		{"prompt", func(ctx context.Context) (cost, error) {
			p, err := changingPrompts(ctx)
			return cost{Bytes: p.Bytes}, err
		}},
		{"prompt-new", func(ctx context.Context) (cost, error) {
			p, err := changingPrompts(ctx)
			return cost{Bytes: p.New}, err
		}},
	}
}

var (
	manyTools    = sizes{Tools: 1000, Controls: usual.Controls, Windows: usual.Windows}
	manyControls = sizes{Tools: usual.Tools, Controls: 2000, Windows: usual.Windows}
)

func oneLoop(run func(context.Context, *job) error, realistic bool) func(context.Context) (cost, error) {
	return func(ctx context.Context) (cost, error) {
		// What a process makes once, such as templates and schemas, is no cost of the line that comes first.
		if err := run(ctx, &job{workload: workload{Realistic: realistic, Steps: 3}}); err != nil {
			return cost{}, err
		}
		return measure(ctx, loop{Run: run}, workload{Realistic: realistic, Steps: 100})
	}
}

// bothApplications measures whole rounds.
func bothApplications(realistic bool) func(context.Context) (cost, error) {
	return func(ctx context.Context) (cost, error) {
		if err := twoApplications(ctx, realistic); err != nil { // for what a process makes once
			return cost{}, err
		}
		const runs = 10
		before := read()
		for range runs {
			if err := twoApplications(ctx, realistic); err != nil {
				return cost{}, err
			}
		}
		return before.per(runs), nil
	}
}
