package storetest

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
)

const (
	racers = 8  // that append at once
	races  = 15 // how often they do
	width  = 3  // records of an Append
)

// batchOf is what a racer appends: all of it says whose it is.
func batchOf(race, racer int) [][]byte {
	var records [][]byte
	for i := range width {
		records = append(records, fmt.Appendf(nil, "race %d racer %d record %d", race, racer, i))
	}
	return records
}

// findTie lets several append with the same seq, at last beside one that drives the run.
func findTie(s *subject) []string {
	var p problems
	st := s.open()
	stores := []store.Store{st, s.reopen(st)}
	var want [][]byte
	for race := range races {
		if race == races/2 {
			hold, problem := s.drive(st, run, false, false)
			if p.put(problem) {
				return p
			}
			defer func() { _ = hold.Release(s.ctx()) }()
		}
		var errs [racers]error
		var all sync.WaitGroup
		start := make(chan struct{})
		after := int64(race * width)
		for i := range errs {
			all.Go(func() {
				<-start
				errs[i] = guarded(func() error { return stores[i%2].Append(s.ctx(), run, after, batchOf(race, i)...) })
			})
		}
		close(start)
		all.Wait()
		winners := 0
		for i, err := range errs {
			switch {
			case err == nil:
				winners++
				want = append(want, batchOf(race, i)...)
			case !errors.Is(err, store.ErrConflict):
				p.add("of several Appends at once one fails without a conflict: %v", err)
			}
		}
		if winners != 1 {
			p.add("%d of %d Appends after record %d succeed, and one should", winners, racers, after)
		}
		if len(p) > 0 || p.put(s.expect(stores[race%2], run, 1, want...)) {
			return p
		}
	}
	return p
}

// findHalves reads what is being written.
func findHalves(s *subject) []string {
	var p problems
	st := s.open()
	other := s.reopen(st)
	var writing sync.WaitGroup
	ends := make([]error, 3)
	for w := range ends { // each has a run of its own; of the first one the reader reads
		writing.Go(func() {
			ends[w] = guarded(func() error {
				for i := range races * 2 {
					if err := st.Append(s.ctx(), fmt.Sprint("run ", w), int64(i*width), batchOf(i, w)...); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
	finished := make(chan struct{})
	go func() { writing.Wait(); close(finished) }()
	seen := 0
	for last := false; len(p) == 0 && !last; {
		select {
		case <-finished:
			last = true
		default:
		}
		got, problem, err := s.read(s.ctx(), other, "run 0", 1)
		switch {
		case p.put(problem):
		case err != nil:
			p.add("Read fails while others append: %v", err)
		case len(got)%width != 0:
			p.add("Read ends in the middle of an Append: it yields %d records, and %d are appended at a time", len(got), width)
		case len(got) < seen:
			p.add("Read yields %d records, and it was %d before", len(got), seen)
		default:
			seen = len(got)
		}
		for i, data := range got {
			if want := string(batchOf(i/width, 0)[i%width]); len(p) == 0 && string(data) != want {
				p.add("record %d is %s while others append, and %q was appended", i+1, excerpt(data), want)
			}
		}
	}
	<-finished
	for _, err := range ends {
		if err != nil {
			p.add("Append fails while others read and append to other runs: %v", err)
		}
	}
	if len(p) == 0 && seen != 2*races*width {
		p.add("Read yields %d records, and Append has returned for %d before", seen, 2*races*width)
	}
	return p
}

// findForgotten opens the storage again, while it is in use.
func findForgotten(s *subject) []string {
	var p problems
	first := s.open()
	all := texts("1", "2", "3", "4", "5", "6")
	if p.put(s.write(first, run, 0, all[:2]...)) {
		return p
	}
	second := s.reopen(first)
	p.put(s.expect(second, run, 1, all[:2]...))
	p.put(s.expectRuns(second, run))
	p.put(s.write(second, run, 2, all[2]))
	if problem := s.expect(first, run, 1, all[:3]...); problem != "" {
		p.add("appended by another store of the storage: %s", problem)
	}
	p.put(s.expectConflict(first, run, 2, 3, []byte("too late")))
	p.put(s.write(first, run, 3, all[3:5]...))
	p.put(s.expectConflict(second, run, 3, 5, []byte("too late")))
	p.put(s.write(second, run, 5, all[5]))
	p.put(s.write(second, "run 2", 0, all[0]))
	p.put(s.expectRuns(first, run, "run 2"))
	p.put(s.expect(s.reopen(first), run, 1, all...))
	return p
}

// findLeaks counts goroutines.
func findLeaks(s *subject) []string {
	var p problems
	st := s.open()
	seq := int64(0)
	use := func(times int) {
		for range times {
			p.put(s.write(st, run, seq, []byte("x"), []byte("y")))
			seq += 2
			_ = st.Append(s.ctx(), run, 0, []byte("x"))
			p.put(failed("Read", begin(st.Read(s.ctx(), run, 1))))
			p.put(failed("Runs", begin(st.Runs(s.ctx()))))
			p.put(s.expectRuns(st, run))
			p.put(s.write(st, "gone", 0, []byte("x")))
			p.put(s.remove(st, "gone"))
			if hold, problem := s.drive(st, run, false, false); !p.put(problem) {
				p.put(s.release(hold))
			}
		}
	}
	use(5) // what a store starts once it may keep
	before := runtime.NumGoroutine()
	use(20)
	if after := settled(before + 5); len(p) == 0 && after > before+5 {
		p.add("there are %d goroutines after 180 calls, and were %d before", after, before)
	}
	return p
}

// settled waits until there are no more goroutines than that, not for long, and returns
// how many there are.
func settled(most int) int {
	for range 100 {
		if runtime.NumGoroutine() <= most {
			break
		}
		timer := time.NewTimer(5 * time.Millisecond)
		<-timer.C
	}
	return runtime.NumGoroutine()
}

// guarded turns a panic into an error.
func guarded(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return f()
}
