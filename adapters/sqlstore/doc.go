// Package sqlstore keeps journals of runs in a database, SQLite or PostgreSQL, and has a
// queue from which workers take the runs.
//
// # Journals
//
// A [Store] is a [store.Store], and is given to a round like any other:
//
//	store, err := sqlstore.OpenSQLite(ctx, "runs.db", nil)
//	store, err := sqlstore.OpenPostgres(ctx, "host=db dbname=runs", nil)
//
// Several processes may use one database. Both have the same tables, which are created where there are
// none: agentfsm_runs and agentfsm_records, the records as bytes, each with a checksum;
// agentfsm_queue; and agentfsm_schema with their version. Tables of a newer version are a
// [store.ErrVersion] and are left as they are.
//
// # Workers
//
// Who wants a run to be worked on puts it into the queue, with what is needed to begin it. Each
// worker is a loop that claims runs:
//
//	err := db.Enqueue(ctx, "order 12", []byte("make a chart"))
//
//	err := db.Work(ctx, sqlstore.WorkOptions{}, func(ctx context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
//		s, err := durable.Open(ctx, newHost(), db, l.Run, &durable.Options{
//			TakeOver: l.Tries > 1, // from a worker that lost its lease, and may hang
//		})
//		if err != nil {
//			return 0, err
//		}
//		result, err := s.Continue(ctx, string(l.Payload)) // begins, goes on, or says how it ended
//		switch {
//		case result.Outcome.Ended(): // FAIL and ERROR are ends, too
//			return sqlstore.Done, deliver(ctx, result)
//		case errors.Is(err, round.ErrSuspended) && len(result.Waits) > 0:
//			return sqlstore.Wait, nil // for an answer
//		case errors.Is(err, store.ErrConflict): // LOST
//			return sqlstore.Release, nil // somebody has appended meanwhile, such as an answer
//		}
//		return 0, err // again, after a pause
//	})
//
// A run that failed has ended: its error would come again each time. What is tried again is what
// did not come to an end: a bound that was reached, a model that is away
// (round.Options.SuspendOn: suspended, without a question), a journal that cannot be
// written. After WorkOptions.MaxTries in a row the run is put aside, where [Store.Queue] shows
// why, until somebody has mended that and calls [Store.Wake]. A worker may die between deliver
// and Done: then the result is delivered once more.
//
// A claimed run is leased for some time, which Work extends while the func runs. When
// its worker dies, the lease runs out, and another worker claims the run and goes on where the
// journal ends. A run that waits for an answer costs a row of a table. Whoever has the answer
// gives it with durable.Answer and calls [Store.Wake], before or after the worker has come to Wait:
// wakes are counted, and none is lost. Where the question has a deadline, a worker goes on with the
// run when that has passed, and the agent finds that nobody answered.
//
// What has ended stays, in the queue and in the journal, for whoever asks what came of it.
// [Store.Delete] deletes a run, and nothing else does:
//
//	for q, err := range store.Queue(ctx) {
//		if err == nil && q.State == sqlstore.Ended && time.Since(q.Free) > 30*24*time.Hour {
//			err = store.Delete(ctx, q.Run)
//		}
//		…
//	}
//
// [Store.Claim] and the methods of [Lease] are for loops of one's own, [Store.Queue] shows how
// things are.
//
// # What leases are for, and what not
//
// Besides the lease of the queue, which Work extends, a round has the run by [Store.Drive] while it is
// driven, whoever drives it: a worker, or a page. Where a worker lost its lease and hangs, it still has
// the run in SQLite, whose locks go with their process. So the next worker, whose Tries are more than
// one, takes it over. In PostgreSQL a driver is leased as well, for less than five seconds.
//
// A lease keeps two workers from doing the same work in vain. It does not keep them from doing it: a
// worker may be suspended by its machine for an hour, with a command half sent, and go on without
// knowing that its lease has run out. What keeps two workers from acting for one run is
// the journal. A round appends its intent before it acts, behind the last record that it knows of,
// and when another worker has appended meanwhile, that is a [store.ConflictError], and it
// does not act.
//
// So clocks do no harm. With PostgreSQL leases go by the clock of the server, that of the workers'
// machines does not matter. With SQLite all processes are on one machine and go by its clock; when
// somebody sets it, leases end early or late, and the journal is right all the same.
//
// # What is durable
//
//   - What Append has returned nil for, and what the queue has, is there after the process or
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
// # Pools
//
// [New] takes the connections of a pool that the caller owns, of the driver "sqlite" of
// modernc.org/sqlite or "pgx" of github.com/jackc/pgx/v5/stdlib: by the errors of others nothing could
// be told. One connection is enough. Where one of SQLite syncs less than FULL, that is raised before
// it is written to. A database in memory is of one connection, and lasts as long as that.
//
// # Concurrency
//
// Everything may be called by several goroutines. Append is one transaction. Read and Runs read
// in pages, and have neither a connection nor a lock while what they yield is used. Calls wait
// for a lock as long as their context lasts, without a bound of their own. With SQLite one
// process writes at a time; readers do not wait.
//
// No goroutine of this package outlives the call that started it. The drivers have some of
// theirs for open connections, which Close ends, and pgx one that cleans up for a short while
// after a call that was broken off.
package sqlstore
