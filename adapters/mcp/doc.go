// Package mcp makes a Desktop of MCP servers (modelcontextprotocol.io): programs
// that it starts, servers on the network, servers in memory.
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
//
// [Desktop] has the tools of all servers and no windows, which suits one
// AppAgent. [Desktop.Screen] has a window for each server, for a HostAgent
// that chooses among them. [Desktop.Server] is one of them, for a desktop.Screen with others.
//
// # Trust
//
// A started server is a program with all your rights: it reads and writes your files and uses your network
// before any tool is called. No Policy stops that. Start only what you trust, or in a container. It gets
// PATH, HOME and a few more variables, and Env. Roots are a request, and no fence.
//
// A Policy stops calls of tools before they are sent. It goes by annotations, which are the server's own
// word; a tool without them counts as destructive. A server is believed that a tool only reads, unless it
// also says that the tool destroys, or [Server].IgnoreAnnotations is set. What tools return is untrusted;
// agents show it as data.
//
// A policies.Paths goes by the letters of a path. For a server that works on the files of this machine, make
// its Roots with policies.RootOptions.Resolve, which follows links.
//
// # Names
//
// A tool keeps its name if no other has it. Otherwise it gets the name of its server in front, as in
// "files.read". So does a tool with a well-known name of package desktop (unless [Server].WellKnown is set),
// a name that begins like that of another server, or a name that is not ASCII. A name with characters that
// cannot be seen, or of more than 256 bytes, is left out.
//
// # Results
//
// Texts, images, embedded resources and structured content become content of the result. Sound, links, and
// pieces that cannot be read are described in a text. If nothing of an answer can be read, the result says so
// in Unverified: the tool has run. A result with isError is a failure, and so is an answer that says that the
// tool never ran (unknown, wrong arguments, HTTP status 400). All else is an error, after which it is unknown
// whether the tool had an effect: a [*ServerError] with [ErrDisconnected], [ErrUnavailable] or [ErrProtocol],
// the cause of the context, or [ErrClosed]. No call is sent twice, and no server is started again.
//
// No error and no failure shows the values of Env and Header, or a password or query in the URL. A
// success is what the server wrote.
//
// A call returns as soon as its context ends, and its server is told. Over HTTP
// the cancellation may overtake the call on its way; the server then runs the tool to its end.
//
// # Bounds
//
// A message has at most [Config].MaxMessage bytes, and so has a list of tools, with at most 2000 tools that are
// used. Lines of a process that are no messages are dropped and logged without their words. A server whose
// requests have 100 answers outstanding is cut off. A redirect to another server is not followed. A server may
// never answer, so give contexts deadlines.
//
// # Forms
//
// A server may ask [Config].User with a form (elicitation): one question for each field, which begins with the
// name of the server and marks each further line of its words. The answer decline refuses. Without a User every
// form is declined, and so is one that wants a web page visited, one with a field that looks like a password or
// token (a list of words in few languages), and one beyond ten between two calls.
//
// Only what a person says is sent. A field that may be left out can be left empty; a field with a default needs
// an answer, because the SDK would fill it in. A form without any answer is declined. An answer that does not
// fit is asked for three times; then the form is closed (cancel). A form without fields needs a yes.
//
// Forms are not part of the round in which the tool runs. What a person types goes to the server, and may come
// back in a result to the model. A User cannot suspend here. The client has no sampling and no logging, which
// the protocol deprecates.
//
// # Ends
//
// [Desktop.Close] stops what Open started: it closes the standard input, then tells the process and its group
// to end, then kills them. It does not find a process that left the group; Windows has no groups. No goroutine
// is left if the User honours its context.
package mcp
