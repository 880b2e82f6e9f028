// Package storetest has the test of whoever implements a [store.Store].
//
// # A suite
//
// [Run] checks a store. The implementer says how to make one, and how another
// process opens the same storage:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, storetest.Backend{
//			New:    func(t testing.TB) store.Store { return mine.New(t, newDatabase(t)) },
//			Reopen: func(t testing.TB, s store.Store) store.Store { return mine.New(t, s.(*mine.Store).Database()) },
//		})
//	}
//
// Each of these is a subtest, and a failure says what is wrong and why it matters.
//
//   - empty: a store that nobody has used has no runs, and reading one is no error.
//   - order: records come back in their order, with the seqs 1, 2, 3.
//   - bytes: a record is any bytes, none at all as well.
//   - large: a record of 4 MiB, and 500 records at once.
//   - own bytes: the caller may change what was appended, and what was read.
//   - from: reading begins where it was asked to, also before the first record and
//     behind the last.
//   - break off: reading can stop anywhere, and be done again.
//   - conflict: an Append that is too late, or too early, is a [store.ConflictError] with
//     the last seq, and leaves nothing.
//   - run ids: ids that are alike are other runs, and all are listed in the order of
//     their bytes.
//   - bad run ids: what [store.CheckRun] refuses is refused.
//   - context: nothing happens under a context that is done, and the error says so.
//   - one wins: of several Appends with one seq, by two stores of one storage, one
//     succeeds.
//   - while writing: who reads what is being written sees whole Appends only.
//   - reopened: what was appended is there for another store, and both can go on.
//   - driven: while somebody drives a run, another one gets [store.ErrDriven], by
//     the same store and by another one; reading and appending go on, and so do other runs.
//   - taken over: a take-over succeeds, says so, and the Release of who lost the run
//     changes nothing.
//   - one drives: of several that ask for a run at once, one gets it.
//   - kept: a run that is driven stays so for six seconds; with -short not for as long.
//   - bad drives: what CheckRun refuses, and a context that is done.
//   - deleted: a run is gone for every store, others are not, and its id begins another run; to delete
//     what is not there is no error.
//   - not deleted: of a run that somebody drives, nothing is deleted.
//   - deleted while read: who reads meanwhile gets whole Appends of the old run, or an error that is
//     not damage.
//   - deleted while written: an Append at the same time is a conflict, or comes first.
//   - bad deletes: what CheckRun refuses, and a context that is done.
//   - goroutines: calls leave none.
//
// Of a [store.Index] Run checks these as well:
//
//   - marks: the mark is that of the last AppendMarked, also for another store.
//   - late marks: an AppendMarked that is too late, or under a context that is done, leaves neither records nor
//     a mark.
//   - queries: 700 runs are found by what [store.Query] says, in its order.
//   - used while listed: who lists marks may set them meanwhile, and gets each run once.
//   - one marks: of several AppendMarked with one seq one succeeds, with its mark.
//
// The others build on the first two and do not run when those fail. Without
// Backend.Reopen, "reopened" is skipped, and the checks that want two stores have one.
//
// Not checked is what a program cannot do to itself: a power cut, a disk that is full, a
// bit that flips, the death of a process that drives a run. Package store has tests of that for its files.
package storetest
