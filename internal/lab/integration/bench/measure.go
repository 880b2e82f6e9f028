package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// cost is what a step took, or a whole run where that is said.
type cost struct {
	CPU    float64 // ns
	Allocs float64
	Bytes  float64
}

// meter is a reading of what the process has used so far.
type meter struct {
	cpu           time.Duration
	allocs, bytes uint64
}

// read starts a measurement: the time is read last, since the other reading takes some.
func read() meter {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return meter{cpuTime(), m.Mallocs, m.TotalAlloc}
}

// per ends a measurement and divides it among steps.
func (before meter) per(steps int) cost {
	cpu, now, n := cpuTime()-before.cpu, read(), float64(steps)
	return cost{
		CPU:    float64(cpu.Nanoseconds()) / n,
		Allocs: float64(now.allocs-before.allocs) / n,
		Bytes:  float64(now.bytes-before.bytes) / n,
	}
}

// enough is how many steps a reading has at least: a short run is repeated, so that it pays for its garbage
// as a long one does.
const enough = 2000

// measure runs a workload often enough, each time anew, and returns what a step cost.
func measure(ctx context.Context, side loop, w workload) (cost, error) {
	runs := max(1, enough/w.Steps)
	runtime.GC() // what the side before left is not this one's
	before := read()
	for range runs {
		if err := side.Run(ctx, &job{workload: w, sees: side.Sees}); err != nil {
			return cost{}, fmt.Errorf("%s, %s: %w", side.Name, w, err)
		}
	}
	return before.per(runs * w.Steps), nil
}

// figures are the costs of one line, by turn. A turn that was left out has none.
type figures map[int]cost

// median is the cost in the middle: of each part by itself.
func (f figures) median() cost {
	var cpu, allocs, bytes []float64
	for _, c := range f {
		cpu, allocs, bytes = append(cpu, c.CPU), append(allocs, c.Allocs), append(bytes, c.Bytes)
	}
	return cost{middle(cpu), middle(allocs), middle(bytes)}
}

// ratio is the median of the ratios of CPU time within the turns that both have; 0 where there is none.
func (f figures) ratio(to figures) float64 {
	var all []float64
	for turn, c := range f {
		if other, ok := to[turn]; ok && other.CPU > 0 {
			all = append(all, c.CPU/other.CPU)
		}
	}
	return middle(all)
}

// middle is the median, 0 of nothing.
func middle(all []float64) float64 {
	slices.Sort(all)
	switch n := len(all); {
	case n == 0:
		return 0
	case n%2 == 1:
		return all[n/2]
	default:
		return (all[n/2-1] + all[n/2]) / 2
	}
}
