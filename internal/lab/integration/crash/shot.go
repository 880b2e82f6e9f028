package main

import (
	"math/rand/v2"
	"time"
)

// shot is a kill from outside: so long after the nth time that something is heard of
// the run, or, with allWindows as its window, so long after the start of the worker.
type shot struct {
	window window
	nth    int
	delay  time.Duration
}

// heardFor is what is heard when a window opens.
var heardFor = map[window]string{
	beforeIntent: evReply,
	intentToAct:  evGot,
	actToResult:  evBegin,
	afterResult:  evEnd,
}

// newShot aims at a window, wherever in what is left of a run: acts and calls are how
// many of both there are to come, took is how long it will take.
func newShot(r *rand.Rand, w window, part servicePart, acts, calls int, took time.Duration) *shot {
	within := func(d time.Duration) time.Duration { return time.Duration(r.Int64N(int64(max(d, time.Microsecond)))) }
	s := &shot{window: w, nth: 1 + r.IntN(max(1, acts))}
	switch w {
	case beforeIntent:
		s.nth = 1 + r.IntN(max(1, calls))
		s.delay = within(2 * time.Millisecond)
	case intentToAct:
		s.delay = within(part.Before / 2)
	case actToResult:
		s.delay = within(part.After)
	case afterResult:
		s.delay = time.Millisecond + within(part.Before)
	case allWindows:
		s.delay = within(took)
	}
	return s
}

// aim returns what listens to a run, and sends the delay when its moment is near.
func (s *shot) aim(fire chan<- time.Duration) func(event) {
	if s.window == allWindows {
		fire <- s.delay
		return func(event) {}
	}
	heard := 0
	return func(e event) {
		if e.What != heardFor[s.window] {
			return
		}
		if heard++; heard == s.nth {
			fire <- s.delay
		}
	}
}
