package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/durable/store"
)

const run = "run 1"

// findFull looks at a store that nobody has used.
func findFull(s *subject) []string {
	var p problems
	st := s.open()
	p.put(s.expectRuns(st))
	p.put(s.expect(st, run, 1))
	p.put(s.write(st, run, 0))
	p.put(s.expectRuns(st))
	return p
}

// findDisorder appends one record and several, and reads them.
func findDisorder(s *subject) []string {
	var p problems
	st := s.open()
	all := texts(`{"n":1}`, `{"n":2}`, `{"n":3}`, `{"n":4}`, `{"n":5}`)
	for _, batch := range [][2]int{{0, 1}, {1, 4}, {4, 5}} {
		if p.put(s.write(st, run, int64(batch[0]), all[batch[0]:batch[1]]...)) || p.put(s.expect(st, run, 1, all[:batch[1]]...)) {
			return p
		}
	}
	p.put(s.expectRuns(st, run))
	return p
}

// findChanged stores what is no text.
func findChanged(s *subject) []string {
	var p problems
	st := s.open()
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	all := texts("", "\n", "\x00", " x ", "\r\n", "'; --", `\x00`, "\xff\xfe", "e\u0301", `{"b":1,"a":1.0}`)
	all = append(all, every, make([]byte, 2000), bytes.Repeat([]byte("#1 1-1 0\n"), 100))
	for i, data := range all {
		if p.put(s.write(st, run, int64(i), data)) {
			return p
		}
	}
	p.put(s.expect(st, run, 1, all...))
	if !p.put(s.write(st, "at once", 0, all...)) {
		p.put(s.expect(st, "at once", 1, all...))
	}
	return p
}

const (
	largest = 4 << 20 // bytes
	most    = 500     // records
)

// findSmall appends what is large, and much at once.
func findSmall(s *subject) []string {
	var p problems
	st := s.open()
	large := bytes.Repeat([]byte("0123456789abcdef"), largest/16)
	if !p.put(s.write(st, "large", 0, []byte("a"), large, []byte("b"))) {
		p.put(s.expect(st, "large", 1, []byte("a"), large, []byte("b")))
	}
	many := make([][]byte, most)
	for i := range many {
		many[i] = fmt.Appendf(nil, "%d", i)
	}
	if !p.put(s.write(st, "many", 0, many...)) {
		p.put(s.expect(st, "many", 1, many...))
	}
	return p
}

// findShared changes what it has given away, and what it was given.
func findShared(s *subject) []string {
	var p problems
	st := s.open()
	want := texts("first", "second")
	mine := [][]byte{bytes.Clone(want[0]), bytes.Clone(want[1])}
	if p.put(s.writeOwn(st, run, 0, mine...)) {
		return p
	}
	if !slices.EqualFunc(mine, want, bytes.Equal) {
		p.add("Append changed the records of its caller")
	}
	for _, data := range mine {
		copy(data, "XXXXXXX")
	}
	mine[0], mine[1] = nil, nil
	if problem := s.expect(st, run, 1, want...); problem != "" {
		return append(p, "the caller changed its buffer after Append had returned, and the journal with it: "+problem)
	}
	got, problem, err := s.read(s.ctx(), st, run, 1)
	if p.put(problem) || err != nil {
		return p
	}
	for _, data := range got {
		copy(data, "YYYYYYY")
		_ = append(data, "ZZZ"...) // of what may be behind it
	}
	if problem := s.expect(st, run, 1, want...); problem != "" {
		p.add("the caller changed what it had read, and the journal with it: %s", problem)
	}
	return p
}

// findElsewhere reads from everywhere.
func findElsewhere(s *subject) []string {
	var p problems
	st := s.open()
	all := texts("1", "2", "3", "4", "5", "6", "7")
	if p.put(s.write(st, run, 0, all[:3]...)) || p.put(s.write(st, run, 3, all[3:]...)) {
		return p
	}
	for _, from := range []int64{-1 << 63, -1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 1<<63 - 1} {
		skipped := min(max(from, 1)-1, int64(len(all)))
		p.put(s.expect(st, run, from, all[skipped:]...))
	}
	return p
}

// findStuck stops reading, and reads again.
func findStuck(s *subject) []string {
	var p problems
	st := s.open()
	if p.put(s.write(st, run, 0, texts("1", "2", "3")...)) || p.put(s.write(st, "run 2", 0, []byte("1"))) {
		return p
	}
	records := st.Read(s.ctx(), run, 1)
	for range 20 {
		p.put(failed("Read", begin(records)))
		p.put(failed("Runs", begin(st.Runs(s.ctx()))))
	}
	n := 0
	for _, err := range records {
		p.put(failed("Read", err))
		n++
	}
	if n != 3 {
		p.add("what Read returned was used a second time and yields %d records, not 3", n)
	}
	// Appending to a run while it is read, as who follows it may do.
	for e, err := range st.Read(s.ctx(), run, 1) {
		p.put(failed("Read", err))
		if e.Seq == 1 {
			p.put(s.write(st, run, 3, []byte("4")))
		}
	}
	if len(p) == 0 {
		p.put(s.expect(st, run, 1, texts("1", "2", "3", "4")...))
	}
	return p
}

// findConfused appends where the journal does not end.
func findConfused(s *subject) []string {
	var p problems
	st := s.open()
	have := texts("1", "2", "3")
	more := texts("new", "newer")
	if p.put(s.write(st, run, 0, have...)) {
		return p
	}
	for _, st := range []store.Store{st, s.reopen(st)} {
		for _, after := range []int64{-1, 0, 1, 2, 4, 5, 1 << 40} {
			p.put(s.expectConflict(st, run, after, 3, more...))
			p.put(s.expectConflict(st, run, after, 3))
		}
		p.put(s.expectConflict(st, "unknown", 1, 0, more...))
		p.put(s.expectConflict(st, "unknown", -1, 0))
		p.put(s.write(st, run, 3)) // compares, and no more
		if p.put(s.expect(st, run, 1, have...)) || p.put(s.expect(st, "unknown", 1)) || p.put(s.expectRuns(st, run)) {
			return append(p, "an Append that was refused has left something")
		}
	}
	return p
}

// errStop is the cause of the contexts that the checks end.
var errStop = errors.New("storetest: stop")

// findDeaf calls everything under a context that is done.
func findDeaf(s *subject) []string {
	var p problems
	st := s.open()
	if p.put(s.write(st, run, 0, []byte("1"))) {
		return p
	}
	done, cancel := context.WithCancelCause(s.ctx())
	cancel(errStop)
	heard := func(err error) bool { return errors.Is(err, context.Canceled) || errors.Is(err, errStop) }
	if err := st.Append(done, run, 1, []byte("2")); !heard(err) {
		p.add("Append under a context that is done returns %v, and not an error with the context's", err)
	}
	if err := st.Append(done, "run 2", 0, []byte("1")); !heard(err) {
		p.add("the first Append to a run under a context that is done returns %v, and not an error with the context's", err)
	}
	if _, problem, err := s.read(done, st, run, 1); !p.put(problem) && !heard(err) {
		p.add("Read under a context that is done ends with %v, and not with an error with the context's", err)
	}
	if _, problem, err := s.runs(done, st); !p.put(problem) && !heard(err) {
		p.add("Runs under a context that is done ends with %v, and not with an error with the context's", err)
	}
	if p.put(s.expect(st, run, 1, []byte("1"))) || p.put(s.expectRuns(st, run)) {
		p.add("something was appended under a context that was done")
	}
	return p
}
