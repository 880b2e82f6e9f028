/*
Package durable records a session in a journal. Another process can go on with it when the first
one has died, or has ended because a person needs a week to answer:

	st, err := store.Files("journals", nil)
	…
	s, err := durable.Open(ctx, host, st, "order 12", nil)
	…
	res, err := s.Continue(ctx, "pay Ann") // begins the run, goes on with it, or returns its result

Every process runs these lines, as often as it likes, with an agent that it makes in the same way.
Package store has the places for journals: files, memory, and an interface for databases.

# What it records, and when

It records a model's reply before the agent uses it. It records an intent before a command is
executed, and the result before anything else is done. It records each question, each answer, and each
step before the next one begins. A command whose tool says that it only reads has no intent: its result
is written together with the next record, and without that record the next process executes the command
again. When a record cannot be written, the session does nothing more: the round is LOST in this process.
Another Open goes on with it, unless the program is the cause.

# The step that was interrupted

The next process calls its Handle again, and gives it the recorded replies and results. It does not
execute a command again that has an intent and no result: the agent reads that it may or may not
have happened, and policies.AskUncertain asks a person before the agent sends it anew. Before the first
new command the agent looks at the target again. A step that does something else than was recorded goes on without the
records, and executes nothing before its agent knows which of the recorded commands were executed.

An effect of a Handle that does not go through a desktop, such as an HTTP request, happens again.

# One driver

One session at a time drives a run: from [Open] until its round ends or stops, or until Close. Others
get store.ErrDriven meanwhile. Options.TakeOver takes a run from a process that hangs.

# Answers, pages and tests

A web page lists the open questions of all runs and answers them. It needs no agent:

	for state, err := range durable.All(ctx, st) {
		for _, q := range state.Waits {
			fmt.Println(state.Run, q.ID, q.Text)
		}
	}
	given, err := durable.Answer(ctx, st, "order 12", id, people.Answer{Approved: true})

The first answer counts. [Look] says where a run stands, and [Records] lists what it did. [Fork]
copies a run up to some place and goes on there with another reply or answer. [Replay] tests a changed
table or func against a recorded run: it runs the new code with the recorded replies, results and
answers, and says where the run goes another way.

# Secrets

A journal has all that the agents know, secrets included. Show people the text of a question in
State.Waits and its Question.Shown, which have no secrets. Question.Command and every [Record] have them.
The files of store.Files are readable by their owner only.

See docs/guides/durable.md, and ADR 0024, 0029 and 0036.

# For readers of the code

From Open to the first step: open.go takes the run, reader.go reads its records, and readsteps.go reads
those of the interrupted step. checkpoint.go says where the agents stand, and round.Restore places them
there. From then on recorder.go is told each step. attach.go puts interceptors around model calls, commands,
lists of tools and questions (modelcalls.go, commands.go, tools.go, questions.go). Each of them returns what
past.go has on record, or makes the call and records it with append.go.
*/
package durable
