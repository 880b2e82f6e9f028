/*
Package mcpserver serves a Session as a server of MCP (modelcontextprotocol.io): a
HostAgent with its AppAgents is one tool, run_task, for whatever program speaks the
protocol. A request in plain words goes in; a result comes out as JSON, or an error
that says what went wrong.

	server, err := mcpserver.New(mcpserver.Config{
		Open: func(ctx context.Context, call *mcpserver.Call) (*round.Session, error) {
			host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop, User: call.User}})
			if err != nil {
				return nil, err
			}
			return round.NewSession(host, nil)
		},
	})
	…
	err = server.ServeStdio(ctx)                            // a client started this program
	err = http.ListenAndServe("127.0.0.1:8080", server.Handler()) // or: clients come over HTTP

Open opens a session for each call. [Config].Session is one for all calls: agents
remember, calls wait for one another, and its host has [User] as its User. What
speaks for either is in package runtask, which does the work.

# What it can do to your machine

Whoever can reach the server drives your desktop, with all that its tools may do.
What a task may do is not decided by who asks for it but by what Open opens:

  - A Policy stops commands, whoever wants them. Package policies has some.
    It sees commands and not intentions; leave tools out that nobody needs.
  - By default a person approves what destroys something, starts a program or runs in a
    shell. With call.User that person sits at the client. The client says yes for it: a
    program that always says yes is a client, too. Where that is not good enough,
    give the host a User of your own, at this machine, or leave the User nil.
  - The request is a text of strangers, like all that a model reads here.

Over standard input and output only the program that started this one can call. Over
HTTP everybody can who can connect: bind to loopback, or put your authentication, and
TLS, in front of the [Server.Handler]. With package auth of the SDK as the middleware,
[Call].Token says who calls, and Open can return a [*RefusalError]. Web pages are kept
out, and names that suddenly are an address of this machine, by [Config].Hosts and
[Config].Origins.

# Results

FINISH is a result: the JSON of a [runtask.Result], as structured content, for which
the tool has a schema, and as a text. Everything else (a task that failed, a fault, a
bound, a call that was cancelled) is a result too, with isError, and has a text
written for a model, that of a [runtask.Error]. The other errors that a model may read
are those of this package: [ErrBusy], [ErrClosed], [ErrGone], [ErrOpen], [ErrPanic],
a [*RefusalError]. An error of the protocol is only for what no model can help, such as a
tool that there is not. A panic ends one call, and not the server.

Errors of Open, and what a panic was, are logged, and not told: they may quote
anything.

# Questions

A question of an agent goes to the client of its own call (elicitation), as a form:

	to approve a command    yes or no, and why not
	all others              a text

A command is shown as it is executed: the tool, its arguments, the target, why it
needs approval. Arguments that the tool's schema marks as secret are masked, and words
of the agent that quote one are left out; round.Options.Redact changes no question and no
answer. The name of an agent that could pass for a part of the question is in quotes. Only a form
that was accepted and says yes approves. Who declines, or closes the form, approves
nothing, and gives no answer to a question. A form that is not filled in as it should
be is an [*ElicitError], and the agent goes to FAIL with it; so it does after
AskTimeout of the agent (60 s), when the client is told to take the form away.

With a client that takes no questions [Call].User is nil: then there is nobody to ask,
and what needs a person ends in FAIL.

MCP forbids to ask for passwords and the like with a form. A question that seems to is
not sent ([ErrSecret]). It is a list of words, in few languages: a net, and no promise.

# Progress and logs

A client that sends a progress token with its call gets a notification for each step,
such as

	HostAgent: ASSIGN → AppAgent/excel/book: CONTINUE

with a number that counts the steps; how many there will be nobody knows. A client that
sets a level gets the records of package observe, without their content. Both are made
of steps, whose secrets are masked, by round.Options.Redact too. Neither comes after
the response. The observer of the session's own options goes on.

# Ends of a call

The context of the run is cancelled, and the call waits until the run has ended, when

  - the client cancels its request, or is gone, however it goes;
  - over HTTP: the connection of the call breaks, or the session ends. MCP asks servers
    not to take a broken connection for a wish to cancel; but streams are not taken up
    again here, so nobody could ever read the result, and nobody would be there to
    stop the mouse;
  - the server is closed ([Server.Close]), or the context of [Server.Serve] is done.

What was done until then stays done.

# Bounds

[Config].MaxConcurrent tasks run at the same time (1), MaxWaiting more wait for their
turn (16), in order; others are refused with [ErrBusy]. Steps, tokens, cost and time
of a task are bounded by round.Options. Over HTTP a request of more than 4 MiB is
refused, and a client that does not read what it is sent for 15 s loses its connection,
and its turn. Over standard input more than 16 MiB in one message end the connection, and so
does what is no message. How many sessions there are over HTTP is not bounded, only
how long an idle one lives.

# Versions

MCP is spoken up to its version 2025-11-25. That of 2026-07-28 has no sessions
and lets no server ask in the middle of a call; clients that know it fall back.

# Concurrency properties

A [Server] may be used by several goroutines, and serves any number of clients at the
same time. No goroutine outlives Close, as long as models, tools and Users honour their
contexts; [ErrRunning] says that one did not.
*/
package mcpserver
