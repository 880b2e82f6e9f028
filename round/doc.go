/*
Package round drives agents: it gives a request to the first one, takes step
after step, and says how it ended.

	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop}})
	…
	r, err := round.New(host, "put the sales table into a chart", nil)
	…
	res, err := r.Run(ctx)
	if err != nil {
		return err // everything but success
	}
	fmt.Println(res.Answer)

A [Round] knows no kind of agent. It drives whatever is a [fsm.Agent], by the
table of its kind, and hands over from one to another of any other kind.

# The loop

A step is always the same. The state in which the agent stands does its work
(Handle) and is then asked two things about the agent that it worked on: which
status follows (NextState), and which agent takes the next step (NextAgent). The
Round checks the answers against the table, moves the agent that takes over, and
yields one [Step]. Nothing has moved before all of that is done: a step that was
cancelled, or ran into a bound, is as if it had not been tried, but for what its
Handle did.

The table is enforced. A step that it does not have is a [fsm.TransitionError],
a status that the next agent's kind does not have [fsm.ErrUnknownStatus].

# The position

A position is a stack: the agent at work with its status, and below it the
agents that handed over and wait. It is written as agent:STATUS.

Control comes back by itself. When an agent that was handed control reaches a
state that ends (IsSubtaskEnd or IsRoundEnd), and names as next agent itself
or whoever handed over, control returns to that one, at CONTINUE. So a kind
that was written to run alone runs under a host without a change. A return is in
no table, as it has nothing to do with the kind; diagrams show it once.

With nobody to return to, a state that ends also ends the round, and is not
handled. ERROR ends it in any case.

Other ways are the table's. A state that ends may name a third agent: that one
takes the place of the agent that ended, and returns to whoever waits for both.
An agent that names one that waits below gives control back to there, wherever
its table says; those between them are given up.

# Faults

An error that Handle returns is a fault, and so is a panic, in an agent or in
anything that it calls: model, desktop, person, policy, observer. A fault leads
to ERROR of the same agent, by the cause [fsm.ByFault], whatever the table says.
A panic is a [*PanicError] with its stack. The session goes on: its next round
starts afresh.

Three things are no faults and leave the position where it is: a context that
was cancelled, a Handle that returned an error which wraps [fsm.ErrSuspend], and
a bound that was reached. They win over whatever Handle says at that moment, so
an agent that swallows the error of a budget and reports success gets no
further.

# Outcomes and errors

Run returns a nil error for FINISH alone. Every other [Outcome] has its error, an
[*Error] that matches a sentinel and everything behind the cause:

	FINISH      nil
	FAIL        ErrFailed      the task failed: somebody decided so
	ERROR       ErrFault       a fault
	BUDGET      ErrBudget      a *BudgetError names the bound and the last positions
	SUSPENDED   ErrSuspended   an answer comes from elsewhere; Result.Waits has the questions
	CANCELLED   ErrCancelled   and the context's error and cause
	LOST        ErrLost        its Recorder takes nothing more from this process; another one can go on
	SUSPENDED   ErrSuspended   and ErrLost: a round inside of a Handle was lost, this one was not; Run goes on

The [Result] is filled in for all of them, as far as the round got. What failed
is never reported as success: an answer whose agent panics, an observer that
cannot write its record, a sub-task that nobody closed do not pass for FINISH.

Sub-tasks that are open on the blackboard when a round ends, or is given up, are
closed with how it ended. Where it ended well they are closed as FAIL: nobody said that
they were done. An agent that opened one, and is a fsm.SubtaskCloser, does it itself.

# Bounds

A model that goes round in circles is stopped. [Options] bound a round by steps
that called the model (50), model calls (four for each of these steps: 200),
transitions (200), repeats of the same action on the
same observation (10), tokens, cost and time; and a session by steps, tokens and
cost. Bounds are looked at before each step and before each model call, re-asks
included. Zero is the default, negative is none.

# Going on

After a bound, a suspension, a cancelled context or a loop over Steps that was
left, Run goes on where the round stopped: the same Handle is called again. Only
a Handle that acted and was done before its context ended is not: then the move
alone is left, and nothing is done twice. [Step].Attempts says how often a state
was handled. Agents keep what they need for going on in their data, such as
questions that were answered already. [Round.Adjust] raises a bound. An agent
that another round drove in the meantime is [ErrAgent].

# Steps and observers

[Round.Steps] is the loop as an iterator, for a caller who wants to look, count
or stop between steps. Options.Observe is called with each step, for records.
[JSONL] is such an observer: it writes one line of JSON for each step, with a
version in it. [JSONLResult] adds how the round ended, or that it can go on, which no
step says. A run whose observer panics is at fault, because a record that
cannot be kept was wanted. Package round/observe has others: records of log/slog,
and several observers as one.

A [Step] says who moved where, by whose cause and why; what the model decided,
which replies could not be used, and what had to be repaired in them; which commands were executed with what
result; what a person was asked; how far the sub-tasks are; what it took. Images are left out. Secrets are masked: what a tool's schema marks as
writeOnly or as a password, wherever it shows up later, and whatever
Options.Redact changes. Errors that are found by errors.As keep their own text.

Without an observer nothing is recorded and no clock is read.

# Sessions

A [Session] is several rounds with one host. The blackboard, the agents and
their memory live on, a round's answer and its sub-tasks are its own. A round that
could have gone on is given up when the next one starts.
[Session.Close] lets a host that stands in FAIL or ERROR take the edge to FINISH
for its clean-up, where its table has it, and calls the host's Close.

# Another process

A [Recorder] is told where a Round stands, by a [Checkpoint], before anybody sees the step; [Restore]
makes the session that stands there in another process. Package durable has a Recorder that records
model calls, commands and answers as well, so that none is made twice. A round without one runs no
line of it.

# Concurrency properties

One goroutine drives a Round; a second Run at the same time gets [ErrBusy].
A Handle may call the model or the desktop from several goroutines, if it waits
for all of them. Rounds of different agents share nothing but what their tables share, which is
read without locks. No lock is held while code of a user runs.

Results are copies. Adjust may be called by any goroutine.

A step of a Round with every default on allocates nothing and takes about three
times what a hand-written loop over a map of states takes; `make bench` shows
both.

# What is deliberately not here

  - No retry of steps. What to try again is the agent's or the model's business;
    transports are retried by middleware.
  - No hooks. What a hook would do, an observer sees and an agent does.
  - No goroutines. Whatever runs in the background was started by someone else.
  - No storage: see package durable.
*/
package round
