package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// batchOf is what one of several calls appends.
func batchOf(race, racer int) []string {
	return []string{fmt.Sprintf("race %d racer %d first", race, racer), fmt.Sprintf("race %d racer %d second", race, racer)}
}

func testOneAppends(t testing.TB, b Backend) {
	first, second := b.two(t)
	stores := []store.Store{first, second}
	var want []string
	for race := range races {
		if race == races/2 { // that one of them drives the run changes nothing
			defer release(t, drive(t, first, run, false, false))
		}
		errs := together(func(i int) error {
			return stores[i%2].Append(t.Context(), run, int64(2*race), asBytes(batchOf(race, i))...)
		})
		want = append(want, batchOf(race, winner(t, errs, store.ErrConflict))...)
		expect(t, stores[race%2], run, 1, want...)
	}
}

func testWhileAppending(t testing.TB, b Backend) {
	st, other := b.two(t)
	var errs [racers]error
	over := make(chan struct{})
	go func() {
		defer close(over)
		errs = together(func(w int) error { // each has a run of its own. The first one is read
			for i := range races {
				if err := st.Append(t.Context(), fmt.Sprint("run ", w), int64(2*i), asBytes(batchOf(i, w))...); err != nil {
					return err
				}
			}
			return nil
		})
	}()
	defer func() { <-over }()
	seen := 0
	for last := false; !last; {
		select {
		case <-over:
			last = true
		default:
		}
		got, err := read(t.Context(), t, other, "run 0", 1)
		require.NoError(t, err, "Read while others append")
		require.Zero(t, len(got)%2, "Read yields a part of an Append: %d records", len(got))
		require.GreaterOrEqual(t, len(got), seen, "Read yielded more before")
		seen = len(got)
		for i := range seen / 2 {
			require.Equal(t, batchOf(i, 0), got[2*i:2*i+2])
		}
	}
	for _, err := range errs {
		require.NoError(t, err, "Append while others read and append to other runs")
	}
	require.Equal(t, 2*races, seen, "the records that Read yields after all Appends")
}

// drive drives a run that is free, or takes it over.
func drive(t testing.TB, st store.Store, run string, takeOver, took bool) store.Hold {
	t.Helper()
	hold, err := st.Drive(t.Context(), run, takeOver)
	require.NoError(t, err, "Drive of run %q, takeOver: %t", run, takeOver)
	require.Equal(t, took, hold.Took(), "Took of a Hold of run %q", run)
	return hold
}

// expectDriven drives and deletes a run that is driven.
func expectDriven(t testing.TB, st store.Store, run string) {
	t.Helper()
	_, err := st.Drive(t.Context(), run, false)
	require.ErrorIs(t, err, store.ErrDriven, "Drive of run %q, which is driven", run)
	require.ErrorContains(t, err, fmt.Sprintf("%q", run))
	require.ErrorIs(t, st.Delete(t.Context(), run), store.ErrDriven, "Delete of run %q, which is driven", run)
}

func release(t testing.TB, hold store.Hold) {
	t.Helper()
	require.NoError(t, hold.Release(t.Context()), "Release")
}

func testDriven(t testing.TB, b Backend) {
	first, second := b.two(t)
	hold := drive(t, first, run, false, false)
	for _, st := range []store.Store{first, second} {
		expectDriven(t, st, run)
		other := drive(t, st, "run 2", false, false)
		expectDriven(t, second, "run 2")
		release(t, other)
	}
	expectRuns(t, second)
	write(t, second, run, 0, "1")
	write(t, first, run, 1, "2")
	expect(t, second, run, 1, "1", "2")
	expectDriven(t, second, run)
	expect(t, first, run, 1, "1", "2")
	release(t, hold)
	again := drive(t, second, run, false, false)
	release(t, hold) // it holds nothing any more
	expectDriven(t, first, run)
	release(t, again)
	release(t, again)
	release(t, drive(t, first, run, false, false))
}

func testTakenOver(t testing.TB, b Backend) {
	first, second := b.two(t)
	free := drive(t, second, run, true, false)
	expectDriven(t, first, run)
	release(t, free)
	write(t, first, run, 0, "1")
	lost := drive(t, first, run, false, false)
	taken := drive(t, second, run, true, true)
	write(t, second, run, 1, "2")
	expectConflict(t, first.Append(t.Context(), run, 1, []byte("late")), run, 1, 2)
	release(t, lost)
	expectDriven(t, first, run)
	release(t, taken)
	release(t, drive(t, first, run, false, false))
}

func testOneDrives(t testing.TB, b Backend) {
	first, second := b.two(t)
	for range races {
		var holds [racers]store.Hold
		errs := together(func(i int) (err error) {
			holds[i], err = []store.Store{first, second}[i%2].Drive(t.Context(), run, false)
			return err
		})
		release(t, holds[winner(t, errs, store.ErrDriven)])
	}
}

func testKept(t testing.TB, b Backend) {
	lease := 6 * time.Second // longer than a store needs to notice that a holder died
	if testing.Short() {
		lease = 10 * time.Millisecond
	}
	first, second := b.two(t)
	hold := drive(t, first, run, false, false)
	<-time.After(lease)
	expectDriven(t, second, run)
	release(t, hold)
}

func testDeleted(t testing.TB, b Backend) {
	first, second := b.two(t)
	require.NoError(t, first.Delete(t.Context(), run), "Delete") // it does not exist
	write(t, first, run, 0, "1", "2", "3")
	write(t, second, "run 2", 0, "a", "b")
	for _, st := range []store.Store{second, first} {
		require.NoError(t, st.Delete(t.Context(), run), "Delete")
		for _, look := range []store.Store{first, second} {
			expect(t, look, run, 1)
			expectRuns(t, look, "run 2")
			expect(t, look, "run 2", 1, "a", "b")
			expectConflict(t, look.Append(t.Context(), run, 3, []byte("late")), run, 3, 0)
			expectConflict(t, look.Append(t.Context(), run, 3), run, 3, 0)
		}
		require.NoError(t, first.Delete(t.Context(), run), "Delete")
		release(t, drive(t, second, run, false, false))
		write(t, first, run, 0, "new")
		write(t, second, run, 1, "newer")
		expect(t, first, run, 1, "new", "newer")
		expectConflict(t, first.Append(t.Context(), run, 3, []byte("late")), run, 3, 2)
	}
}

func testDeletedWhileRead(t testing.TB, b Backend) {
	const page = 200 // records of an Append
	for _, again := range []bool{false, true} {
		st, other := b.two(t)
		for i := range int64(4) {
			write(t, st, run, i*page, slices.Repeat([]string{"old"}, page)...)
		}
		seen := 0
		var end error
		for e, err := range st.Read(t.Context(), run, 1) {
			if end = err; end != nil {
				break
			}
			seen++
			require.Equal(t, "old", string(e.Data), "what Read yields of a run that was deleted meanwhile")
			// A store may refuse to delete a run that is being read.
			if seen == 1 && other.Delete(t.Context(), run) == nil && again {
				write(t, other, run, 0, "new", "newer", "newest")
			}
		}
		require.NotErrorIs(t, end, store.ErrDamaged, "Read of a run that was deleted meanwhile")
		if end == nil {
			require.Zero(t, seen%page, "Read of a run that was deleted meanwhile yields %d records, a part of an Append", seen)
		}
	}
}

func testDeletedWhileAppending(t testing.TB, b Backend) {
	st, other := b.two(t)
	for range races {
		write(t, st, run, 0, "1")
		errs := together(func(i int) error {
			if i == 0 {
				return other.Delete(t.Context(), run)
			}
			return st.Append(t.Context(), run, 1, asBytes(batchOf(0, i))...)
		})
		require.NoError(t, errs[0], "Delete while others append")
		for _, err := range errs[1:] {
			if err != nil {
				require.ErrorIs(t, err, store.ErrConflict, "Append while the run is deleted")
			}
		}
		expect(t, st, run, 1)
		expectRuns(t, other)
	}
}
