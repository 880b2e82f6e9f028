package storetest

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// noon has microseconds: each store keeps them.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 123_456_000, time.UTC)

// twoIndexes makes two stores of one empty storage.
func (b Backend) twoIndexes(t testing.TB) (first, second store.Index) {
	one, two := b.two(t)
	return one.(store.Index), two.(store.Index) //nolint:forcetypeassert // these checks need them
}

// markOf is a mark with Data of its own.
func markOf(run string, seq int64, stage string, due time.Time) store.Mark {
	return store.Mark{Run: run, Seq: seq, At: noon.Add(-time.Hour), Stage: stage, Due: due, Data: fmt.Appendf(nil, "%s %d\x00\xff", run, seq)}
}

// mark appends records with a mark, whose bytes the caller may change.
func mark(t testing.TB, st store.Index, after int64, m store.Mark, records ...string) {
	t.Helper()
	run := m.Run
	m.Run, m.Data = "", bytes.Clone(m.Data) // the call says whose mark it is
	require.NoError(t, st.AppendMarked(t.Context(), run, after, m, asBytes(records)...), "AppendMarked of %d records to run %q after record %d", len(records), run, after)
	clear(m.Data)
}

func expectMark(t testing.TB, st store.Index, want store.Mark) {
	t.Helper()
	got, err := st.Marked(t.Context(), want.Run)
	require.NoError(t, err, "Marked")
	require.Equal(t, shown(&want), shown(&got))
}

// shown is the text of a mark, by which marks are compared.
func shown(m *store.Mark) string {
	at, due := m.At.UTC(), m.Due.UTC()
	if m.Seq == 0 {
		at = time.Time{}
	}
	return fmt.Sprintf("{Run:%q Seq:%d At:%v Stage:%q Due:%v Data:%q Behind:%t}", m.Run, m.Seq, at, m.Stage, due, m.Data, m.Behind)
}

func expectMarks(t testing.TB, st store.Index, q store.Query, want ...store.Mark) {
	t.Helper()
	got, err := collect(t, st.Marks(t.Context(), q))
	require.NoError(t, err, "Marks")
	var texts, wanted []string
	for i := range got {
		texts = append(texts, shown(&got[i]))
	}
	for i := range want {
		wanted = append(wanted, shown(&want[i]))
	}
	require.Equal(t, wanted, texts, "Marks of %+q", q)
}

func testMarks(t testing.TB, b Backend) {
	first, second := b.twoIndexes(t)
	none := store.Mark{Run: run}
	expectMark(t, first, none)
	write(t, first, run, 0, "1")
	expectMark(t, second, none)
	expectMarks(t, second, store.Query{}, none)
	for _, m := range []struct {
		after   int64
		records []string
		mark    store.Mark
	}{
		{1, []string{"2", "3"}, markOf(run, 3, "waiting", noon)},
		{3, nil, markOf(run, 3, "ready", time.Time{})},
		{3, []string{"4"}, store.Mark{Run: run, Seq: 4, At: noon, Due: noon.AddDate(900, 0, 0)}},
		{4, []string{"5"}, markOf(run, 5, "ended", noon)},
		{0, []string{"1", "2"}, markOf("run 2", 2, "waiting", noon)},
	} {
		mark(t, first, m.after, m.mark, m.records...)
		expectMark(t, first, m.mark)
		expectMark(t, second, m.mark)
	}
	write(t, second, run, 5, "6")
	left := markOf(run, 5, "ended", noon) // Append leaves the mark. It may be behind
	got, err := first.Marked(t.Context(), run)
	require.NoError(t, err)
	left.Behind = got.Behind
	expectMark(t, first, left)
	expect(t, second, run, 1, "1", "2", "3", "4", "5", "6")
	// A mark that knows less than its journal has hides no record.
	mark(t, first, 6, markOf(run, 6, "ended", noon), "7", "8")
	expect(t, second, run, 7, "7", "8")
	expect(t, first, "run 2", 1, "1", "2")
	got, err = first.Marked(t.Context(), "run 2")
	require.NoError(t, err)
	clear(got.Data) // it belongs to the caller
	expectMark(t, first, markOf("run 2", 2, "waiting", noon))
}

func testLateMarks(t testing.TB, b Backend) {
	st, _ := b.twoIndexes(t)
	want := markOf(run, 2, "waiting", noon)
	mark(t, st, 0, want, "1", "2")
	for _, records := range [][]string{nil, {"x"}} {
		for _, after := range []int64{-1, 0, 1, 3} {
			err := st.AppendMarked(t.Context(), run, after, markOf(run, after, "ended", time.Time{}), asBytes(records)...)
			expectConflict(t, err, run, after, 2)
		}
	}
	expectMark(t, st, want)
	expect(t, st, run, 1, "1", "2")
}

func testQueries(t testing.TB, b Backend) {
	st, other := b.twoIndexes(t)
	var all []store.Mark
	for i := range 700 { // more than a store may read at once
		m := markOf(fmt.Sprintf("%s %03d", []string{"a", "b", "Ü"}[i%3], i), 1, []string{"ready", "waiting", "it's"}[i%5%3], time.Time{})
		switch {
		case i%7 < 2:
			m.Due = noon.Add(time.Duration(i%11-5) * time.Microsecond)
		case i%7 == 2:
			m.Due = noon.Add(time.Duration(i%11) * time.Hour)
		case i%21 == 3: // the clock was set back since
			m.At, m.Due = noon.Add(time.Hour), noon.Add(time.Duration(i%4)*time.Hour+time.Microsecond)
		case i%28 == 4:
			m = store.Mark{Run: m.Run}
			write(t, st, m.Run, 0, "x")
		}
		if m.Seq > 0 {
			mark(t, st, 0, m, "x")
		}
		all = append(all, m)
	}
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
		expectMarks(t, other, q, want...)
	}
}

func testMarkedWhileListed(t testing.TB, b Backend) {
	st, _ := b.twoIndexes(t)
	const many = 400
	for i := range many {
		mark(t, st, 0, markOf(fmt.Sprintf("run %03d", i), 1, "ready", noon.Add(time.Duration(i)*time.Second)), "1")
	}
	for range 20 { // a lock or a cursor that stays open would stop a later call
		begin(t, st.Marks(t.Context(), store.Query{Due: noon.Add(time.Hour)}))
	}
	for _, q := range []store.Query{{}, {Stages: []string{"ready", "waiting"}}, {Due: noon.Add(time.Hour)}} {
		seen := map[string]bool{}
		for m, err := range st.Marks(t.Context(), q) {
			require.NoError(t, err, "Marks")
			require.False(t, seen[m.Run], "Marks of %+q yields run %q twice", q, m.Run)
			seen[m.Run] = true
			mark(t, st, 1, markOf(m.Run, m.Seq, "ready", m.Due.Add(5*time.Minute)))
		}
		require.Len(t, seen, many, "the runs that Marks of %+q yields", q)
	}
}

func testOneMarks(t testing.TB, b Backend) {
	first, second := b.twoIndexes(t)
	stores := []store.Index{first, second}
	for race := range races {
		markBy := func(i int) store.Mark { return markOf(run, int64(race+1), fmt.Sprint("racer ", i), noon) }
		errs := together(func(i int) error {
			return stores[i%2].AppendMarked(t.Context(), run, int64(race), markBy(i), fmt.Appendf(nil, "race %d racer %d", race, i))
		})
		expectMark(t, stores[race%2], markBy(winner(t, errs, store.ErrConflict)))
	}
}
