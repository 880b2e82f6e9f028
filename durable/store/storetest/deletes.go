package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/agentfsm/agentfsm/durable/store"
)

// remove deletes a run that must be free.
func (s *subject) remove(st store.Store, run string) string {
	return failed("Delete of "+name(run), st.Delete(s.ctx(), run))
}

// expectKept deletes what must not be deleted.
func (s *subject) expectKept(st store.Store, run string) string {
	err := st.Delete(s.ctx(), run)
	switch {
	case err == nil:
		return fmt.Sprintf("Delete of %s succeeds while somebody drives it", name(run))
	case !errors.Is(err, store.ErrDriven):
		return fmt.Sprintf("Delete of %s, which somebody drives, fails without store.ErrDriven: %v", name(run), err)
	}
	return ""
}

// findRemains deletes a run and begins another one with its id.
func findRemains(s *subject) []string {
	var p problems
	first := s.open()
	second := s.reopen(first)
	old, kept := texts("1", "2", "3"), texts("a", "b")
	if p.put(s.remove(first, run)) || // which nobody has begun
		p.put(s.write(first, run, 0, old...)) || p.put(s.write(second, "run 2", 0, kept...)) {
		return p
	}
	for _, st := range []store.Store{second, first} {
		if p.put(s.remove(st, run)) {
			return p
		}
		for _, look := range []store.Store{first, second} {
			p.put(s.expect(look, run, 1))
			p.put(s.expectRuns(look, "run 2"))
			p.put(s.expect(look, "run 2", 1, kept...))
			p.put(s.expectConflict(look, run, 3, 0, []byte("too late")))
			p.put(s.expectConflict(look, run, 3, 0))
		}
		p.put(s.remove(first, run)) // again
		hold, problem := s.drive(second, run, false, false)
		if p.put(problem) {
			return p
		}
		p.put(s.release(hold))
		if p.put(s.write(first, run, 0, []byte("new"))) || p.put(s.write(second, run, 1, []byte("newer"))) {
			return p
		}
		p.put(s.expect(first, run, 1, texts("new", "newer")...))
		p.put(s.expectConflict(first, run, 3, 2, []byte("too late")))
		if len(p) > 0 {
			return p
		}
	}
	return p
}

// findRobbed deletes what somebody drives.
func findRobbed(s *subject) []string {
	var p problems
	first := s.open()
	second := s.reopen(first)
	for _, records := range [][][]byte{nil, texts("1", "2")} {
		hold, problem := s.drive(first, run, false, false)
		if p.put(problem) || p.put(s.write(first, run, 0, records...)) {
			return p
		}
		p.put(s.expectKept(first, run))
		p.put(s.expectKept(second, run))
		p.put(s.expectDriven(second, run))
		p.put(s.expect(second, run, 1, records...))
		p.put(s.release(hold))
		if len(p) > 0 {
			return p
		}
	}
	p.put(s.remove(second, run))
	p.put(s.expectRuns(first))
	return p
}

const (
	pages = 4   // Appends to the run that is deleted while it is read
	page  = 200 // records of each
)

// findMixture deletes a run that is being read, and begins another one.
func findMixture(s *subject) []string {
	var p problems
	for _, again := range []bool{false, true} {
		st := s.open()
		other := s.reopen(st)
		for i := range int64(pages) {
			records := make([][]byte, page)
			for j := range records {
				records[j] = fmt.Appendf(nil, "%d of the old run", i*page+int64(j)+1)
			}
			if p.put(s.write(st, run, i*page, records...)) {
				return p
			}
		}
		seen := int64(0)
		var end error
		for e, err := range st.Read(s.ctx(), run, 1) {
			if end = err; end != nil {
				break
			}
			seen++
			if want := fmt.Sprintf("%d of the old run", seen); e.Seq != seen || string(e.Data) != want {
				p.add("Read of %s yields record %d, %s, after it was deleted", name(run), e.Seq, excerpt(e.Data))
				break
			}
			if seen > 1 {
				continue
			}
			// Where who reads is in the way of who deletes, this fails, and nothing is deleted.
			if other.Delete(s.ctx(), run) == nil && again {
				p.put(s.write(other, run, 0, texts("new", "newer", "newest")...))
			}
		}
		switch {
		case errors.Is(end, store.ErrDamaged):
			p.add("Read of a run that is deleted meanwhile says that it is damaged: %v", end)
		case end == nil && len(p) == 0 && seen%page != 0:
			p.add("Read of a run that is deleted meanwhile ends in the middle of an Append: it yields %d records", seen)
		}
	}
	return p
}

// findRevived lets some append to a run and one delete it.
func findRevived(s *subject) []string {
	var p problems
	st := s.open()
	other := s.reopen(st)
	for range races {
		if p.put(s.write(st, run, 0, []byte("1"))) {
			return p
		}
		var errs [racers]error
		var all sync.WaitGroup
		start := make(chan struct{})
		for i := range errs {
			all.Go(func() {
				<-start
				errs[i] = guarded(func() error {
					if i == 0 {
						return other.Delete(s.ctx(), run)
					}
					return st.Append(s.ctx(), run, 1, batchOf(0, i)...)
				})
			})
		}
		close(start)
		all.Wait()
		if p.put(failed("Delete while others append", errs[0])) {
			return p
		}
		for _, err := range errs[1:] {
			var conflict *store.ConflictError
			if err != nil && !errors.As(err, &conflict) {
				p.add("an Append while the run is deleted fails without a *store.ConflictError: %v", err)
			}
		}
		if p.put(s.expect(st, run, 1)) || p.put(s.expectRuns(other)) {
			return p
		}
	}
	return p
}

// findHasty deletes what is no run, and under a context that is done.
func findHasty(s *subject) []string {
	var p problems
	st := s.open()
	if p.put(s.write(st, run, 0, []byte("1"))) {
		return p
	}
	for _, id := range []string{"", "a\n", "\xff"} {
		if err := st.Delete(s.ctx(), id); !errors.Is(err, store.ErrRun) {
			p.add("Delete of %s returns %v and not store.ErrRun", name(id), err)
		}
	}
	done, cancel := context.WithCancelCause(s.ctx())
	cancel(errStop)
	if err := st.Delete(done, run); !errors.Is(err, context.Canceled) && !errors.Is(err, errStop) {
		p.add("Delete under a context that is done returns %v, and not an error with the context's", err)
	}
	if p.put(s.expect(st, run, 1, []byte("1"))) {
		p.add("something was deleted under a context that was done")
	}
	hold, problem := s.drive(st, run, false, false)
	if !p.put(problem) {
		p.put(s.release(hold))
	}
	return p
}
