/*
Package runtask makes one func of a Session: a request in plain words goes in, a
result comes out, or an error that says what went wrong. That is what a tool of
somebody else's agent needs. The adapters for orchestrators stand on it, and so can one
of your own.

	task, err := runtask.New(func(ctx context.Context) (*round.Session, error) {
		host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop, User: user}})
		if err != nil {
			return nil, err
		}
		return round.NewSession(host, nil)
	}, nil)
	…
	res, err := task.Run(ctx, "put the sales table into a chart")

However many steps, agents and applications the request takes, the caller waits
for one call.

# A session for each call, or one for all

[New] opens a session for each call and closes it afterwards. Calls know nothing of
one another and may run at the same time. [Shared] has one session for all calls:
agents remember what they did, the blackboard lives on, and calls wait for one
another. A desktop with one screen wants Shared, or a lock of its own.

A round that was suspended, was cancelled or reached a bound could go on, but its
session is closed with New. With Shared, whoever has the session can drive its Round
on; the next call gives it up.

# Results

Only the outcome FINISH is a [Result]. Its JSON is that of [round.Result] with two more names:
a sub-task whose data is longer than Options.MaxData has data_bytes in its place,
so that a large table does not fill the other model's context, and warning says that the
session could not be closed after the task was done.

	{
	  "outcome": "FINISH", "answer": "The chart is in Sheet 1.", …
	  "subtasks": [{"id": "subtask_1", "application": "word", "task": "extract the table", "status": "FINISH", "data_bytes": 51200}, …],
	  "usage": {"input_tokens": 7312, "output_tokens": 840}
	}

In Go the Result has all data.

# Errors

Everything but FINISH (a task that failed, a fault, a bound, a suspension, a cancelled
context) is an [*Error]. It has the Result as far as the round got, and
errors.Is finds the errors of package round in it. Its text is written for a model
that is told nothing else: the reason, and what became of the sub-tasks. What was open
when the round stopped is closed with the session of [New]; with [Shared], where the
round may go on, it is called not finished.

Before there is a round, Run returns [round.ErrNoRequest], the error
of the func that opens the session, or that of a context that is done. A panic in
that func is the caller's to recover.

# Tools of orchestrators

[Options] have the name and the description that the other model reads. What it writes is yours: one
text for [Tool.Run], such as {"request": "…"}.

Approvals do not come this way: what needs a person's yes is asked of the session's
User, in the middle of the call. Progress goes to Options.Observe of package round.

# Concurrency properties

A Tool may be used by several goroutines at the same time. Nothing here starts a
goroutine. With Shared nobody else may use the session while a call runs. An agent
of the session that calls the tool itself waits for itself, until its context ends.
*/
package runtask
