package mcp

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
)

// Desktop is one or several MCP servers as a [desktop.Desktop]. It is safe for
// concurrent use. [Open] makes one, [Desktop.Close] ends it.
type Desktop struct {
	config Config
	conns  []*connection
	all    *view
}

// Open starts the servers of a config, or connects to them, all at the same time.
// If one of them cannot be reached, Open stops the others.
//
// The error says what is wrong with the config, or is a [*ServerError] of the first server in the
// list that failed. The context is for Open alone: the servers run until Close.
func Open(ctx context.Context, config Config) (*Desktop, error) {
	config.Servers = slices.Clone(config.Servers)
	if err := config.check(); err != nil {
		return nil, err
	}
	config.MaxMessage = cmp.Or(config.MaxMessage, 16<<20)
	config.CloseTimeout = cmp.Or(config.CloseTimeout, 2*time.Second)
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	d := &Desktop{config: config, conns: make([]*connection, len(config.Servers))}
	errs := make([]error, len(config.Servers))
	var all sync.WaitGroup
	for i := range d.config.Servers {
		all.Go(func() { d.conns[i], errs[i] = connect(ctx, &d.config, &d.config.Servers[i]) })
	}
	all.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		d.conns = slices.DeleteFunc(d.conns, func(c *connection) bool { return c == nil })
		_ = d.Close()
		return nil, errs[i]
	}
	d.all = &view{conns: d.conns}
	return d, nil
}

// Tools lists the tools of all servers, in the order of the servers. It asks them
// each time, so that a changed list is seen. One that cannot be asked is the error
// of all, a [*ServerError]. A tool that cannot be read is left out and logged, and so are those of a
// server whose answer cannot be used, unless no server has another.
func (d *Desktop) Tools(ctx context.Context) ([]desktop.Tool, error) { return d.all.Tools(ctx) }

// Execute calls a tool. A tool that says no, that is not there, or whose arguments
// do not fit, is a result with status failure. The error is a [*ServerError], the
// cause of the context, or [ErrClosed].
func (d *Desktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return d.all.Execute(ctx, cmd)
}

// Close stops the servers that Open started, with all processes of their groups,
// and leaves the others. Calls that are running end with [ErrClosed]. It waits for
// all of that; what does not end by itself within Config.CloseTimeout is killed.
// Closing again does nothing. It returns nil.
func (d *Desktop) Close() error {
	var all sync.WaitGroup
	for _, c := range d.conns {
		all.Go(c.close)
	}
	all.Wait()
	return nil
}

// Screen returns the servers as windows, one each, so that a HostAgent can choose
// among them. Root is the name of the server, Title what it calls itself, Description the beginning of
// its instructions. Close d, not the screen.
func (d *Desktop) Screen() (desktop.Desktop, error) {
	apps := make([]desktop.App, len(d.conns))
	for i, c := range d.conns {
		title, about := c.title(), c.group()
		if about == title {
			about = ""
		}
		apps[i] = desktop.App{
			Window:  desktop.Window{Root: c.server.Name, Process: c.server.Name, Title: title, Description: about},
			Desktop: &view{conns: d.conns[i : i+1]},
		}
	}
	return desktop.Screen(apps...)
}

// Server returns one server as a Desktop of its own, for a desktop.Screen or a
// desktop.Join with others. It is nil when none has the name. Close d, not it.
func (d *Desktop) Server(name string) desktop.Desktop {
	for i, c := range d.conns {
		if c.server.Name == name {
			return &view{conns: d.conns[i : i+1]}
		}
	}
	return nil
}

// maxGroup is how much of a server's instructions its window and its tools have, in bytes: a host
// chooses by them.
const maxGroup = 500

// group says what the tools of a server are for: its instructions, else its title.
func (c *connection) group() string {
	text := strings.TrimSpace(c.secrets.hide(c.session.InitializeResult().Instructions))
	return clip.Text(cmp.Or(text, c.title()), maxGroup)
}

// title is what a server calls itself.
func (c *connection) title() string {
	if who := c.session.InitializeResult().ServerInfo; who != nil {
		return cmp.Or(c.secrets.hide(who.Title), c.secrets.hide(who.Name))
	}
	return c.server.Name
}
