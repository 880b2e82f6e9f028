package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
)

// noon is the time around which marks of the checks are due. It has microseconds, as all stores have.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 123_456_000, time.UTC)

// findUnmarked sets marks and reads them.
func findUnmarked(s *subject) []string {
	var p problems
	first := s.index()
	second := s.asIndex(s.reopen(first))
	none := store.Mark{Run: run}
	p.put(s.expectMark(first, none))
	p.put(s.write(first, run, 0, []byte("1")))
	p.put(s.expectMark(second, none))
	p.put(s.expectMarks(second, store.Query{}, none))
	for _, m := range []struct {
		after   int64
		records [][]byte
		mark    store.Mark
	}{
		{1, texts("2", "3"), markOf(run, 3, "waiting", noon)},
		{3, nil, markOf(run, 3, "ready", time.Time{})}, // the mark alone
		{3, texts("4"), store.Mark{Run: run, Seq: 4, At: noon, Stage: "", Due: noon.AddDate(900, 0, 0)}},
		{4, texts("5"), markOf(run, 5, "ended", noon)},
		{0, texts("1", "2"), markOf("run 2", 2, "waiting", noon)}, // of a run that is new
	} {
		if p.put(s.mark(first, m.after, m.mark, m.records...)) || p.put(s.expectMark(first, m.mark)) || p.put(s.expectMark(second, m.mark)) {
			return p
		}
	}
	p.put(s.write(second, run, 5, []byte("6")))
	left := markOf(run, 5, "ended", noon) // Append leaves it; a store may not know whether it should have known of the record
	if got, err := first.Marked(s.ctx(), run); err == nil {
		left.Behind = got.Behind
	}
	p.put(s.expectMark(first, left))
	p.put(s.expect(second, run, 1, texts("1", "2", "3", "4", "5", "6")...))
	// A mark that knows less than the journal has hides nothing of it.
	p.put(s.mark(first, 6, markOf(run, 6, "ended", noon), texts("7", "8")...))
	p.put(s.expect(second, run, 7, texts("7", "8")...))
	p.put(s.expect(first, "run 2", 1, texts("1", "2")...))
	got, err := first.Marked(s.ctx(), "run 2")
	p.put(failed("Marked", err))
	clear(got.Data)
	p.put(s.expectMark(first, markOf("run 2", 2, "waiting", noon))) // it belongs to the caller
	return p
}

// findMarkedTooLate sets marks where the journal does not end.
func findMarkedTooLate(s *subject) []string {
	var p problems
	st := s.index()
	want := markOf(run, 2, "waiting", noon)
	if p.put(s.mark(st, 0, want, texts("1", "2")...)) {
		return p
	}
	for _, records := range [][][]byte{nil, texts("x")} {
		for _, after := range []int64{-1, 0, 1, 3} {
			what := fmt.Sprintf("AppendMarked of %d records after record %d of %s, which has 2", len(records), after, name(run))
			err := st.AppendMarked(s.ctx(), run, after, markOf(run, after, "ended", time.Time{}), records...)
			var conflict *store.ConflictError
			switch {
			case err == nil:
				p.add("%s, succeeds", what)
			case !errors.As(err, &conflict):
				p.add("%s, fails without a *store.ConflictError: %v", what, err)
			case *conflict != store.ConflictError{Run: run, After: after, Last: 2}:
				p.add("%s, fails with %+v", what, *conflict)
			}
		}
	}
	done, cancel := context.WithCancelCause(s.ctx())
	cancel(errStop)
	heard := func(err error) bool { return errors.Is(err, context.Canceled) || errors.Is(err, errStop) }
	if err := st.AppendMarked(done, run, 2, markOf(run, 3, "ended", noon), []byte("3")); !heard(err) {
		p.add("AppendMarked under a context that is done returns %v, and not an error with the context's", err)
	}
	if _, err := st.Marked(done, run); !heard(err) {
		p.add("Marked under a context that is done returns %v, and not an error with the context's", err)
	}
	if _, problem, err := s.marks(done, st, store.Query{}); !p.put(problem) && !heard(err) {
		p.add("Marks under a context that is done ends with %v, and not with an error with the context's", err)
	}
	for _, id := range []string{"", "a\n", "\xff"} {
		if err := st.AppendMarked(s.ctx(), id, 0, store.Mark{}, []byte("x")); !errors.Is(err, store.ErrRun) {
			p.add("AppendMarked to %s returns %v and not store.ErrRun", name(id), err)
		}
		if _, err := st.Marked(s.ctx(), id); !errors.Is(err, store.ErrRun) {
			p.add("Marked of %s returns %v and not store.ErrRun", name(id), err)
		}
	}
	p.put(s.expectMark(st, want))
	p.put(s.expectRuns(st, run))
	p.put(s.expect(st, run, 1, texts("1", "2")...))
	return p
}

// manyMarks is more than a store may read at once.
const manyMarks = 700

// findMisfiled asks for marks in every way.
func findMisfiled(s *subject) []string {
	var p problems
	st := s.index()
	var all []store.Mark
	for i := range manyMarks {
		m := markOf(fmt.Sprintf("%s %03d", []string{"a", "b", "Ü"}[i%3], i), 1, []string{"ready", "waiting", "it's"}[i%5%3], time.Time{})
		switch i % 7 {
		case 0, 1:
			m.Due = noon.Add(time.Duration(i%11-5) * time.Microsecond)
		case 2:
			m.Due = noon.Add(time.Duration(i%11) * time.Hour)
		case 3:
			if i%3 == 0 { // somebody has set the clock back since
				m.At, m.Due = noon.Add(time.Hour), noon.Add(time.Duration(i%4)*time.Hour+time.Microsecond)
			}
		case 4:
			if i%4 == 0 {
				m = store.Mark{Run: m.Run}
			}
		}
		var problem string
		if m.Seq == 0 {
			problem = s.write(st, m.Run, 0, []byte("x"))
		} else {
			problem = s.mark(st, 0, m, []byte("x"))
		}
		if p.put(problem) {
			return p
		}
		all = append(all, m)
	}
	other := s.asIndex(s.reopen(st))
	for _, q := range []store.Query{
		{}, {After: "a 300"}, {After: "b"}, {After: "\xff"}, {Prefix: "b"}, {Prefix: "Ü 1"}, {Prefix: "\xc3"}, {Prefix: "a\x00"}, {Prefix: "c"},
		{Prefix: "b 1", After: "a"}, {Prefix: "a", After: "a 4"}, {Prefix: "a", After: "b"},
		{Stages: []string{"waiting"}}, {Stages: []string{"waiting", "ready", "waiting"}}, {Stages: []string{"it's"}, Prefix: "b"}, {Stages: []string{"gone"}},
		{Stages: []string{"ready", "waiting", "it's"}, After: "a 5"},
		{Due: noon}, {Due: noon.Add(-time.Microsecond)}, {Due: noon.Add(2 * time.Hour)}, {Due: noon, Stages: []string{"ready", "it's"}},
		{Due: noon, Prefix: "Ü", After: "Ü 2"}, {Due: noon, Stages: []string{"gone"}}, {Due: noon.AddDate(100, 0, 0)}, {Due: noon.AddDate(-100, 0, 0)},
	} {
		var want []store.Mark
		for i := range all {
			if q.Wants(&all[i]) {
				want = append(want, all[i])
			}
		}
		q.Sort(want)
		if p.put(s.expectMarks(other, q, want...)) && len(p) > 3 {
			break
		}
	}
	return p
}

// findStuckMarks stops listing, and changes what it lists.
func findStuckMarks(s *subject) []string {
	var p problems
	st := s.index()
	const many = 400
	for i := range many {
		if p.put(s.mark(st, 0, markOf(fmt.Sprintf("run %03d", i), 1, "ready", noon.Add(time.Duration(i)*time.Second)), []byte("1"))) {
			return p
		}
	}
	for range 20 {
		p.put(failed("Marks", begin(st.Marks(s.ctx(), store.Query{Due: noon.Add(time.Hour)}))))
		p.put(failed("Marks", begin(st.Marks(s.ctx(), store.Query{Stages: []string{"ready"}}))))
	}
	for _, q := range []store.Query{{}, {Stages: []string{"ready", "waiting"}}, {Due: noon.Add(time.Hour)}} {
		times := map[string]int{}
		for m, err := range st.Marks(s.ctx(), q) {
			if p.put(failed("Marks", err)) {
				return p
			}
			if times[m.Run]++; times[m.Run] > 1 {
				p.add("Marks of %s yields %s twice while it is driven", asked(&q), name(m.Run))
				return p
			}
			// Whoever lists what is ready drives it: it is due later, and is still ready.
			next := markOf(m.Run, m.Seq, "ready", m.Due.Add(5*time.Minute))
			if p.put(s.mark(st, 1, next)) {
				return p
			}
		}
		if len(times) != many {
			p.add("Marks of %s yields %d runs, and there are %d", asked(&q), len(times), many)
		}
	}
	return p
}

// findTornMarks lets several set marks with the same seq, and reads what comes of it.
func findTornMarks(s *subject) []string {
	var p problems
	st := s.index()
	stores := []store.Index{st, s.asIndex(s.reopen(st))}
	for race := range races {
		var errs [racers]error
		var all sync.WaitGroup
		start := make(chan struct{})
		for i := range errs {
			all.Go(func() {
				<-start
				mark := markOf(run, int64(race+1), fmt.Sprint("racer ", i), noon)
				errs[i] = guarded(func() error {
					return stores[i%2].AppendMarked(s.ctx(), run, int64(race), mark, fmt.Appendf(nil, "race %d racer %d", race, i))
				})
			})
		}
		close(start)
		all.Wait()
		winner := -1
		for i, err := range errs {
			switch {
			case err == nil && winner >= 0:
				p.add("two AppendMarked after record %d succeed", race)
			case err == nil:
				winner = i
			case !errors.Is(err, store.ErrConflict):
				p.add("of several AppendMarked at once one fails without a conflict: %v", err)
			}
		}
		if winner < 0 {
			p.add("no AppendMarked after record %d succeeds", race)
		}
		if len(p) > 0 {
			return p
		}
		got, err := stores[race%2].Marked(s.ctx(), run)
		if p.put(failed("Marked", err)) {
			return p
		}
		if !strings.HasSuffix(got.Stage, fmt.Sprint(" ", winner)) || got.Seq != int64(race+1) {
			p.add("racer %d has appended record %d, and the mark is %s", winner, race+1, shown(&got))
			return p
		}
	}
	return p
}
