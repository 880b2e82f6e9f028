package storetest

import (
	"context"
	"iter"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Backend makes the stores that [Run] tests. Its funcs get the t of a subtest. Its Cleanup may close what they open.
type Backend struct {
	// New returns a store with an empty storage of its own, such as a folder of t.TempDir.
	New func(t testing.TB) store.Store
	// Reopen returns another store of the storage of s, as another process opens it. s stays in use. A store without a
	// shared storage returns s.
	Reopen func(t testing.TB, s store.Store) store.Store
}

// check is a subtest.
type check struct {
	name string
	test func(t testing.TB, b Backend)
}

var checks = []check{
	{"records", testRecords},
	{"own bytes", testOwnBytes},
	{"from", testFrom},
	{"conflict", testConflict},
	{"ids", testIDs},
	{"bad ids", testBadIDs},
	{"context", testContext},
	{"one appends", testOneAppends},
	{"while appending", testWhileAppending},
	{"driven", testDriven},
	{"taken over", testTakenOver},
	{"one drives", testOneDrives},
	{"kept", testKept},
	{"deleted", testDeleted},
	{"deleted while read", testDeletedWhileRead},
	{"deleted while appending", testDeletedWhileAppending},
	{"goroutines", testGoroutines},
}

var indexChecks = []check{
	{"marks", testMarks},
	{"late marks", testLateMarks},
	{"queries", testQueries},
	{"marked while listed", testMarkedWhileListed},
	{"one marks", testOneMarks},
}

// Run tests a store. The package comment lists its subtests. Run them with -race too. They count goroutines: do not
// run other tests in parallel.
func Run(t *testing.T, b Backend) {
	t.Helper()
	all := checks
	if _, ok := b.New(t).(store.Index); ok {
		all = slices.Concat(checks, indexChecks)
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) { c.test(t, b) })
	}
}

// two makes two stores of one empty storage.
func (b Backend) two(t testing.TB) (first, second store.Store) {
	first = b.New(t)
	return first, b.Reopen(t, first)
}

const run = "run 1"

// write appends records. They must be taken.
func write(t testing.TB, st store.Store, run string, after int64, records ...string) {
	t.Helper()
	require.NoError(t, st.Append(t.Context(), run, after, asBytes(records)...), "Append of %d records to run %q after record %d", len(records), run, after)
}

func asBytes(records []string) (list [][]byte) {
	for _, record := range records {
		list = append(list, []byte(record))
	}
	return list
}

// read reads a run. Its error is that of Read.
func read(ctx context.Context, t testing.TB, st store.Store, run string, from int64) (records []string, err error) {
	t.Helper()
	entries, err := collect(t, st.Read(ctx, run, from))
	for i, e := range entries {
		require.Equal(t, max(from, 1)+int64(i), e.Seq, "the seq of what Read of run %q yields", run)
		records = append(records, string(e.Data))
	}
	return records, err
}

// collect returns what a sequence yields, and the error at its end.
func collect[T any](t testing.TB, sequence iter.Seq2[T, error]) (list []T, end error) {
	t.Helper()
	for value, err := range sequence {
		require.NoError(t, end, "the sequence goes on behind an error")
		if err != nil {
			end = err
			require.Zero(t, value, "the sequence yields something with an error")
			continue
		}
		list = append(list, value)
	}
	return list, end
}

// begin takes the first value of a sequence.
func begin[T any](t testing.TB, sequence iter.Seq2[T, error]) {
	t.Helper()
	for _, err := range sequence {
		require.NoError(t, err)
		break
	}
}

// expect compares a run with what was appended.
func expect(t testing.TB, st store.Store, run string, from int64, want ...string) {
	t.Helper()
	got, err := read(t.Context(), t, st, run, from)
	require.NoError(t, err, "Read of run %q", run)
	require.Len(t, got, len(want), "Read of run %q from %d", run, from)
	for i := range want {
		if got[i] != want[i] {
			require.FailNow(t, "a record differs", "record %d of run %q has %d bytes, %.40q, not %.40q",
				max(from, 1)+int64(i), run, len(got[i]), got[i], want[i])
		}
	}
}

// expectRuns compares the list of runs.
func expectRuns(t testing.TB, st store.Store, want ...string) {
	t.Helper()
	got, err := collect(t, st.Runs(t.Context()))
	require.NoError(t, err, "Runs")
	require.True(t, slices.Equal(got, want), "Runs yields %q, not %q", got, want)
}

// expectConflict checks the error of an Append after another record than the last one.
func expectConflict(t testing.TB, err error, run string, after, last int64) {
	t.Helper()
	var conflict *store.ConflictError
	require.ErrorAs(t, err, &conflict, "an Append after record %d of run %q, which has %d", after, run, last)
	require.Equal(t, store.ConflictError{Run: run, After: after, Last: last}, *conflict)
}

const (
	racers = 8  // calls at the same time
	races  = 15 // times
)

// together makes calls at the same time.
func together(call func(i int) error) (errs [racers]error) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range errs {
		all.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

// winner returns the only call without an error. Others must have that error.
func winner(t testing.TB, errs [racers]error, lost error) int {
	t.Helper()
	winners := []int{}
	for i, err := range errs {
		if err == nil {
			winners = append(winners, i)
			continue
		}
		require.ErrorIs(t, err, lost, "of several calls at once one has another error")
	}
	require.Len(t, winners, 1, "the calls that succeed, of several at once")
	return winners[0]
}
