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

Every step goes like this. The Round calls Handle of the state in which the agent
stands: it does the work. The Round then asks the same state which status follows
(NextState) and which agent takes the next step (NextAgent), checks both answers
against the table, sets the status of that agent, and yields one [Step]. The status
is set last: a step that is cancelled, or that runs into a bound, leaves the agent
where it was. Effects of Handle, such as a mail that it sent, are not undone.

The Round refuses a step that the table does not have with [fsm.ErrNotAllowed], and a
status that the next agent's kind does not have with [fsm.ErrUnknownStatus].

# The position

A position is a stack: the agent at work with its status, and below it the
agents that handed over and wait. Steps and errors show the agent at work, as
agent:STATUS.

Control comes back by itself. A host hands over to a clerk; the clerk reaches FINISH,
or another state that ends (IsSubtaskEnd or IsRoundEnd); the host goes on at CONTINUE.
No table has an edge for this return, so a kind that was written to run alone runs under
a host without a change. Diagrams show the return as one arrow.

When no agent waits, a state that ends also ends the round, and the Round does not call
its Handle. An agent in ERROR ends the round even when another one waits for it.

A table can have other ways. In a state that ends, NextAgent of the clerk may return a third
agent: it takes the clerk's place, and control returns from it to the host. Or A waits for B,
B waits for C, and NextAgent of C returns A: then A goes on at the status that NextState of C
returned, and the Round drops B.

# Faults

An error that Handle returns is a fault, and so is a panic, in an agent or in
anything that it calls: model, desktop, person, policy, observer. A fault leads
to ERROR of the same agent, by the cause [fsm.ByFault], whatever the table says.
A panic becomes a [*PanicError] with its stack. The session can go on with another
request.

In three cases the Round stops without a fault, and the agent stays where it is: the
context was cancelled, Handle returned an error that wraps [fsm.ErrSuspend], or a bound
was reached. An agent cannot hide these: when Handle drops the error of a bound and
decides FINISH, the Round still stops with ErrBudget.

# Outcomes and errors

Run returns a nil error only for the [Outcome] FINISH. An end at a row with Success has this
Outcome, too. For every other Outcome it returns an [*Error], which wraps the cause and matches
a sentinel:

	FINISH      nil
	FAIL        ErrFailed      an agent decided FAIL, or the round ended at a row without Success
	ERROR       ErrFault       a fault
	BUDGET      ErrBudget      a *BudgetError names the bound and the last positions
	SUSPENDED   ErrSuspended   a person answers later (Result.Waits has the questions), or a model is away
	CANCELLED   ErrCancelled   wraps the context's error and cause
	LOST        ErrLost        the Recorder could not write; another process can restore what was written

A Handle may run a round of its own. When that inner round is lost, the outer one is SUSPENDED,
and its error also matches ErrLost: call Run to go on.

The [Result] is filled in for every Outcome, as far as the round got. A panic of Answer or of
an observer ends the round in ERROR.

When a round ends, or is given up, it closes its open sub-tasks on the blackboard, with the
status and reason of its own end. After FINISH it closes them as FAIL, because no agent
reported them done. An agent that is a fsm.SubtaskCloser closes the sub-tasks that it opened.

# Bounds

The Round stops a model that goes round in circles. [Options] bound a round by steps
that call the model (50), by model calls (200: four for each of these steps), by all
steps (200), by repeats of the same action on the same observation (10), and by tokens,
cost and time. They bound a session by steps, tokens and cost. The Round checks the
bounds before each step and before each model call, also when an agent asks again.
Zero means the default, a negative number no bound.

# Going on

After a bound, a suspension, a cancelled context, or a loop over Steps that broke off,
Run goes on where the round stopped, and calls the same Handle again. There is one
exception: when the context ends after the command of a Handle was answered, and the Handle
returns without an error, the next Run does not call that Handle again, and only moves
the agent. [Step].Attempts says how often a Handle was called. Agents keep in their data
what they need for going on, such as the answers that they have got. [Round.Adjust]
raises a bound. Run returns [ErrAgent] when another round drove the agent in the
meantime.

# Steps and observers

[Round.Steps] is the loop as an iterator, for a caller who wants to look, count
or stop between steps. The Round calls Options.Observe with each step, for records.
[JSONL] is such an observer: it writes one line of JSON for each step, with a
version in it. Add [JSONLResult] for the line that says how Run ended: after a bound or a
suspension no Step says so. An observer that cannot write its record panics, and the round
ends in ERROR: a run without its audit record must not look like a success. Package
round/observe has an observer for log/slog, and one that calls several others.

A [Step] says which agent moved from which status to which, who caused it and why. It has
the model's decision, the replies that could not be used, the repairs of replies, the
commands with their results, the questions to a person, the progress of the sub-tasks, and
the time and tokens that the step took. It leaves images out. It masks secrets: parameters
that a tool's schema marks as writeOnly or as a password, wherever their values show up
later, and all that Options.Redact changes. Errors that errors.As finds keep their own text.

Without an observer the Round fills in no Step, and reads no clock unless MaxDuration is set.

# Sessions

A [Session] is several rounds with one host. The blackboard, the agents and their memory
last as long as the session; the answer and the sub-tasks belong to one round. When a round
starts, the session gives up the one before it, if that could still have gone on.
[Session.Close] calls the host's Close. Before that, a host in FAIL or ERROR takes the step
to FINISH, where its table has that edge: Handle of the old state can clean up.

# Another process

After each step, and before an observer sees it, the Round gives its [Recorder] a [Checkpoint] of
the position. Another process calls [Restore] with that Checkpoint, and gets the session. Package
durable has a Recorder. It also records model calls, commands and answers, so that no process makes
one of them twice. A round without a Recorder costs nothing of this.

# Concurrency properties

One goroutine drives a Round; a second Run at the same time gets [ErrBusy].
A Handle may call the model or the desktop from several goroutines, if it waits
for all of them. Rounds of different agents share only their tables, which they
read without locks. The Round holds no lock while it calls your code.

Results are copies. Any goroutine may call Adjust.

A step of a Round with every default on allocates nothing and takes about three
times what a hand-written loop over a map of states takes; `make bench` shows
both.

# What is deliberately not here

  - No retry of steps. The agent or its model decides what to try again; llm.Retry
    repeats calls that broke.
  - No hooks. Watch with an observer, and act in Handle.
  - No goroutines of its own.
  - No storage: see package durable.
*/
package round
