// Package temporal has runs driven by Temporal (go.temporal.io/sdk): each run of a service is a workflow, and a drive of it
// is an activity. Use it where a Temporal cluster schedules your work already. Without one, package runs needs nothing but
// its store.
//
// # An engine
//
//	c, err := client.Dial(client.Options{HostPort: "temporal:7233"})
//	…
//	worker.SetStickyWorkflowCacheSize(100) // see below
//	engine, err := temporal.New(c, nil)
//	…
//	svc, err := runs.New(store, runs.Config{Engine: engine, Agent: agent})
//	…
//	go svc.Work(ctx) // in as many processes as you like
//
// The workflow of run "order 12" has the id "agentfsm/order 12": see [WorkflowID]. A question is answered with
// [runs.Service.Answer], or, where [Options] has an Answer, by the update [Update] of the workflow, from any language:
//
//	temporal workflow update execute --workflow-id "agentfsm/order 12" --name answer --input '"4f1c"' --input '{"approved": true}'
//
// The Example has both.
//
// # Who promises what
//
//   - The journal of package durable has what a run did: its steps, questions, answers and results. A step is not
//     lost, and no intent is acted on by two processes.
//   - Temporal has when a run is to be driven: signals, timers and activities. A Wake or a time is not lost, whichever
//     process dies, and a run is driven once at a time.
//   - Together: a run goes on after the death of its process, once that has sent no heartbeat for Options.Heartbeat. A
//     deadline in a year is a timer at the server. A Wake that the server could not be told of is found in the store by
//     the next look of Work: see [runs.Config].
//   - Exactly once is not promised, as without Temporal: nobody may know whether a command was executed whose process
//     died, and then its agent is told so.
//
// A drive that failed is no failed activity. Package runs decides when to try again, and records that; the SDK's retries
// are for processes that close or die, without a bound. So a workflow of this package never fails.
//
// # A workflow
//
// It has the run driven when it is woken, by the signal "wake", and when its time has come. Wakes that come during a
// drive are one more drive. It completes when the run has ended, and begins anew with the same id when the run
// is wanted again: by Retry, or under an id that was deleted. It continues as new after 100 drives, or when the server suggests
// it. Cancelling it at the server ends a drive that is under way, and forgets the run until somebody wakes it; runs.Service.Cancel
// ends the run itself.
//
// Names and payloads stay the same in all releases: workflow agentfsm.Run, activities agentfsm.Drive and agentfsm.Answer,
// signal wake, update answer. Tests replay recorded histories.
//
// # Pitfalls
//
//   - The cache. The SDK keeps the workflows that a process has seen, 10,000 at most. One that waits costs a goroutine and
//     30 kB there, and no polling. worker.SetStickyWorkflowCacheSize bounds that, for all workers of the process, and before
//     the first of them begins, so that this package leaves it to the program. A workflow that is not in the cache is
//     replayed when it is woken.
//   - The task queue. All processes of a service have the same, and no other service has it: ids of runs are
//     those of workflows, so two services in one namespace have ids that differ.
//   - Places. A process takes more activities than it drives runs at a time: runs.Config.MaxRuns. Those that wait for a
//     place have the others make room. Raise Worker.MaxConcurrentActivityExecutionSize with MaxRuns, to twice of it.
//   - Payloads are small: an id, a time, some flags. An answer by update is in the history of the workflow, with its text. So
//     is the error of Options.Answer, and that of a drive that a process could not do. Answers by runs.Service leave nothing
//     there.
//   - Determinism. A workflow of this package has nothing of yours in it. Interceptors and data converters that you give the
//     client or the worker see its calls, and must be the same in all processes.
//   - Clocks. Pauses are measured, and no process compares its clock with that of the server.
//
// # What it needs, and what it can do
//
// It needs a server that knows updates (1.25 or later; tested with 1.31.1), and a client that the caller closes. It opens no
// file and starts no program. Work is a worker of the SDK, which it stops before it returns. It waits for its drives, however
// long they take.
package temporal
