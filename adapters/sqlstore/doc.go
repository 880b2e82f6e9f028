// Package sqlstore keeps journals of runs in a database, SQLite or PostgreSQL.
//
// # Journals
//
// A [Store] is a [store.Index]: it is given to package durable, or to a service of package runs:
//
//	store, err := sqlstore.OpenSQLite(ctx, "runs.db", nil)
//	store, err := sqlstore.OpenPostgres(ctx, "host=db dbname=runs", nil)
//
// Several processes may use one database. Both have the same tables, which are created where there are
// none: agentfsm_runs, with the mark of each run, and agentfsm_records, the records as bytes, each with a checksum;
// and agentfsm_schema with their version. Tables of a newer version are a [store.ErrVersion] and are left as they are.
//
// The mark of a run is set in the transaction of its records. Marks finds runs by indexes: a page of 100 of
// 100,000 takes some milliseconds.
//
// Nothing but [Store.Delete] deletes a run.
//
// # Who drives a run
//
// A round has its run by [Store.Drive]. In SQLite that is a lock of its process; in PostgreSQL a lease of less than five
// seconds by the clock of the server, which the Hold extends. That keeps two processes from doing the same work in
// vain. It does not keep them from doing it: a process may stand still for an hour, with a command half sent, and
// go on without knowing that another one has the run.
//
// What keeps two processes from acting for one run is the journal. A round appends its intent before it acts, behind
// the last record that it knows of, and when another process has appended meanwhile, that is a
// [store.ConflictError], and it does not act. So clocks do no harm.
//
// # What is durable
//
//   - What Append has returned nil for is there after the process or
//     the server is killed, and after a power cut, as far as the disk keeps what it says it
//     has written. With PostgreSQL fsync has to be on, as it is unless somebody has turned
//     it off; commits are waited for also where synchronous_commit is off.
//   - With SQLite the database has a WAL, which each commit syncs (synchronous is FULL). Besides
//     the file there are two more, whose names end in -wal and -shm. Whoever copies
//     the database while it is in use copies it with VACUUM INTO. It has to be on a disk of this
//     machine.
//   - An Append that fails has left nothing, or says that it may have: [store.ErrUncertain]. That
//     is so when SQLite could not finish a commit, when the connection to PostgreSQL broke
//     and there was no other to ask, or when the context ended while the server worked. Read
//     tells. An Append whose answer was lost is never repeated blindly: records have the random
//     number of their Append, by which it finds out whether they are its own.
//   - A disk that is full is [ErrFull]. Nothing is lost by it.
//   - A record whose bytes are not what was appended, or that is missing, is a [store.DamageError],
//     behind the records before it, and so is a file that SQLite cannot make sense of. A lost
//     page that SQLite can make sense of without is not found by reading: PRAGMA integrity_check
//     looks for that.
//
// Records may have secrets in them. A file of SQLite is created for its owner only.
//
// # Concurrency
//
// Everything may be called by several goroutines. Append is one transaction. Read, Runs and Marks read
// in pages, and have neither a connection nor a lock while what they yield is used. Calls wait
// for a lock as long as their context lasts, without a bound of their own. With SQLite one
// process writes at a time; readers do not wait.
//
// No goroutine of this package outlives the call that started it. The drivers have some of
// theirs for open connections, which Close ends, and pgx one that cleans up for a short while
// after a call that was broken off.
package sqlstore
