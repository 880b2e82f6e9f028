// Package mcp makes a Desktop of MCP servers (modelcontextprotocol.io): programs
// that are started, servers on the network, servers in memory.
//
//	d, err := mcp.Open(ctx, mcp.Config{
//		Servers: []mcp.Server{
//			{Name: "files", Command: []string{"mcp-server-filesystem", "/srv/reports"}},
//			{Name: "tickets", URL: "https://tickets.example/mcp", Header: http.Header{"Authorization": {"Bearer " + token}}},
//		},
//		User: user,
//	})
//	...
//	defer d.Close()
//	screen, err := d.Screen() // each server a window
//	...
//	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: screen, User: user}})
//
// [Desktop] itself has the tools of all servers and no windows, which is what one
// AppAgent wants. [Desktop.Screen] has a window for each server, for a HostAgent
// that chooses among them. [Desktop.Server] is one of them, to be put on a
// desktop.Screen with others.
//
// # What it can do to your machine
//
// A server that is started is a program with all that you may do: it reads and
// writes your files and uses your network, whether a tool is called or not. No
// Policy stops that. Start only what you trust, or in a container. It gets PATH,
// HOME and a few more variables, and what Env says; other secrets of your
// environment are not handed on. Roots are a request, and no fence.
//
// # What a Policy stops
//
// A Policy stops calls of tools, before they are sent. It goes by annotations,
// which are the server's own word. What a server does not say counts as MCP wants
// it: a tool may destroy something, anywhere, so by default a person is asked. A
// server that says that a tool only reads is believed, unless it also says that the
// tool destroys, or [Server].IgnoreAnnotations is set. [Server].Only is a list of the tools that may
// be used at all. A tool with a well-known name, such as get_ui_tree, would be used
// without a policy where agents look; so it gets the name of its server in front,
// unless [Server].WellKnown says that it is meant.
//
// A policies.Paths goes by the letters of a path: root/link/x passes, also where link
// is a symbolic link that leads out of root. For a server that works on the files of
// this machine, make its Roots with policies.RootOptions.Resolve, which follows links.
//
// What tools return is untrusted: it can carry orders to the model. Agents show it
// as data.
//
// # Names
//
// A tool keeps its name as long as no other server has it; else all who have it get
// the name of their server in front, as in "files.read". So does a tool whose name
// begins like that of another server, or is not ASCII and may only look like
// another. A name with characters that cannot be seen, or of more than 256 bytes,
// is left out. [Config].PrefixNames does it always: names then do not change when a
// server is added, and none ever becomes the name of another server's tool: so no
// server may have the name of another with a dot behind it, such as "a.b" beside "a".
//
// # Results
//
// Texts, images, embedded resources and structured content become content of the
// result. Sound, links, and pieces that cannot be read are described in a text. Of
// an answer of which nothing can be read, the result says so in Unverified: the tool
// has run. A result that says isError is a failure, with its text as the reason; so is
// an answer that says that the tool never ran (unknown, arguments, a web page to visit
// first, HTTP status 400). All else is an error:
// nobody knows whether the tool had an effect.
//
//   - [*ServerError] with [ErrDisconnected]: the process ended, the stream broke.
//     Of a process, [*ExitError] has how it ended and its last words.
//     The server does not come back: nothing is sent twice, and nothing is started
//     again behind your back. Close the Desktop and open another.
//   - with [ErrUnavailable]: no answer, for another reason.
//   - with [ErrProtocol] and a code: the server refused the request.
//   - the cause of the context: the server was told that the call is cancelled.
//   - [ErrClosed].
//
// Structured content that only says again what the texts say is left out.
//
// Values of Env and Header, and a password or query in the URL, are in no error and
// in no failure. In a result that is a success they are where the server put them.
//
// # Cancellation
//
// A call comes back as soon as its context ends, and its server is told. Over HTTP
// that is a request of its own, which can overtake the call; a server that has not
// heard of the call yet forgets it, and would run the tool to its end (seen with
// servers of the Go SDK behind a slow way). So where the server has not answered at
// all yet, the request of the call is kept open for two seconds at most (and no
// longer than Config.CloseTimeout), and the cancellation is repeated meanwhile.
// [Desktop.Close] waits for that. A call that is on its way for longer is not
// found. From version 2026-07-28 of the protocol on, the end of the request itself
// is the cancellation, and there is nothing to repeat.
//
// # What servers cannot do
//
// A message has at most [Config].MaxMessage bytes, and so has a list of tools, with
// 2000 tools that are used and 1000 pages. What a process writes to its standard
// output besides messages is dropped and logged without its words. A call may show
// [Config].MaxForms forms of 50 fields each, and a server may ask the model as often
// as [Sampling] says. Of its requests 100 may wait for an answer, those of a process
// with four times MaxMessage bytes; a server that asks more and does not read is cut off. A redirect to another server is not followed. Progress that
// comes too fast is left out. What remains: a server may never answer, so give
// contexts deadlines.
//
// # What servers may ask
//
// Forms (elicitation) go to [Config].User, one question for each field, which begins
// with the name of the server and has a bar before each further line of its words,
// so that they cannot be taken for another question; the answer
// decline refuses. With no User all is declined, and so are forms that want a web
// page visited. The deadline of the call goes on meanwhile: see
// desktop.Timeout. A User cannot suspend here.
//
// An answer that says nothing, as the zero people.Answer, accepts nothing. A field
// that is left empty has the default that the server gave it, or is left out. Where
// that is done with a default, be it yes or no, a choice or a text, or where every
// answer was empty, one more question at the end says what would be sent: only yes
// sends it, all else declines the form. A form without fields is such a question
// alone. A required field without a default, and an answer that does not fit (a
// choice that is not there, a number or length out of bounds, a date, date and time,
// email address or URI that is none), is asked for three times; then the form counts
// as closed (cancel), or as declined when nothing was said at all.
//
// What a person types goes to that server, and nobody can say what it does with it:
// it may come back in a result to the model, and so into a journal. Servers must not
// ask for secrets with a form. One with a field whose name or title looks like one
// (password, API key, token, PIN) is declined and logged, unless [Server].AskSecrets
// is set; where only the words around it speak of one, the question warns. It goes by
// a list of words, in few languages: a net, and no promise.
//
// Which version of the protocol is spoken decides how servers can ask, see
// [Server].ProtocolVersion.
//
// Servers may use a model (sampling) only with [Config].Sampling, which bounds how
// often and how long. Neither is part of the round in which the tool runs: they are
// not in its journal, and the tokens not in its budget.
//
// # Ends
//
// [Desktop.Close] stops what Open started: standard input is closed, then the
// process and its group are told to end, then they are killed. What left the group
// is not found (on Windows, what was started before the job was). No goroutine is
// left, as long as User and Model honour their contexts.
package mcp
