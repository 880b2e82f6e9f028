package mcp

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/processor"
)

// Defaults of a [Config].
const (
	DefaultConnectTimeout = 30 * time.Second
	DefaultCloseTimeout   = 2 * time.Second
	DefaultMaxSamplings   = 50
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

	// User answers what servers ask a person (elicitation). Nil: all is declined.
	User processor.User
	// AskTimeout is how long a person has for one question: 0 is
	// [processor.DefaultAskTimeout], negative as long as the call may take.
	AskTimeout time.Duration

	// Sampling lets servers use a model. Nil: they may not.
	Sampling *Sampling

	// Roots are the folders that servers are told to stay in: absolute paths, or
	// file URIs. A server that does not care is not stopped by them.
	Roots []string

	// Progress is called when a tool that is running says how far it is: by one
	// goroutine of each server, which waits for it, and perhaps a moment after the
	// call returned. A panic in it is logged.
	Progress func(Progress)

	// Logger gets what is no error of anybody's call: tools that are left out, forms
	// that nobody can fill in. Nil: nothing is logged.
	Logger *slog.Logger

	// ConnectTimeout is how long the start of one server may take: 0 is
	// [DefaultConnectTimeout], negative as long as the context allows.
	ConnectTimeout time.Duration
	// CloseTimeout is how long a server may take to end by itself, and then again
	// when it is told to, before it is killed. 0: [DefaultCloseTimeout]. Negative:
	// it is killed at once.
	CloseTimeout time.Duration

	// Name and Version are what servers are told of this program. "": agentfsm.
	Name    string
	Version string
}

// Server is one MCP server. It has a Name and one of Command, URL and Transport.
type Server struct {
	// Name is how tools, windows, questions and errors call it. It is unique.
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
	// Stderr gets what the command writes to its standard error. Nil: nobody does.
	Stderr io.Writer

	// URL is a server that speaks streamable HTTP.
	URL string
	// Header is sent with each request to the host of the URL, and to no other. The
	// values are secrets, as are a password and the query in the URL.
	Header http.Header
	// HTTPClient is used for the URL. Nil: one of its own, with the transport of
	// package http.
	HTTPClient *http.Client
	// HTTPRetries is how often a broken stream is taken up again before the
	// connection is given up. 0: [DefaultHTTPRetries], negative: never. No call is
	// sent twice.
	HTTPRetries int

	// Transport is any other way to a server, such as one of
	// mcp.NewInMemoryTransports. It is used once.
	Transport sdk.Transport

	// ProtocolVersion is what the first message offers. "": the newest. Naming an
	// older one helps with servers that do not answer what they do not know.
	ProtocolVersion string

	// Only are the names of the tools that are used, as the server calls them. Nil:
	// all.
	Only []string
	// WellKnown says that tools with the name of a well-known command of package
	// desktop are just that. Agents use those that look without asking a policy, so
	// without WellKnown such a tool gets the server's name in front.
	WellKnown bool
	// IgnoreAnnotations says that the server is not believed: each of its tools
	// counts as one that destroys, whatever it says of itself.
	IgnoreAnnotations bool
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

// check says what is wrong with a config, without quoting what may be secret.
func (c *Config) check() error {
	var problems []error
	if len(c.Servers) == 0 {
		problems = append(problems, errors.New("there are no servers"))
	}
	seen := map[string]bool{}
	for i, s := range c.Servers {
		name := s.Name
		if name == "" {
			name = fmt.Sprint("number ", i)
		}
		if problem := s.problem(seen[s.Name]); problem != "" {
			problems = append(problems, fmt.Errorf("server %s %s", name, problem))
		}
		seen[s.Name] = true
	}
	if c.Sampling != nil && isNil(c.Sampling.Model) {
		problems = append(problems, fmt.Errorf("sampling: %w", llm.ErrNoModel))
	}
	for _, root := range c.Roots {
		if _, err := rootURI(root); err != nil {
			problems = append(problems, err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return &ConfigError{Err: err}
	}
	return nil
}

func (s *Server) problem(taken bool) string {
	ways := 0
	for _, given := range []bool{len(s.Command) > 0, s.URL != "", !isNil(s.Transport)} {
		if given {
			ways++
		}
	}
	switch {
	case strings.TrimSpace(s.Name) == "":
		return "has no Name"
	case taken:
		return "has the Name of another"
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

func isNil(v any) bool {
	if v == nil {
		return true
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Slice, reflect.Chan:
		return r.IsNil()
	default:
		return false
	}
}
