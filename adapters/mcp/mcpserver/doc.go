/*
Package mcpserver serves a Session as a server of MCP (modelcontextprotocol.io): a
HostAgent with its AppAgents is one tool, run_task. A request in plain words goes in; a result comes out as JSON, or
an error that says what went wrong.

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
remember, calls wait for one another, and its host has [User] as its User.

# Access

Every client can make agents act on your desktop, with all that its tools may do. A Policy stops commands, whoever
wants them. By default a person approves what destroys something, starts a program or runs in a shell. With call.User
the client answers, which is a program and may always say yes. If that is too little, give the host a User of your own,
or nil.

Over standard input and output only the program that started this one can call. Over HTTP bind to loopback, or put
authentication and TLS in front of the [Server.Handler]. With package auth of the SDK as the middleware, [Call].Token
says who calls, and Open can return a [*RefusalError]. [Config].Hosts and [Config].Origins keep foreign web pages out.

# Results

FINISH is a result: the JSON of a [runtask.Result], as structured content and as a text. Everything else is a result
with isError and a text for a model: that of a [runtask.Error], [ErrBusy], [ErrClosed], [ErrGone], [ErrOpen],
[ErrPanic], or a [*RefusalError]. Errors of Open and panics are logged and not told: they may quote anything. A panic
ends one call, and not the server.

# Questions

A question goes to the client of its own call as a form (elicitation): yes or no for an approval, a text otherwise.
It shows a command as it is executed, with the arguments masked that the tool's schema marks as secret. Only an
accepted form that says yes approves. A form that is declined or closed approves nothing and answers nothing. If the
client fails to ask, the agent gets an [*ElicitError]. After AskTimeout of the agent the client is told to take the
form away.

If the client takes no forms, [Call].User is nil, and a task that needs a person ends in FAIL. MCP forbids forms that
ask for passwords; a question that seems to is not sent ([ErrSecret]), by a list of words in few languages.

# Progress

A client that sends a progress token gets a notification for each step, such as
"HostAgent: ASSIGN → AppAgent/excel/book: CONTINUE", with secrets masked. Logs, which the protocol deprecates, are not
sent.

# Ends of a call

The run is cancelled, and the call waits until it has ended, if

  - the client cancels its request, or is gone;
  - over HTTP: the connection of the call breaks, or the session ends. Streams are not taken up again here;
  - the server is closed ([Server.Close]), or the context of [Server.Serve] is done.

# Bounds

[Config].MaxConcurrent tasks run at the same time, and MaxWaiting more wait for their turn; others are refused with
[ErrBusy]. round.Options bound steps, tokens, cost and time of a task. Over HTTP a request has at most 4 MiB, and a
client that does not read for 15 s loses its connection. Over standard input a message has at most 16 MiB. The number
of HTTP sessions is not bounded, only how long an idle one lives.

MCP is spoken up to its version 2025-11-25. In 2026-07-28 no server can ask in the middle of a call; clients that
know it fall back.

No goroutine outlives Close if models, tools and Users honour their contexts; [ErrRunning] says that one did not.
*/
package mcpserver
