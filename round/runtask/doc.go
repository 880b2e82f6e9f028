/*
Package runtask makes one func of a Session: a request in plain words goes in, a result comes out, or an error that says
what went wrong. That is what a tool of another agent needs. The adapters for orchestrators stand on it.

	task, err := runtask.New(func(ctx context.Context) (*round.Session, error) {
		host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop, User: user}})
		if err != nil {
			return nil, err
		}
		return round.NewSession(host, nil)
	}, nil)
	…
	res, err := task.Run(ctx, "put the sales table into a chart")

[New] opens a session for each call and closes it afterwards. [Shared] has one session for all calls: agents remember
what they did, and calls wait for one another. A desktop with one screen wants Shared, or a lock of its own.

Only the outcome FINISH is a [Result]. In its JSON a sub-task whose data is longer than Options.MaxData has data_bytes
in its place, so that a large table does not fill the other model's context. Everything else is an [*Error], whose text
is written for a model that is told nothing else. Before there is a round, Run returns [round.ErrNoRequest], the error of
the func that opens the session, or that of a context that is done.

What needs a person's yes is asked of the session's User, in the middle of the call. Progress goes to Options.Observe of
package round. A Tool may be used by several goroutines. An agent of the session that calls the tool itself waits for
itself, until its context ends.
*/
package runtask
