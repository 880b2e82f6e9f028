// Package storetest tests implementations of [store.Store].
//
// [Run] has a subtest for each of these:
//
//   - records: records come back in their order, with the seqs 1, 2, 3, and byte for byte: no bytes at all,
//     any bytes, 4 MiB, 500 at once. To read a run that does not exist is no error.
//   - own bytes: the caller may change what it appended and what it read.
//   - from: reading begins at any seq, and can stop anywhere.
//   - conflict: an Append behind another record than the last one is a [store.ConflictError] and changes nothing,
//     in each store of the storage. Each goes on behind the records of the other.
//   - ids: similar ids are different runs. Runs lists them in the order of their bytes.
//   - bad ids: each method refuses what [store.CheckRun] refuses.
//   - context: no method does anything if its context is done.
//   - one appends: of several Appends after the same record one succeeds.
//   - while appending: a reader sees only whole Appends.
//   - driven: Drive and Delete of a run that is driven are [store.ErrDriven], in each store. Other calls and runs go on.
//   - taken over: a take-over succeeds, and the holder that lost the run cannot release it.
//   - one drives: of several Drives at once one succeeds.
//   - kept: a holder keeps its run for six seconds (not with -short).
//   - deleted: a deleted run is gone in each store, other runs stay, and the id begins a new run.
//   - deleted while read: the reader gets whole Appends of the old run, or an error that is not damage.
//   - deleted while appending: the Append comes first, or is a conflict.
//   - goroutines: calls leave no goroutine behind.
//
// If the store is a [store.Index], there are these as well:
//
//   - marks: a run has the mark of its last AppendMarked, in each store.
//   - late marks: an AppendMarked after another record than the last one leaves no record and no mark.
//   - queries: Marks finds what [store.Query] describes among 700 runs, in its order.
//   - marked while listed: a caller may set marks while it lists them, and gets each run once.
//   - one marks: of several AppendMarked after the same record one succeeds, with its mark.
//
// A program cannot test its own death, a power cut, a full disk or a flipped bit: package store has tests of these for
// its files.
package storetest
