package mcp

import (
	"io"
	"log/slog"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// Defaults of a [Config].
const (
	DefaultConnectTimeout = 30 * time.Second
	DefaultCloseTimeout   = 2 * time.Second
	DefaultMaxSamplings   = 50
	DefaultMaxForms       = 10
	DefaultMaxMessage     = 16 << 20
	DefaultMaxTokens      = 4096
	DefaultHTTPRetries    = 2
)

// Config says which servers to use, and what they may ask of this side. Only
// Servers is required.
type Config struct {
	Servers []Server

	// PrefixNames gives every tool the name of its server and a dot in front, as
	// in "files.read". Without it only tools are renamed that two servers have, or
	// that have a well-known name, see [Server].WellKnown.
	PrefixNames bool

	// User answers what servers ask a person (elicitation). Nil: all is declined. Who
	// says nothing declines, see "What servers may ask".
	User people.User
	// AskTimeout is how long a person has for one question: 0 is
	// 60 seconds, negative as long as the call may take.
	AskTimeout time.Duration

	// MaxForms is how many forms a server may show from the start of one call to the
	// start of the next: 0 is [DefaultMaxForms], negative any number. What is beyond
	// is declined.
	MaxForms int

	// Sampling lets servers use a model. Nil: they may not.
	Sampling *Sampling

	// Roots are the folders that servers are told to stay in: absolute paths, or
	// file URIs. A server that does not care is not stopped by them.
	Roots []string

	// Progress is called when a tool that is running says how far it is: by one
	// goroutine of each server, and perhaps a moment after the call returned. What
	// comes much faster than it takes is left out. A panic in it is logged.
	Progress func(Progress)

	// Logger gets what is no error of anybody's call: tools that are left out, forms
	// that nobody can fill in. Nil: nothing is logged.
	Logger *slog.Logger

	// MaxMessage is how many bytes one message of a server may have, and a list of
	// tools with all its pages: 0 is [DefaultMaxMessage], negative any number. One
	// that is longer ends the connection. It does not bound a Transport.
	MaxMessage int

	// ConnectTimeout is how long the start of one server may take: 0 is
	// [DefaultConnectTimeout], negative as long as the context allows.
	ConnectTimeout time.Duration
	// CloseTimeout is how long a server may take to end by itself, and then again
	// when it is told to, before it is killed. 0: [DefaultCloseTimeout]. Negative:
	// it is killed at once.
	CloseTimeout time.Duration

	// Name and Version are what servers are told of this program. "": agentfsm, and
	// the version of this module.
	Name    string
	Version string
}

// Server is one MCP server. It has a Name and one of Command, URL and Transport.
type Server struct {
	// Name is how tools, windows, questions and errors call it. It is unique, and not
	// that of another server with a dot behind it.
	Name string

	// Command starts a server that speaks over its standard input and output: the
	// program and its arguments. No shell is involved. Open starts it and Close
	// stops it, with all processes of its group.
	Command []string
	// Env is what the command finds in its environment, as "NAME=value", besides
	// what every program needs (HOME, PATH and a few more). Nothing else of the own
	// environment is handed on. The values are secrets: no error has them.
	Env []string
	// Dir is the folder that the command starts in. "": the own.
	Dir string
	// Stderr gets what the command writes to its standard error. Nil: nobody does, but
	// for the last words of a process that ended, see [ExitError].
	Stderr io.Writer

	// URL is a server that speaks streamable HTTP.
	URL string
	// Header is sent with each request to the host of the URL, and to no other. The
	// values are secrets, as are a password and the query in the URL.
	Header http.Header
	// HTTPClient is used for the URL. Nil: one of its own, with the transport of
	// package http. OAuth is up to it. Unless it has a CheckRedirect, redirects to
	// another server are refused, since what is sent there may be secret.
	HTTPClient *http.Client
	// HTTPRetries is how often a broken stream is taken up again before the
	// connection is given up. 0: [DefaultHTTPRetries], negative: never. No call is
	// sent twice.
	HTTPRetries int

	// Transport is any other way to a server, such as one of
	// mcp.NewInMemoryTransports. It is used once.
	Transport sdk.Transport

	// ProtocolVersion is what the first message offers; what is agreed on is in
	// [Info]. "": 2025-11-25, and 2026-07-28 where the server refuses that one. (A
	// Transport that is neither in memory nor of streams is not asked again.)
	// In the older version a server can ask in the middle of a call, as most do, those
	// with Session.Elicit, CreateMessage and ListRoots of the Go SDK among them. In
	// the newer it cannot, and such a tool fails; it has to end the call with what it
	// wants to know (InputRequests). Servers of the Go SDK whose tools do that work
	// with either. So name the newer version only for a server that is known to do so.
	// Naming one at all helps with servers that do not answer what they do not know.
	ProtocolVersion string

	// Only are the names of the tools that are used, as the server calls them. Nil:
	// all, of which there may be 2000.
	Only []string
	// WellKnown says that tools with the name of a well-known command of package
	// desktop are just that. Agents use those that look without asking a policy, so
	// without WellKnown such a tool gets the server's name in front.
	WellKnown bool
	// IgnoreAnnotations says that the server is not believed: each of its tools
	// counts as one that destroys, whatever it says of itself.
	IgnoreAnnotations bool
	// AskSecrets says that forms of this server may ask for what looks like a secret,
	// such as a password or a token. The protocol forbids it, and without AskSecrets
	// such a form is declined and logged.
	AskSecrets bool
}

// Sampling lets servers use a model, at your cost and with their prompts.
type Sampling struct {
	Model llm.Model // required
	// MaxTokens is how long a reply may be, whatever the server asks for: 0 is
	// [DefaultMaxTokens], negative what the server asks for.
	MaxTokens int
	// MaxCalls is how often each server may ask in all: 0 is [DefaultMaxSamplings],
	// negative for ever.
	MaxCalls int
}

// Progress is how far a running tool is.
type Progress struct {
	Server   string
	Tool     string // as the server calls it
	CallID   string // of the command
	Progress float64
	Total    float64 // 0: unknown
	Message  string  // the server's words
}

// or is d for 0, none for what is negative, and v else.
func or[T int | time.Duration](v, d, none T) T {
	switch {
	case v == 0:
		return d
	case v < 0:
		return none
	}
	return v
}
