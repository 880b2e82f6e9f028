// Package store keeps the journals of runs. A journal is a list of records that only grows. A record is bytes,
// usually a JSON object on one line; package durable knows what is in it.
//
// # A journal
//
// Each run has one journal, under the id of the run. Its records have the seqs 1, 2, 3. Append takes the last seq
// that its caller knows, and refuses to append if that is not the last one of the journal:
//
//	err := store.Append(ctx, "order 12", 0, []byte(`{"kind":"round"}`))             // begins it
//	err = store.Append(ctx, "order 12", 1, []byte(`{"kind":"call"}`), []byte("…")) // two at once
//	err = store.Append(ctx, "order 12", 1, []byte(`{"kind":"call"}`))             // a *ConflictError: its last is 3
//
// So when two processes resume one run, exactly one goes on, and the other one learns of it before it acts.
// Records of one Append are there all together or not at all.
//
// The refused process has already called its model by then. Drive prevents that: it gives the run to one holder,
// and everybody else gets [ErrDriven]:
//
//	hold, err := store.Drive(ctx, "order 12", false)
//	…
//	err = hold.Release(ctx)
//
// Reading is a loop. It yields all whole records, and an error only as the last thing:
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
// [Memory] lasts as long as the process. [Files] keeps a file for each run in a folder, for any number of processes
// on this machine; locks on a network file system may not hold. A [Store] of your own has five methods. [Drives] can
// implement Drive, and storetest.Run tests all five. A store that is an [Index] also lists runs without their journals.
//
// # Files
//
// You can read a file with a pager. The first line has the version, the run and a checksum. Each record has a line of
// numbers and, on the next line, its bytes:
//
//	agentfsm journal 1 "order 12" e17e1ec4
//	#1          1-1                   16         ff4680aa dd052d5a
//	{"kind":"round"}
//
// Beside run-x.journal there are the empty file run-x.lock, which is locked while a process drives the run, and
// run-x.mark with the last mark, which is not synced and which you may delete. All are for their owner only.
//
// # What is promised of files
//
//   - Once Append has returned nil, its records survive a kill of the process, and a power cut if the disk keeps what
//     it reports as written. On Windows NTFS keeps the name of a new file, because a folder cannot be synced there.
//   - An Append that fails writes nothing, or returns [ErrUncertain]: it may have written.
//   - Nobody reads records of an Append that was interrupted. The next Append cuts them off and reports that to
//     FilesOptions.Logger.
//   - A flipped bit, a missing or doubled part, or foreign bytes are a [DamageError] with file, seq and offset. Read
//     yields the records before the damage first, and Append refuses such a file. Restore it from a copy, or truncate
//     it at the offset, which loses the records after it.
//   - Who drives a run whose file was deleted, or replaced by another one, learns that at the next Append, by an error
//     that wraps [ErrConflict].
//   - A file of a newer version is [ErrVersion]; no method changes it.
//
// A file that ends too early, or that ends in a sector of zeros which the disk has not written, counts as an
// interrupted Append, unless its mark is of records that are not there any more: that is a [DamageError]. So Read
// cannot notice that the end behind the mark was cut off, or a flipped bit in the last record if that record has a
// sector of zeros of its own; a text has none.
//
// An Append is one write and one sync, whatever the size of the file; the first Append of a process to a run reads the
// file before that. Read reads from the start of the file, or from its mark on, and holds one record at a time.
//
// Several goroutines may call everything here. Appends to one run take turns. Read takes no lock and waits for nobody.
package store
