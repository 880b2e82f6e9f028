package mcp

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// usual is the version of the protocol that is offered by default: the
// last in which servers ask in the middle of a call.
const usual = "2025-11-25"

// connection is one server that is connected.
type connection struct {
	config  *Config
	server  *Server
	secrets secrets
	log     *slog.Logger

	session *sdk.ClientSession
	lost    chan struct{}   // closed when the session is over
	proc    *process        // nil: it was not started here
	idle    func()          // closes idle connections of HTTP
	wire    context.Context //nolint:containedctx // of what is sent; the connection outlives every call
	cut     context.CancelFunc
	life    context.Context //nolint:containedctx // of calls and questions; it ends before wire
	end     context.CancelFunc
	work    sync.WaitGroup // calls, and what servers ask
	mu      sync.Mutex     // work is only added to before end
	once    sync.Once

	dropped  counter      // lines that were no messages
	declined counter      // forms that were not shown
	forms    atomic.Int64 // since the last call began
	untold   atomic.Int64 // calls that were cancelled, of which the server does not know yet
}

// connect starts a server, or reaches it, and says hello.
func connect(ctx context.Context, config *Config, server *Server) (*connection, error) {
	c := &connection{config: config, server: server, secrets: secretsOf(server), log: config.Logger.With("server", server.Name)}
	c.wire, c.cut = context.WithCancel(context.Background())
	c.life, c.end = context.WithCancel(c.wire)
	if err := c.dial(ctx); err != nil {
		err = c.failed(ctx, "connect", err)
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *connection) dial(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	transport, err := c.transport()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, c.cut) // the SDK opens the stream of a web server without the context
	c.session, err = c.client().Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: cmp.Or(c.server.ProtocolVersion, usual)})
	if !stop() {
		err = context.Cause(ctx)
	}
	if c.session != nil {
		c.lost = make(chan struct{})
		go func() { // close ends it
			defer close(c.lost)
			_ = c.session.Wait()
		}()
	}
	return err
}

// transport is the way to a server.
func (c *connection) transport() (sdk.Transport, error) {
	switch {
	case len(c.server.Command) > 0:
		var err error
		if c.proc, err = start(c.server, c.config.CloseTimeout); err != nil {
			return nil, err
		}
		return &stream{&sdk.IOTransport{Reader: messages(c.proc, c.config.MaxMessage, c.onGarbage), Writer: c.proc, MaxLineLength: -1}, c}, nil
	case c.server.URL != "":
		return c.http()
	}
	switch c.server.Transport.(type) {
	case *sdk.InMemoryTransport, *sdk.IOTransport:
		return &stream{c.server.Transport, c}, nil
	}
	return c.server.Transport, nil // the SDK has to see those of HTTP themselves
}

// client is this side of the protocol. It offers what the config offers.
func (c *connection) client() *sdk.Client {
	offered := &sdk.ClientCapabilities{Elicitation: &sdk.ElicitationCapabilities{Form: &sdk.FormElicitationCapabilities{}}}
	if len(c.config.Roots) > 0 {
		offered.RootsV2 = &sdk.RootCapabilities{}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "agentfsm", Version: "1"}, &sdk.ClientOptions{
		Logger:             c.log,
		Capabilities:       offered,
		ElicitationHandler: c.elicit,
		// Without it the SDK does not ask to be told, and may show an old list.
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {},
	})
	for _, root := range c.config.Roots {
		if uri, err := rootURI(root); err == nil { // check has tried it
			client.AddRoots(&sdk.Root{URI: uri})
		}
	}
	return client
}

// begin makes a context that ends with ctx and with the connection.
func (c *connection) begin(ctx context.Context) (context.Context, func(), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.life.Err() != nil {
		return nil, nil, ErrClosed
	}
	c.work.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.life, func() { cancel(ErrClosed) })
	return ctx, func() {
		stop()
		cancel(nil)
		c.work.Done()
	}, nil
}

// over reports whether the session has ended, or does so now.
func (c *connection) over(ctx context.Context) bool {
	const moment = 50 * time.Millisecond // a session ends after its calls
	if c.lost == nil {
		return false
	}
	select {
	case <-c.lost:
		return true
	case <-ctx.Done():
	case <-time.After(moment):
	}
	return false
}

// close ends the connection and the process. It waits for calls, and for people who are asked: their context ends.
func (c *connection) close() {
	c.once.Do(func() {
		c.mu.Lock()
		c.end()
		c.mu.Unlock()
		c.work.Wait()
		// The SDK tells the server in the background what was cancelled, and not once the session is being closed.
		for end := time.Now().Add(c.config.CloseTimeout); c.untold.Load() > 0 && c.lost != nil && c.wire.Err() == nil && time.Now().Before(end); {
			if c.over(c.wire) {
				break
			}
		}
		c.cut()
		if c.session != nil {
			_ = c.session.Close()
			<-c.lost
		}
		if c.proc != nil {
			_ = c.proc.Close()
		}
		if c.idle != nil {
			c.idle()
		}
	})
}

// onGarbage is told of a line of a server that is no message. It may have anything in it, so
// it is not logged.
func (c *connection) onGarbage(size int) {
	if n, yes := c.dropped.worth(); yes {
		c.log.Warn("mcp: the server writes what is no message to its standard output", "bytes", size, "times", n)
	}
}

// counter counts what is logged the first time, and then ever more rarely.
type counter struct{ n atomic.Int64 }

// worth reports whether the next one is worth a line in a log.
func (c *counter) worth() (n int64, yes bool) {
	n = c.n.Add(1)
	return n, n&(n-1) == 0
}
