/*
Package durable records a session in a journal. Another process can go on with it when the first one has died, or has
ended because a person needs a week to answer:

	st, err := store.Files("journals")
	…
	s, err := durable.Open(ctx, host, st, "order 12", nil)
	…
	res, err := s.Continue(ctx, "pay Ann") // begins the run, goes on with it, or returns its result

Every process runs these lines, as often as it likes, and makes its agent with the same code. Package store has the
places for journals: files, memory, and an interface for databases.

# What it records, and when

The session records an intent before it executes a command, and the result before it does anything else. It records
every question and answer. A model's reply and a step are recorded together with the next of these records, or at the
end of the Run. So an ordinary step has two Appends, and an observer may see a step that a crash takes back. A tool that
only reads has no intent.

If the session cannot write a record, it does nothing more: Run returns round.ErrLost. Open the run again to go on.

# The step that was interrupted

The next process calls the Handle of that step again, and gives it the recorded replies and results.

It does not execute a command that has an intent and no result, unless its tool says IdempotentHint. It tells the agent
that the command may have happened. policies.AskUncertain asks a person before the agent sends the command anew. Before
its first new command the agent looks at the target again.

If the repeated step differs from its records, it goes on without them. Before it executes anything, its agent is told
which of the recorded commands were executed.

A Handle pays or deploys by effects.Do, which records like a command. effects.WaitUntil suspends the run until a time:
State.Wakes has it. Any other effect of a Handle happens again.

# Answers, pages and tests

One session at a time drives a run, from [Open] until its round ends or stops, or until Close. Others get
store.ErrDriven. Options.TakeOver takes a run from a process that hangs.

A web page lists the open questions by [List], and gives an [Answer], without an agent. The first answer counts. [Start]
records a run before it is driven, and [Cancel] ends one. Package runs is a service over these.

[Look] tells where a run stands, and [Records] what it did. [Fork] copies a run up to some place and goes on there with
another reply or answer. [Replay] runs changed code with the recorded replies, results and answers, and reports the
first difference.

# Secrets

A journal has all that the agents know, secrets included. Of a question in State.Waits show people the Text and Shown:
these have no secrets. Its Command and every [Record] have them.

See docs/guides/durable.md, and ADR 0024, 0029, 0036, 0046, 0048 and 0050.
*/
package durable

// From Open to the first step: open.go takes the run, reader.go reads the records of the run, and readsteps.go those of
// the interrupted step. round.Restore places the agents where they stand. From then on the Round tells recorder.go each
// step. recording.go puts interceptors around model calls, questions, commands, lists of tools and effects (calls.go,
// commands.go, tools.go, effects.go). Each first looks for what was recorded, in past.go mostly. If there is nothing, it
// makes the call and records it with append.go.
