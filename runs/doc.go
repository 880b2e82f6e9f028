// Package runs is a service over the journals of package durable: it starts runs, drives them, and tells where they
// stand. A program that serves runs writes this much:
//
//	svc, err := runs.New(st, runs.Config{
//		Agent: func(ctx context.Context, run durable.State) (fsm.Worker, func(), error) {
//			clerk, err := newClerk(run.Meta)
//			return clerk, nil, err
//		},
//	})
//	…
//	go svc.Work(ctx) // until Close
//	…
//	state, err := svc.Start(ctx, "order 12", "pay Ann", nil)
//	given, err := svc.Answer(ctx, "order 12", questionID, people.Answer{Approved: true})
//
// [runs/runshttp] has the same as an HTTP API.
//
// Start, Answer, Cancel and Retry write one record into the journal of a run, in any process that has the store. Work
// makes the agent of a run with Config.Agent, opens the run, and goes on with it until it ends or waits. Any number of
// processes may call Work on one store; one of them at a time drives a run. After a restart Work finds each run that can
// go on.
//
// # What follows a drive
//
//	if                                       the service
//	the run has ended                        keeps it for Config.Keep
//	the run waits                            drives it at its time, or when it was answered
//	the run was answered meanwhile           drives it again at once
//	the model is away, the agent cannot      tries again after 1 second to 5 minutes, and puts the run aside
//	be made, or the process died             after MaxTries in a row
//	the run has reached a bound              puts it aside
//	this program cannot resume the run       leaves it to other processes, and tries again after 5 minutes
//	(round.ErrNotResumable)
//
// A run that was put aside says why (State.Reason), and waits for Retry, which may raise its bounds. Bounds are recorded
// when the run starts, and hold in every process.
//
// A process drives MaxRuns at a time. Others wait in the order in which they became ready. While one waits, a run that
// was driven for [Config.Slice] steps gives up its place. With DBOS or Temporal, [Config.Engine] says when and where
// runs are driven. If a clock is set forward, deadlines pass early. If it is set back, no run waits longer than before.
//
// See docs/guides/service.md and docs/guides/engines.md.
package runs
