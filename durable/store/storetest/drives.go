package storetest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// drive asks for a run that must be free.
func (s *subject) drive(st store.Store, run string, takeOver, took bool) (hold store.Hold, problem string) {
	what := fmt.Sprintf("Drive of %s", name(run))
	if takeOver {
		what += ", which takes over,"
	}
	hold, err := st.Drive(s.ctx(), run, takeOver)
	switch {
	case err != nil:
		return nil, fmt.Sprintf("%s fails: %v", what, err)
	case nilcheck.IsNil(hold):
		return nil, what + " returns neither a Hold nor an error"
	case hold.Took() != took:
		return hold, fmt.Sprintf("%s returns a Hold whose Took is %t", what, hold.Took())
	}
	return hold, ""
}

// expectDriven asks for a run that somebody has.
func (s *subject) expectDriven(st store.Store, run string) string {
	hold, err := st.Drive(s.ctx(), run, false)
	switch {
	case err == nil:
		return fmt.Sprintf("Drive of %s succeeds while somebody has it", name(run))
	case !errors.Is(err, store.ErrDriven):
		return fmt.Sprintf("Drive of %s, which somebody has, fails without store.ErrDriven: %v", name(run), err)
	case !strings.Contains(err.Error(), strconv.Quote(run)):
		return fmt.Sprintf("Drive of %s fails with an error that does not name it: %v", name(run), err)
	case !nilcheck.IsNil(hold):
		return fmt.Sprintf("Drive of %s fails, and returns a Hold", name(run))
	}
	return ""
}

// release gives a run back.
func (s *subject) release(hold store.Hold) string { return failed("Release", hold.Release(s.ctx())) }

// findTwoDrivers asks for a run that somebody has.
func findTwoDrivers(s *subject) []string {
	var p problems
	first := s.open()
	second := s.reopen(first)
	hold, problem := s.drive(first, run, false, false)
	if p.put(problem) {
		return p
	}
	for _, st := range []store.Store{first, second} {
		p.put(s.expectDriven(st, run))
		other, problem := s.drive(st, "run 2", false, false)
		if !p.put(problem) {
			p.put(s.expectDriven(second, "run 2"))
			p.put(s.release(other))
		}
	}
	// Others look and answer meanwhile.
	p.put(s.expectRuns(second))
	p.put(s.write(second, run, 0, []byte("1")))
	p.put(s.write(first, run, 1, []byte("2")))
	p.put(s.expect(second, run, 1, texts("1", "2")...))
	p.put(s.expectDriven(second, run))
	p.put(s.release(hold))
	again, problem := s.drive(second, run, false, false)
	if p.put(problem) {
		return p
	}
	p.put(s.release(hold)) // which is over
	p.put(s.expectDriven(first, run))
	p.put(s.release(again))
	p.put(s.release(again))
	last, problem := s.drive(first, run, false, false)
	if !p.put(problem) {
		p.put(s.release(last))
	}
	return p
}

// findStubborn takes a run over.
func findStubborn(s *subject) []string {
	var p problems
	first := s.open()
	second := s.reopen(first)
	free, problem := s.drive(second, run, true, false) // nobody has it
	if p.put(problem) {
		return p
	}
	p.put(s.expectDriven(first, run))
	p.put(s.release(free))
	p.put(s.write(first, run, 0, []byte("1")))
	old, problem := s.drive(first, run, false, false)
	if p.put(problem) {
		return p
	}
	taken, problem := s.drive(second, run, true, true)
	if p.put(problem) {
		return p
	}
	p.put(s.write(second, run, 1, []byte("2")))
	p.put(s.expectConflict(first, run, 1, 2, []byte("too late")))
	p.put(s.release(old)) // who lost it gives back nothing
	p.put(s.expectDriven(first, run))
	p.put(s.release(taken))
	again, problem := s.drive(first, run, false, false)
	if !p.put(problem) {
		p.put(s.release(again))
	}
	return p
}

// findManyDrivers lets several ask for a run at once.
func findManyDrivers(s *subject) []string {
	var p problems
	st := s.open()
	stores := []store.Store{st, s.reopen(st)}
	for range races {
		var holds [racers]store.Hold
		var errs [racers]error
		var all sync.WaitGroup
		start := make(chan struct{})
		for i := range holds {
			all.Go(func() {
				<-start
				errs[i] = guarded(func() (err error) {
					holds[i], err = stores[i%2].Drive(s.ctx(), run, false)
					return err
				})
			})
		}
		close(start)
		all.Wait()
		winners := 0
		for i, err := range errs {
			switch {
			case err == nil:
				winners++
				p.put(s.release(holds[i]))
			case !errors.Is(err, store.ErrDriven):
				p.add("of several Drives at once one fails without store.ErrDriven: %v", err)
			}
		}
		if winners != 1 {
			p.add("%d of %d Drives at once succeed, and one should", winners, racers)
		}
		if len(p) > 0 {
			return p
		}
	}
	return p
}

// lease is longer than it may take to find out that a holder died.
const lease = 6 * time.Second

// findForgottenDriver has a run for as long as the check says.
func findForgottenDriver(s *subject) []string {
	var p problems
	st := s.open()
	hold, problem := s.drive(st, run, false, false)
	if p.put(problem) {
		return p
	}
	timer := time.NewTimer(s.lease)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.ctx().Done():
	}
	p.put(s.expectDriven(s.reopen(st), run))
	p.put(s.release(hold))
	return p
}

// findCareless drives what is no run, and under a context that is done.
func findCareless(s *subject) []string {
	var p problems
	st := s.open()
	for _, id := range []string{"", "a\n", "\xff"} {
		if _, err := st.Drive(s.ctx(), id, false); !errors.Is(err, store.ErrRun) {
			p.add("Drive of run %q returns %v and not store.ErrRun", id, err)
		}
	}
	done, cancel := context.WithCancelCause(s.ctx())
	cancel(errStop)
	if _, err := st.Drive(done, run, false); !errors.Is(err, context.Canceled) && !errors.Is(err, errStop) {
		p.add("Drive under a context that is done returns %v, and not an error with the context's", err)
	}
	hold, problem := s.drive(st, run, false, false)
	if !p.put(problem) {
		p.put(s.release(hold))
	}
	return p
}
