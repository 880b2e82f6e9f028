// Package store keeps runs. Each run has a journal: a list of records that only grows. A record
// is bytes, usually an object of JSON on one line; package durable knows what is in it.
//
// # A journal
//
// Each run has one, under an id. Its records have seqs: 1 for the first, 2 for the next.
// Who appends says behind which record, and is refused when that is not the last one:
//
//	err := store.Append(ctx, "order 12", 0, []byte(`{"kind":"round"}`))             // begins it
//	err = store.Append(ctx, "order 12", 1, []byte(`{"kind":"call"}`), []byte("…")) // two at once
//	err = store.Append(ctx, "order 12", 1, []byte(`{"kind":"call"}`))             // a *ConflictError: its last is 3
//
// So of two processes that resume one run exactly one goes on, and the other one
// learns of it before it has acted. What is appended at once is there as a whole or not
// at all.
//
// That comes late: the other one has called its model by then. So who drives a run has it to
// itself by Drive, and everybody else is refused with an [ErrDriven] before that:
//
//	hold, err := store.Drive(ctx, "order 12", false)
//	…
//	err = hold.Release(ctx)
//
// Reading is a loop. An error is the last thing it yields, behind all that is whole:
//
//	for entry, err := range store.Read(ctx, "order 12", 1) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(entry.Seq, string(entry.Data))
//	}
//
// # Stores
//
// [Memory] lasts as long as the process. [Files] has a file for each run in a folder of a
// disk of this machine, for any number of processes; a file system of the network may have
// no locks that hold. Another [Store] has four methods, the last of which [Drives] and [Locks] implement
// for most, and storetest.Run says whether it does what it should.
//
// # Files
//
// A file is made to be read with a pager: a line that says what follows, and the record
// on the next.
//
//	agentfsm journal 1 "order 12" e17e1ec4
//	#1          1-1                   16         ff4680aa dd052d5a
//	{"kind":"round"}
//	#2          2-3                   15         2858c073 22328561
//	{"kind":"call"}
//	#3          2-3                   17         4a0b9079 358c2cef
//	{"kind":"intent"}
//
// After the seq of a record come the seqs of what was appended with it, its length in bytes,
// and CRC-32C checksums of the record and of the line. The first line has the version,
// the run, and a checksum. Records may have secrets in them, so folder and files are for
// their owner only.
//
// Beside run-x.journal there is run-x.lock, which is locked while somebody drives the run, and
// empty else. run-x.moved, empty as well, is there once the run was taken over from a process that hung within an
// Append. Delete them together.
//
// # What is promised of files
//
//   - What Append has returned nil for is there after the process is killed, and after a
//     power cut, as far as the disk keeps what it says it has written. On Windows the
//     name of a new file is left to NTFS, since a folder cannot be synced there.
//   - An Append that fails leaves nothing, or says that it may have: [WriteError]. The next
//     Append reads the file again before it writes.
//   - An Append that was interrupted has left nothing that is read. The next one cuts off
//     what there is of it, and reports that to FilesOptions.Logger.
//   - A bit that flips anywhere, a part that is missing or twice, or bytes of somebody
//     else are a [DamageError] with file, seq and offset, behind the records before it.
//     Nobody appends to such a file. It is mended by hand, from a copy, or by truncating
//     it at that offset, which loses what is behind it.
//   - A file of a newer version is an [ErrVersion], and is left as it is.
//
// An interrupted Append shows in a file that ends too early, or in a sector of zeros that
// the disk has not written. So two things cannot be told from it: that somebody cut the
// end of a file off, and that the last record, of all, has a flipped bit and a sector of
// zeros of its own. Text has none.
//
// After an fsync that failed a system takes for written what is not. So what was last
// appended by somebody else, or by nobody knows whom, is written and synced once more
// before anything is put behind it.
//
// # Cost
//
// An Append is one write and one fsync, whatever is in the file already; the first
// one of a process to a run reads the file before that. Read reads from the start of the
// file and holds one record at a time. No file is open between calls, but the lock of a run that is
// driven, and no goroutine is ever started, so that a run that waits costs nothing but its files.
//
// # Concurrency
//
// Everything may be called by several goroutines. Appends to one run take turns, those to
// others do not wait for them. Read takes no lock: it waits for nobody and keeps nobody
// waiting.
package store
