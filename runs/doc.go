// Package runs is a service over the journals of package durable: it starts runs, drives them, and says how they stand. A
// program that serves runs writes this much:
//
//	svc, err := runs.New(st, runs.Config{
//		Agent: func(ctx context.Context, run durable.State) (fsm.Worker, func(), error) {
//			clerk, err := newClerk(run.Meta)
//			return clerk, nil, err
//		},
//	})
//	…
//	go svc.Work(ctx) // drives what is to be driven, until Close
//	…
//	state, err := svc.Start(ctx, "order 12", "pay Ann", nil)
//	given, err := svc.Answer(ctx, "order 12", questionID, people.Answer{Approved: true})
//
// [runs/runshttp] has the same as an HTTP API.
//
// Start, Answer, Cancel and Retry write one record into the journal of a run. They work in every process that has the
// store. Work drives: it makes the agent of a run with Config.Agent, opens the run, and goes on with it until it ends or
// waits. Any number of processes may call Work on one store; one of them at a time drives a run. There is nothing to
// recover after a restart: Work finds each run that somebody started, that was under way when its process died, that got
// its answers, or whose time has come.
//
// # What follows a drive
//
//	what came of it                          what the service does
//	the run has ended                        it keeps the run, for Config.Keep
//	the run waits                            it drives the run when an answer, or the time, is there
//	somebody answered meanwhile              it drives the run again at once
//	the model is away, the agent cannot      it tries again after a pause, from 1 second to 5 minutes, and puts
//	be made, or the process died             the run aside after MaxTries in a row
//	the run has reached a bound              it puts the run aside
//	this program cannot resume the run       it leaves the run to other processes, such as those of a newer
//	(round.ErrNotResumable)                  release, and tries again after 5 minutes; the run has not failed
//
// A run that is put aside says why (State.Reason), and waits for Retry, which may raise its bounds. Bounds are recorded
// when the run starts, and hold in every process.
//
// A process drives MaxRuns at a time. Others wait in the order in which they became ready. While one waits, a run that
// was driven for [Config.Slice] steps gives up its place after a step. With DBOS or Temporal, [Config.Engine] says when
// and where runs are driven, and the rest holds as well.
//
// When somebody sets a clock forward, deadlines pass early. When somebody sets it back, no run waits longer than it was
// to wait before.
//
// See docs/guides/service.md and docs/guides/engines.md.
package runs
