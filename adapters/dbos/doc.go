// Package dbos schedules the runs of a service with [DBOS], on SQLite for one machine and PostgreSQL for many. It is a
// module of its own.
//
//	import sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
//
//	engine, err := dbos.New(ctx, sdk.Config{
//		DatabaseURL: "postgres://db/dbos", // or sqlite:dbos.db, with an import of its dbos/driver/sqlite
//		ExecutorID:  "worker-0",           // of this process alone, and the same when it starts again
//	}, nil)
//	…
//	svc, err := runs.New(st, runs.Config{Engine: engine, Agent: newClerk})
//	…
//	err = svc.Work(ctx)
//
// A process that only starts, answers and cancels runs has an Engine, too, and does not call Work.
//
// # Who promises what
//
// DBOS keeps which runs are to be driven, and when, in tables of a database. It drives a run at least once, and one
// at a time. The journal of a run, in a store, keeps what was done: an act happens at most once, whatever DBOS repeats.
// Together: a run that is on record is driven until it ends or waits, by any process of any release, and repeats
// no act.
//
// If DBOS has no database for a while, nothing is lost. Start and Answer return an error, and what they have recorded counts:
// Work finds it in the store.
//
// # Workflows
//
// Each drive is a workflow of DBOS without steps, and its row is deleted when the drive is over. A run that
// waits for an answer has no row, one that waits for a time has one that is DELAYED. The queue is partitioned by runs,
// with one workflow at a time. Tools of DBOS may look at these rows. If they cancel or delete one, the run is driven when
// it is woken again, or when Work next looks into the store.
//
// # A process that dies
//
// When Work ends, it leaves its runs to other processes at once. A process that is killed cannot do that: DBOS keeps
// the runs that it was driving for a process with its ExecutorID, and drives them when that one works again. So let names
// of executors stay, as those of a StatefulSet do. Others get such a run only if an operator resumes its workflow in
// its queue. Runs that were not being driven are driven by the others.
//
// If the connection breaks when DBOS takes a run for a process, DBOS does not begin it. After 25 to 50 polls the process
// notices, and gives it back.
//
// Two processes with one ExecutorID take each other's runs. They then drive a run twice at a time, and the lock of the
// store keeps them apart.
//
// # Releases
//
// DBOS gives a workflow only to processes of its ApplicationVersion, which is the hash of the program where none is
// given. Here it is fixed, because a drive fits every release. With an ApplicationVersion of your own, or
// DBOS__APPVERSION, runs stay with the releases that have the same one.
//
// All processes have one AppName, and no other program that uses DBOS in this database has it: it would take
// workflows that it does not know.
//
// # What it costs
//
//   - **Time.** A Wake is seen within [Options.Poll], and a time that has come within a second more. Each process asks
//     the database once per Poll.
//   - **Places.** A process takes all runs that are ready when it looks, and has them wait for the places of its service
//     (MaxRuns). Other processes do not get those.
//   - **SQLite** has one writer at a time: some hundred drives a second. Let one process have created the file before the
//     others start: where two do, DBOS leaves a file that it cannot open any more.
//
// [DBOS]: https://docs.dbos.dev
package dbos
