package storetest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

func testRecords(t testing.TB, b Backend) {
	st := b.New(t)
	expect(t, st, run, 1)
	write(t, st, run, 0)
	expectRuns(t, st)
	write(t, st, run, 0, `{"n":1}`)
	write(t, st, run, 1, `{"n":2}`, `{"n":3}`, `{"n":4}`)
	expect(t, st, run, 1, `{"n":1}`, `{"n":2}`, `{"n":3}`, `{"n":4}`)
	expectRuns(t, st, run)

	odd := []string{"", "\n", "\x00", " x ", "\r\n", "'; --", `\x00`, "\xff\xfe", "e\u0301", `{"b":1,"a":1.0}`,
		strings.Repeat("\x00", 2000), strings.Repeat("#1 1-1 0\n", 100)}
	for i := range 256 {
		odd = append(odd, string([]byte{byte(i)}))
	}
	for i, record := range odd[:12] {
		write(t, st, "one by one", int64(i), record)
	}
	expect(t, st, "one by one", 1, odd[:12]...)
	write(t, st, "at once", 0, odd...)
	expect(t, st, "at once", 1, odd...)

	large := strings.Repeat("0123456789abcdef", 4<<20/16)
	write(t, st, "large", 0, "a", large, "b")
	expect(t, st, "large", 1, "a", large, "b")
	many := slices.Repeat([]string{"a", "b", "c", "d"}, 125)
	write(t, st, "many", 0, many...)
	expect(t, st, "many", 1, many...)
}

func testOwnBytes(t testing.TB, b Backend) {
	st := b.New(t)
	mine := asBytes([]string{"first", "second"})
	require.NoError(t, st.Append(t.Context(), run, 0, mine...))
	require.Equal(t, asBytes([]string{"first", "second"}), mine, "Append changed the records of its caller")
	for _, data := range mine {
		clear(data)
	}
	expect(t, st, run, 1, "first", "second")
	entries, err := collect(t, st.Read(t.Context(), run, 1))
	require.NoError(t, err)
	for _, e := range entries {
		clear(e.Data[:cap(e.Data)])
	}
	expect(t, st, run, 1, "first", "second")
}

func testFrom(t testing.TB, b Backend) {
	st := b.New(t)
	all := []string{"1", "2", "3", "4", "5", "6", "7"}
	write(t, st, run, 0, all[:3]...)
	write(t, st, run, 3, all[3:]...)
	for _, from := range []int64{-1 << 63, -1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 1<<63 - 1} {
		expect(t, st, run, from, all[min(max(from, 1)-1, 7):]...)
	}
	for range 20 { // a lock or a cursor that stays open would stop a later call
		begin(t, st.Read(t.Context(), run, 1))
		begin(t, st.Runs(t.Context()))
	}
	twice := st.Read(t.Context(), run, 1)
	begin(t, twice)
	entries, err := collect(t, twice)
	require.NoError(t, err)
	require.Len(t, entries, len(all), "what Read returned is used a second time")
	for e, err := range st.Read(t.Context(), run, 1) {
		require.NoError(t, err)
		if e.Seq == 1 {
			write(t, st, run, 7, "8")
		}
	}
	expect(t, st, run, 1, append(all, "8")...)
}

func testConflict(t testing.TB, b Backend) {
	first := b.New(t)
	write(t, first, run, 0, "1", "2", "3")
	second := b.Reopen(t, first)
	for _, st := range []store.Store{first, second} {
		for _, records := range [][]string{nil, {"new", "newer"}} {
			for _, after := range []int64{-1, 0, 1, 2, 4, 5, 1 << 40} {
				expectConflict(t, st.Append(t.Context(), run, after, asBytes(records)...), run, after, 3)
			}
			expectConflict(t, st.Append(t.Context(), "unknown", 1, asBytes(records)...), "unknown", 1, 0)
		}
		write(t, st, run, 3) // compares only
		expect(t, st, run, 1, "1", "2", "3")
		expectRuns(t, st, run)
	}
	write(t, second, run, 3, "4")
	expectConflict(t, first.Append(t.Context(), run, 3, []byte("late")), run, 3, 4)
	write(t, first, run, 4, "5")
	expectConflict(t, second.Append(t.Context(), run, 4), run, 4, 5)
	write(t, second, "run 2", 0, "1")
	expectRuns(t, first, run, "run 2")
	expect(t, b.Reopen(t, first), run, 1, "1", "2", "3", "4", "5")
}

func testIDs(t testing.TB, b Backend) {
	st := b.New(t)
	ids := []string{"a", "A", "a a", "á", "a\u0301", "a.", "a/b", `a\b`, "a%2fb", "..", "../a", "a'b", `a"b`, "a_b", "a%", "a:b", "a*", "a?", "con", "nul.txt", "COM1", "~a", "-a",
		"日本語", "🧾", "ß", "SS", strings.Repeat("x", 80), strings.Repeat("Ü", 40), "order 2026-11-20T18:30:00Z", "b", "B", "10", "9", "é", "z", "Z"}
	slices.Sort(ids)
	for _, id := range ids {
		write(t, st, id, 0, "of "+id)
	}
	for _, id := range slices.Backward(ids) {
		write(t, st, id, 1, "more of "+id)
	}
	for _, id := range ids {
		expect(t, st, id, 1, "of "+id, "more of "+id)
	}
	expectRuns(t, st, ids...)
}

// calls returns the methods of a store for a run with one record.
func calls(t testing.TB, st store.Store) map[string]func(ctx context.Context, run string) error {
	list := map[string]func(context.Context, string) error{
		"Append": func(ctx context.Context, run string) error { return st.Append(ctx, run, 1, []byte("2")) },
		"Read":   func(ctx context.Context, run string) error { _, err := collect(t, st.Read(ctx, run, 1)); return err },
		"Drive":  func(ctx context.Context, run string) error { _, err := st.Drive(ctx, run, false); return err },
		"Delete": st.Delete,
	}
	if index, ok := st.(store.Index); ok {
		list["Marked"] = func(ctx context.Context, run string) error { _, err := index.Marked(ctx, run); return err }
		list["AppendMarked"] = func(ctx context.Context, run string) error {
			return index.AppendMarked(ctx, run, 1, markOf(run, 2, "ended", noon), []byte("2"))
		}
	}
	return list
}

func testBadIDs(t testing.TB, b Backend) {
	st := b.New(t)
	for name, call := range calls(t, st) {
		for _, id := range []string{"", "a\x00b", "a\nb", "\u0085", "\xff", "a\u202eb", " ", strings.Repeat("x", 81)} {
			assert.ErrorIs(t, call(t.Context(), id), store.ErrRun, "%s of run %q: it may call store.CheckRun", name, id)
		}
	}
	expectRuns(t, st)
}

func testContext(t testing.TB, b Backend) {
	st := b.New(t)
	write(t, st, run, 0, "1")
	cause := errors.New("storetest: stopped")
	done, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	all := calls(t, st)
	all["the first Append"] = func(ctx context.Context, _ string) error { return st.Append(ctx, "run 2", 0, []byte("1")) }
	all["Runs"] = func(ctx context.Context, _ string) error { _, err := collect(t, st.Runs(ctx)); return err }
	if index, ok := st.(store.Index); ok {
		all["Marks"] = func(ctx context.Context, _ string) error {
			_, err := collect(t, index.Marks(ctx, store.Query{}))
			return err
		}
	}
	for name, call := range all {
		err := call(done, run)
		assert.True(t, errors.Is(err, context.Canceled) || errors.Is(err, cause), "%s returns %v, and its context is done", name, err)
	}
	expect(t, st, run, 1, "1")
	expectRuns(t, st, run)
	release(t, drive(t, st, run, false, false))
}

func testGoroutines(t testing.TB, b Backend) {
	st := b.New(t)
	seq := int64(0)
	use := func(times int) {
		for range times {
			write(t, st, run, seq, "x", "y")
			seq += 2
			require.Error(t, st.Append(t.Context(), run, 0, []byte("x")))
			begin(t, st.Read(t.Context(), run, 1))
			expectRuns(t, st, run)
			write(t, st, "gone", 0, "x")
			require.NoError(t, st.Delete(t.Context(), "gone"))
			release(t, drive(t, st, run, false, false))
		}
	}
	use(5) // a store may keep what it starts once
	most := runtime.NumGoroutine() + 5
	use(20)
	for range 100 { // some are ending
		if runtime.NumGoroutine() <= most {
			return
		}
		<-time.After(5 * time.Millisecond)
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), most, "the goroutines after 140 calls")
}
