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

A [Round] has no code for a particular kind of agent. It drives every [fsm.Agent] by the table
of its kind, and an agent can hand over to an agent of any kind.

# The loop

Every step goes like this. The Round calls Handle of the agent's state. Handle
does the work. The Round then asks the same state which status follows
(NextState) and which agent takes the next step (NextAgent), checks both answers
against the table, sets the status of the agent that takes the next step, and yields one [Step].
The status is set last: a step that is cancelled, or that runs into a bound, leaves the agent
where it was. Effects of Handle, such as a mail that it sent, are not undone.

If a step is not in the table, the error is [fsm.ErrNotAllowed]. If the next agent's kind has no
such status, it is [fsm.ErrUnknownStatus].

# The position

The position of a round is a stack (a [fsm.Position] is only the status of one agent): on top the
agent at work with its status, below it the agents that handed over and wait. Steps and errors show the agent at work, as
agent:STATUS.

Control comes back by itself. A host hands over to a clerk; the clerk reaches FINISH,
or another terminal state (its row has SubtaskEnd or RoundEnd); the host goes on at CONTINUE.
No table has an edge for this return, so a kind that was written to run alone runs under
a host without a change. Diagrams show the return as one arrow.

If no agent waits, a terminal state ends the round. The Round does not call Handle of a terminal
state in which a round ends. An agent in ERROR ends the round even when another one waits for it.

An agent can also pass control elsewhere when it ends. For example, the clerk ends, and its NextAgent returns an auditor:
the auditor takes the clerk's place, and when it ends, the host goes on. If NextAgent returns an agent that waits, the
Round drops those between.

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

Run returns a nil error only for the [Outcome] FINISH. A round that ends at a row with Success has
the Outcome FINISH, too. For every other Outcome it returns an [*Error], which wraps the cause and matches
a sentinel:

	FINISH      nil
	FAIL        ErrFailed      an agent decided FAIL, or the round ended at a row without Success
	ERROR       ErrFault       a fault
	BUDGET      ErrBudget      a *BudgetError names the bound and the last positions
	SUSPENDED   ErrSuspended   a person answers later (Result.Waits has the questions), a wait is not over (Result.Wakes), or Options.SuspendOn expects an outage to pass
	CANCELLED   ErrCancelled   wraps the context's error and cause
	LOST        ErrLost        the journal could not be written; another process can go on with what it has

A Handle may run a round of its own. If that inner round is LOST, the outer round is SUSPENDED, and
the outer error matches both ErrSuspended and ErrLost. Call Run of the outer round to go on.

The [Result] is filled in for every Outcome, as far as the round got. A panic of Answer or of
an observer ends the round in ERROR.

When a round ends, or the session gives it up, every sub-task that is still open on the blackboard
is closed. A [fsm.SubtaskCloser] closes those that it opened. The Round closes the others, with the
status and reason of its own end; after FINISH as FAIL, because no agent reported them done.

# Bounds

The Round stops a model that goes round in circles:

	MaxSteps         50    steps that call a model
	MaxCalls         200   model calls: four for each of MaxSteps
	MaxTransitions   200   all steps
	MaxRepeats       10    the same action on the same observation

[Options] also bound a round by tokens, cost and time, and a session by steps, tokens and cost. The
Round checks the bounds before each step and before each model call, also when an agent asks again.
Zero means the default, a negative number no bound.

# Going on

After a bound, a suspension, a cancelled context, or a loop over Steps that you left early,
Run goes on where the round stopped, and calls the same Handle again. There is one
exception: the Handle returned nil, and the end of the context cut off none of its calls. The next
Run does not call that Handle again, and only makes the move. [Step].Attempts says how often a
Handle was called. Agents keep in their data what they need for going on, such as the answers that
they have got. [Round.Adjust] raises a bound. Run returns [ErrAgent] when another round drove the agent in the
meantime.

# Steps and observers

[Round.Steps] is the loop as an iterator, for a caller who wants to look, count
or stop between steps. The Round calls Options.Observe with each step, for records.
[JSONL] is such an observer: it writes one line of JSON for each step. A bound or a suspension takes no step, so
[JSONLResult] writes a line with the result of Run. If an observer cannot write its record, it should panic, as JSONL
does: a run without its audit record must not look like a success. Package round/observe has an observer for log/slog.

A [Step] says which agent moved from which status to which, who caused it and why. It has
the model's decision, the replies that could not be used, the repairs of replies, the
commands with their results, the questions to a person, the progress of the sub-tasks, and
the time and tokens that the step took. It leaves images out. It hides secrets: the values of
parameters that a tool's schema marks as writeOnly or as a password, also where they show up later.
Options.Redact changes its texts further. Only the text of [*Error] is without secrets: the errors
inside of it, which errors.As finds, keep their own texts.

Without an observer the Round fills in no Step, and reads no clock unless MaxDuration is set.

# Sessions

A [Session] is several rounds with one host. The blackboard, the agents and their memory
last as long as the session; the answer and the sub-tasks belong to one round. When a round
starts, the session gives up an earlier round that has not ended: it cannot go on any more.
[Session.Close] calls the host's Close. If the host stands in FAIL or ERROR and its table has an edge
to FINISH, Close first takes that step, and calls Handle of FAIL or ERROR, which can clean up.

# Another process

After each step, and before an observer sees it, the Round gives its [Recorder] a [Checkpoint] of
the position. A Recorder may keep the step until it records the next one, so an observer may see a step
that a crash takes back. Another process calls [Restore] with that Checkpoint, and gets the session. Package
durable has a Recorder. It also records model calls, commands and answers, so that another process
uses the records and does not repeat what they have. Without a Recorder none of this costs anything.

# Concurrency properties

One goroutine drives a Round; a second Run at the same time gets [ErrBusy]. A Handle may call the model or the desktop
from several goroutines, if it waits for all of them. The Round starts no goroutine, and holds no lock while it calls
your code. Results are copies. Any goroutine may call Adjust. A step of a Round with every default on allocates nothing.

No step is retried: the agent or its model decides what to try again, and llm.Retry repeats calls that broke.
*/
package round
