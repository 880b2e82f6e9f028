// Package store keeps the journals of runs. A journal is a list of records that only grows. A record is bytes,
// usually a JSON object on one line; package durable knows what is in it.
//
// Each run has one journal, under the id of the run. Its records have the seqs 1, 2, 3. Append takes the last seq
// that its caller knows. If the journal has another one, it appends nothing:
//
//	err := store.Append(ctx, "order 12", 0, []byte(`{"kind":"round"}`))             // begins it
//	err = store.Append(ctx, "order 12", 1, []byte(`{"kind":"call"}`), []byte("…")) // two at once
//	err = store.Append(ctx, "order 12", 1, []byte(`{"kind":"call"}`))             // a *ConflictError: its last is 3
//
// So if two processes resume one run, exactly one goes on. The other one learns of it before it acts, but has called its
// model by then. Drive prevents that: it gives the run to one holder, and others get [ErrDriven]:
//
//	hold, err := store.Drive(ctx, "order 12", false)
//	…
//	err = hold.Release(ctx)
//
// Read yields the records, and an error only at the end:
//
//	for entry, err := range store.Read(ctx, "order 12", 1) {
//		…
//	}
//
// # Stores
//
// [Memory] lasts as long as the process. [Files] keeps a file for each run in a folder, for any number of processes
// on this machine; locks on a network file system may not hold. A [Store] of your own has five methods. [Drives] can
// implement Drive, and storetest.Run tests all five. An [Index] also lists runs without reading their journals.
//
// # Files
//
// A file is text. Its first line has the version, the run and a checksum. Each record has a line of numbers and, on the
// next line, its bytes:
//
//	agentfsm journal 1 "order 12" e17e1ec4
//	#1          1-1                   16         ff4680aa dd052d5a
//	{"kind":"round"}
//
// Beside run-x.journal there are run-x.lock, which is locked while a process drives the run, and run-x.mark with the
// last mark, which is not synced and which you may delete. All are for their owner only.
//
//   - Once Append has returned nil, its records survive a kill of the process, and a power cut if the disk keeps what
//     it reports as written. NTFS keeps the name of a new file, because Windows cannot sync a folder.
//   - An Append that fails writes nothing, or returns [ErrUncertain].
//   - No Read yields records of an interrupted Append. The next Append cuts them off.
//   - A flipped bit, a missing or doubled part, or foreign bytes are a [DamageError]. Read yields the records before
//     the damage, and Append refuses the file. Restore it from a copy, or truncate it at the offset, which loses the
//     records after it.
//   - If the file of a run is deleted or replaced, its driver gets an [ErrConflict] at the next Append.
//   - A file of a newer version is [ErrVersion]. No method changes it.
//
// A file that ends too early, or in a sector of zeros, counts as an interrupted Append, unless its mark knows of more
// records: that is a [DamageError]. So Read does not notice if the end after the mark was cut off, or a flipped bit in a
// last record that has a sector of zeros of its own.
//
// An Append is one write and one sync, whatever the size of the file. The first one of a process to a run reads the file
// before that. Read holds one record at a time. It takes no lock. All of this is safe for several goroutines.
package store
