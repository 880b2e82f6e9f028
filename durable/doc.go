/*
Package durable records a session while it is made, and goes on with it after its process has died,
or has ended because an answer will take a week:

	st, err := store.Files("journals", nil)
	…
	s, err := durable.Open(ctx, host, st, "order 12", nil)
	…
	res, err := s.Continue(ctx, "pay Ann") // begins, goes on, or returns what it came to

Any process can call these lines, any number of times, with an agent that it made as the first one
was. Package store has places for records: files, memory, and what a database needs.

# What is on record, and when

Before a model's reply is used it is recorded. Before a command is executed an intent is recorded,
and its result before anything else is done. So are questions and their answers, and each step before
the next one. A command whose tool says that it only reads has no intent: its result is written with the
next record, and where that was never written the command is made again. What cannot be recorded is not done: the round is LOST
in this process, and another Open goes on with it, unless the cause is in the program.

# The step that was under way

It is handled again, and gets back what was recorded of it. A command that was begun and has no result
is not executed again: its agent is told that it may or may not have happened, and
policies.AskUncertain asks before it is executed anew. The first new command has its target looked at again. A step that does something
else than was recorded goes on anew, and executes nothing before its agent knows what was executed.

A Handle that changes the world without a desktop repeats that after a crash.

# One driver

One session at a time drives a run, from [Open] until its round ends or stops, or Close. Others get a
store.ErrDriven meanwhile. Options.TakeOver takes a run from a process that hangs.

# Answers, pages and tests

What a run waits for is in its records, and needs no agent:

	for state, err := range durable.All(ctx, st) {
		for _, q := range state.Waits {
			fmt.Println(state.Run, q.ID, q.Text)
		}
	}
	given, err := durable.Answer(ctx, st, "order 12", id, people.Answer{Approved: true})

The first answer counts, whoever gave it. [Look] says where a run stands, [Records] what it did,
record by record. [Fork] begins another run with another reply or answer at some place. [Replay] does
a run once more with what was recorded and says where it goes another way, after a change of a table,
a prompt or code.

# Secrets

Records have all that agents know, secrets included. State.Waits has the words of questions without
them, and Question.Shown the command as it may be shown; Question.Command and all of a [Record] are as
they were recorded. The files of store.Files are for their owner only.

See docs/guides/durable.md, and ADR 0024, 0029 and 0036.

# For who reads the code

From Open to the first step: open.go takes the run and has reader.go read its records, and readsteps.go
those of the step that was under way; checkpoint.go says where they stand, and round.Restore places the
agents there. Then recorder.go is told each step, and attach.go puts modelcalls.go, commands.go, tools.go and
questions.go around what agents call: each gives back what past.go has, or records what is done by append.go.
*/
package durable
