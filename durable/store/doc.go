// Package store keeps the journals of runs. A journal is a list of records that only grows. A
// record is bytes, usually a JSON object on one line; package durable knows what is in it.
//
// # A journal
//
// Each run has one journal, under the id of the run. Its records are numbered 1, 2, 3: these are
// their seqs. Append takes the seq of the last record that its caller knows, and refuses to append
// when that is not the last one of the journal:
//
//	err := store.Append(ctx, "order 12", 0, []byte(`{"kind":"round"}`))             // begins it
//	err = store.Append(ctx, "order 12", 1, []byte(`{"kind":"call"}`), []byte("…")) // two at once
//	err = store.Append(ctx, "order 12", 1, []byte(`{"kind":"call"}`))             // a *ConflictError: its last is 3
//
// So when two processes resume one run, exactly one goes on, and the other one learns of
// it before it acts. Records of one Append are there all together or not at all.
//
// The refused process has already called its model by then. Drive prevents that: it gives the
// run to one holder, and everybody else gets [ErrDriven]:
//
//	hold, err := store.Drive(ctx, "order 12", false)
//	…
//	err = hold.Release(ctx)
//
// Delete deletes a run that nobody drives. Its id is free then.
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
// [Memory] lasts as long as the process. [Files] keeps a file for each run in a folder, for any
// number of processes on this machine; locks on a network file system may not hold. A [Store] of
// your own has five methods. [Drives] can implement the method Drive, and storetest.Run
// tests all five.
//
// Memory and Files also keep a mark of each run, by which runs are listed without their journals: see
// [Index]. A Store of your own need not.
//
// # Files
//
// You can read a file with a pager: for each record it has a line of numbers and, on the next
// line, the record.
//
//	agentfsm journal 1 "order 12" e17e1ec4
//	#1          1-1                   16         ff4680aa dd052d5a
//	{"kind":"round"}
//	#2          2-3                   15         2858c073 22328561
//	{"kind":"call"}
//	#3          2-3                   17         4a0b9079 358c2cef
//	{"kind":"intent"}
//
// The line of numbers has the seq of the record, the seqs of the records that were appended with it,
// its length in bytes, and CRC-32C checksums of the record and of the line. The first line of the file
// has the version, the run, and a checksum. Records may contain secrets, so only the owner can read the
// folder and its files.
//
// Beside run-x.journal there is the empty file run-x.lock, which is locked while somebody drives the
// run. The empty file run-x.moved is there after the run was taken over from a process that hung within
// an Append. The file run-x.mark has the last mark of the run. It is not synced, and what does not fit the
// journal counts for nothing: you may delete it. Delete deletes all four.
//
// # What is promised of files
//
//   - Once Append has returned nil, its records survive a kill of the process, and a power cut if
//     the disk keeps what it reports as written. On Windows NTFS keeps the name of a new file,
//     because a folder cannot be synced there.
//   - An Append that fails writes nothing, or returns [ErrUncertain]: it may have written. The next Append reads the file again before it writes.
//   - Nobody reads records of an Append that was interrupted. The next Append cuts them off and
//     reports that to FilesOptions.Logger.
//   - A flipped bit, a missing or doubled part, or foreign bytes are a [DamageError] with file, seq
//     and offset. Read yields the records before the damage first, and Append refuses such a file.
//     Restore it from a copy, or truncate it at the offset, which loses the records after it.
//   - Who drives a run whose file was deleted, or replaced by another one, learns that at the next Append,
//     by an error that wraps [ErrConflict].
//   - A file of a newer version is [ErrVersion]; no method changes it.
//
// A file that ends too early, or that ends in a sector of zeros which the disk has not written, counts
// as an interrupted Append, unless its mark is of records that are not there any more: that is a
// [DamageError]. So Read cannot notice that somebody cut off the end of a file behind its mark, or of one without a mark. Nor does it
// notice a flipped bit in the last record, if that record has a sector of zeros of its own; a text has none.
//
// After an fsync that failed, a system may take data for written that are not. So Append writes and syncs
// the last records once more before it adds to them, unless this process wrote them itself.
//
// # Cost
//
// An Append is one write and one sync, whatever the size of the file; the first Append of a
// process to a run reads the file before that. On Unix the file of a run stays open while the process
// drives the run: on Linux an Append makes six system calls then, and otherwise ten. Read reads from the start of
// the file and holds one record at a time.
//
// Between calls only two files of each driven run are open, its journal and its lock, and no goroutine
// runs. Release closes them. So a run that waits costs only its files.
//
// # Concurrency
//
// Several goroutines may call everything here. Appends to one run take turns; Appends to other runs
// do not wait for them. Read takes no lock, waits for nobody, and makes nobody wait.
package store
