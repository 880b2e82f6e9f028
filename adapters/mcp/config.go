package mcp

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/people"
)

// Config says which servers to use, and what they may ask of this side. Only
// Servers is required.
type Config struct {
	Servers []Server

	// User answers what servers ask a person (elicitation). Nil: every form is declined.
	User people.User
	// AskTimeout is how long a person has for one question: 0 is
	// 60 seconds, negative as long as the call may take.
	AskTimeout time.Duration

	// Roots are the folders that servers are told to stay in: absolute paths, or
	// file URIs. They are a request: they stop no server.
	Roots []string

	// Logger gets what no caller learns: tools that are left out, forms
	// that are declined. Nil: nothing is logged.
	Logger *slog.Logger

	// MaxMessage bounds the bytes of one message of a server, and of a list of
	// tools with all its pages. 0: 16 MiB. A longer message ends the
	// connection. It does not bound a Transport.
	MaxMessage int

	// CloseTimeout is how long a server may take to end by itself, and then again
	// when it is told to, before it is killed. 0: 2 seconds.
	CloseTimeout time.Duration
}

// Server is one MCP server. It has a Name and one of Command, URL and Transport.
type Server struct {
	// Name is how tools, windows, questions and errors call it. It is unique, and does
	// not begin with the name of another server and a dot.
	Name string

	// Command starts a server that speaks over its standard input and output: the
	// program and its arguments, without a shell. Open starts it, and Close
	// stops it with all processes of its group.
	Command []string
	// Env adds variables, as "NAME=value", to what every program needs (HOME, PATH and a
	// few more). The command gets no other variable of this process. The values are
	// secrets: no error shows them.
	Env []string
	// Dir is the folder that the command starts in. "": the current one.
	Dir string
	// Stderr gets what the command writes to its standard error. [ExitError] has the end of it in any case.
	Stderr io.Writer

	// URL is a server that speaks streamable HTTP.
	URL string
	// Header is sent with each request to the host of the URL, and to no other. Its
	// values are secrets, as are a password and the query in the URL.
	Header http.Header
	// HTTPClient is used for the URL. Nil: one of its own, with the transport of
	// package http. Unless it has a CheckRedirect, a redirect to another server is refused.
	HTTPClient *http.Client

	// Transport is any other way to a server, such as one of
	// mcp.NewInMemoryTransports. It is used once.
	Transport sdk.Transport

	// ProtocolVersion is the version that the client offers. "": 2025-11-25, in which a server can ask in the
	// middle of a call, as most do. In 2026-07-28 a tool that asks like this fails: it has to end the call with what it
	// wants to know (InputRequests). Name that version for a server that refuses the older one.
	ProtocolVersion string

	// Only lists the tools that are used, by the names of the server. Nil: all.
	Only []string
	// WellKnown says that a tool with the name of a well-known command of package
	// desktop is that command. Agents use such tools to look without asking a policy, so
	// without WellKnown they get the server's name in front.
	WellKnown bool
	// IgnoreAnnotations says that the server is not believed: each of its tools
	// counts as destructive.
	IgnoreAnnotations bool
}

// check says what is wrong with a config, without quoting what may be secret.
func (c *Config) check() error {
	var problems []error
	if len(c.Servers) == 0 {
		problems = append(problems, errors.New("there are no servers"))
	}
	for i, s := range c.Servers {
		name := s.Name
		if name == "" {
			name = fmt.Sprint("number ", i)
		}
		problem := s.problem()
		for j, other := range c.Servers {
			switch {
			case problem != "" || i == j:
			case other.Name == s.Name && j < i:
				problem = "has the Name of another"
			case strings.HasPrefix(strings.ToLower(s.Name), strings.ToLower(other.Name)+"."): // "a.b.c" could be a tool of either
				problem = fmt.Sprintf("has a Name that begins with that of server %s and a dot, so that their tools could not be told apart", other.Name)
			}
		}
		if problem != "" {
			problems = append(problems, fmt.Errorf("server %s %s", name, problem))
		}
	}
	for _, root := range c.Roots {
		if _, err := rootURI(root); err != nil {
			problems = append(problems, err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("mcp: bad config: %w", err)
	}
	return nil
}

func (s *Server) problem() string {
	ways := 0
	for _, given := range []bool{len(s.Command) > 0, s.URL != "", !nilcheck.IsNil(s.Transport)} {
		if given {
			ways++
		}
	}
	switch {
	case strings.TrimSpace(s.Name) == "":
		return "has no Name"
	case ways != 1:
		return "needs one of Command, URL and Transport"
	case len(s.Command) > 0 && s.Command[0] == "":
		return "has a Command without a program"
	case s.URL != "":
		u, err := url.Parse(s.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return "has a URL that is none of http or https"
		}
	}
	for _, variable := range s.Env {
		if name, _, ok := strings.Cut(variable, "="); !ok || name == "" {
			return "has an Env that is not NAME=value"
		}
	}
	return ""
}

// rootURI is a folder in the form in which servers are told of it.
func rootURI(root string) (string, error) {
	if strings.HasPrefix(root, "file://") {
		return root, nil
	}
	if !filepath.IsAbs(root) {
		return "", fmt.Errorf("the root %q is no absolute path and no file URI", root)
	}
	path := filepath.ToSlash(root)
	if !strings.HasPrefix(path, "/") { // a drive of Windows
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String(), nil
}
