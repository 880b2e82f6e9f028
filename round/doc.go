/*
Package round drives agents: it gives a request to the first one, takes step
after step, and says how it ended.

	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desk}})
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
yields one [Step]. The move comes last: a step that was cancelled, or ran into a bound,
leaves the agent where it was. What Handle did outside, such as a mail that it sent,
stays done.

A step that the table does not have is [fsm.ErrNotAllowed], a status that the next
agent's kind does not have is [fsm.ErrUnknownStatus].

# The position

A position is a stack: the agent at work with its status, and below it the
agents that handed over and wait. It is written as agent:STATUS.

Control comes back by itself. A host hands over to a clerk; the clerk reaches FINISH,
or another state that ends (IsSubtaskEnd or IsRoundEnd); the host goes on at CONTINUE. So
a kind that was written to run alone runs under a host without a change. A return is in
no table, as it has nothing to do with the kind; diagrams show it once.

When nobody waits, a state that ends also ends the round, and is not handled. An agent
in ERROR ends the round even when another one waits for it.

Other ways are the table's. The clerk's end may name a third agent, which takes the
clerk's place and returns to the host. Say A waits for B, and B for C: when C names A, A
goes on at the status that C's table gives, and the Round drops B.

# Faults

An error that Handle returns is a fault, and so is a panic, in an agent or in
anything that it calls: model, desktop, person, policy, observer. A fault leads
to ERROR of the same agent, by the cause [fsm.ByFault], whatever the table says.
A panic is a [*PanicError] with its stack. The session goes on: its next round
starts afresh.

Three things are no faults and leave the position where it is: a context that
was cancelled, a Handle that returned an error which wraps [fsm.ErrSuspend], and
a bound that was reached. An agent cannot hide them: when Handle drops the error of a
bound and decides FINISH, the Round still stops with ErrBudget.

# Outcomes and errors

Run returns nil only for the [Outcome] FINISH, which is also that of a row with Success.
Every other Outcome has its error, an [*Error] that matches a sentinel and everything
behind the cause:

	FINISH      nil
	FAIL        ErrFailed      the task failed: somebody decided so, or an end is no success
	ERROR       ErrFault       a fault
	BUDGET      ErrBudget      a *BudgetError names the bound and the last positions
	SUSPENDED   ErrSuspended   an answer comes from elsewhere; Result.Waits has the questions
	CANCELLED   ErrCancelled   and the context's error and cause
	LOST        ErrLost        the Recorder could not write; another process can restore what was written

A Handle may run a round of its own. When that one is lost, the outer one is SUSPENDED, and
its error matches ErrLost, too: call Run to go on.

The [Result] is filled in for all of them, as far as the round got. A round whose Answer or
whose observer panics ends in ERROR.

When a round ends, or is given up, the Round closes its open sub-tasks on the blackboard
with how it ended, and after FINISH as FAIL, because nobody reported them done. An agent
that opened one, and is a fsm.SubtaskCloser, closes it itself.

# Bounds

A model that goes round in circles is stopped. [Options] bound a round by steps
that called the model (50), model calls (four for each of these steps: 200),
transitions (200), repeats of the same action on the
same observation (10), tokens, cost and time; and a session by steps, tokens and
cost. Bounds are looked at before each step and before each model call, re-asks
included. Zero is the default, negative is none.

# Going on

After a bound, a suspension, a cancelled context or a loop over Steps that was
left, Run goes on where the round stopped, and calls the same Handle again. Say a Handle
has sent its command and returned, and then the context ends: Run does not call that
Handle again, and only moves the agent. [Step].Attempts says how often a state
was handled. Agents keep what they need for going on in their data, such as
questions that were answered already. [Round.Adjust] raises a bound. An agent
that another round drove in the meantime is [ErrAgent].

# Steps and observers

[Round.Steps] is the loop as an iterator, for a caller who wants to look, count
or stop between steps. Options.Observe is called with each step, for records.
[JSONL] is such an observer: it writes one line of JSON for each step, with a
version in it. [JSONLResult] adds a line with how the round ended, or that it can go
on: no Step says that. A run whose observer panics is at fault, because a record that
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
[Session.Close] calls the host's Close. A host that stands in FAIL or ERROR, and whose
table has an edge from there to FINISH, takes that edge before, to clean up.

# Another process

The Round gives each position to its [Recorder] as a [Checkpoint], before an observer sees the
step. Another process calls [Restore] with that Checkpoint, and gets the session. Package durable has a Recorder that records
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
