package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/runtask"
)

// Config says what does the tasks, and who may ask for them. One of Open and
// Session is required.
type Config struct {
	// Open opens a session for each call, which is closed when the call ends, as
	// [runtask.New] explains. Most hosts want Call.User. An error of it is logged and not told to the
	// client, since it may quote anything; a [*RefusalError] is told.
	Open func(ctx context.Context, call *Call) (*round.Session, error)
	// Session is one session for all calls, as [runtask.Shared] explains. Its host has [User] as its User. Calls wait for
	// one another, and MaxConcurrent is 0. Close does not close it.
	Session *round.Session

	// Tool names and describes the tool. Nil: the defaults of package runtask. A name has 1 to 128 ASCII
	// letters, digits, dots, dashes and underscores.
	Tool *runtask.Options
	// Title is what people read in the place of the tool's name. "": Do a task on the desktop.
	Title string

	// MaxConcurrent is how many tasks run at the same time: 0 is 1, since most
	// desktops have one screen and one mouse; negative is any number.
	MaxConcurrent int
	// MaxWaiting is how many calls may wait for their turn, in order: 0 is 16, negative none.
	MaxWaiting int

	// CloseTimeout is how long Close and Serve wait for calls that were told to stop:
	// 0 is 30 seconds, negative not at all.
	CloseTimeout time.Duration
	// SessionTimeout is after how much silence an HTTP session ends: 0 is
	// 30 minutes, negative never. A running call is no silence.
	SessionTimeout time.Duration

	// Hosts are the names under which the Handler may be reached, without a port. Nil: localhost and addresses of
	// loopback, over a connection to one of these. That keeps away other machines, and web pages whose name suddenly is an
	// address of yours (DNS rebinding).
	Hosts []string
	// Origins are web pages that may use the Handler, such as https://desk.example.
	// Nil: none but those of Hosts. A browser also wants headers of CORS, from a middleware of yours.
	Origins []string

	// Logger gets errors of Open, and panics. Nil: nothing is logged.
	Logger *slog.Logger

	// Name and Version are what clients are told of this program. "": agentfsm.
	Name    string
	Version string
}

// RefusalError is an error of [Config].Open that the client is told.
type RefusalError struct {
	Reason string // for the model that called the tool; without secrets
}

func (e *RefusalError) Error() string { return "mcpserver: refused: " + e.Reason }

// filled returns a copy with the defaults.
func (c Config) filled() Config {
	c.Title = cmp.Or(c.Title, "Do a task on the desktop")
	c.Name = cmp.Or(c.Name, "agentfsm")
	c.MaxConcurrent = cmp.Or(c.MaxConcurrent, 1)
	c.MaxWaiting = max(0, cmp.Or(c.MaxWaiting, 16))
	c.CloseTimeout = max(0, cmp.Or(c.CloseTimeout, 30*time.Second))
	c.SessionTimeout = max(0, cmp.Or(c.SessionTimeout, 30*time.Minute))
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// toolName is what the specification of MCP recommends.
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

func (c *Config) check() error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	switch {
	case (c.Open == nil) == (c.Session == nil):
		problems = append(problems, errors.New("one of Open and Session is needed"))
	case c.Session != nil && c.MaxConcurrent != 0:
		add("a Session runs one task at a time: MaxConcurrent is not for it")
	}
	if c.Tool != nil && c.Tool.Name != "" && !toolName.MatchString(c.Tool.Name) {
		add("no name of a tool: %q", c.Tool.Name)
	}
	for _, host := range c.Hosts {
		if host == "" || strings.ContainsAny(host, "/ *") || host != hostname(host) {
			add("no host name without a port: %q", host)
		}
	}
	for _, origin := range c.Origins {
		if err := http.NewCrossOriginProtection().AddTrustedOrigin(origin); err != nil {
			add("no origin: %q", origin)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("mcpserver: bad config: %w", err)
	}
	return nil
}
