package mcp

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// connection is one server that is connected.
type connection struct {
	config  *Config
	server  *Server
	secrets secrets
	log     *slog.Logger

	session *sdk.ClientSession
	raw     sdk.Connection  // beneath the session
	proc    *process        // nil: it was not started here
	idle    func()          // closes idle connections of HTTP
	life    context.Context //nolint:containedctx // of the connection, which outlives every call
	end     context.CancelFunc
	work    sync.WaitGroup // calls, and what servers ask

	progress  progress
	cancels   cancels
	samplings atomic.Int64
	closeOnce sync.Once
	mu        sync.Mutex
	closing   bool
}

// connect starts a server, or reaches it, and says hello.
func connect(ctx context.Context, config *Config, server *Server) (*connection, error) {
	c := &connection{config: config, server: server, secrets: secretsOf(server), log: config.Logger}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.log = c.log.With("server", server.Name)
	c.life, c.end = context.WithCancel(context.Background())
	limit := or(config.ConnectTimeout, DefaultConnectTimeout, -1)
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, &slowError{limit})
		defer cancel()
	}
	err := c.dial(ctx)
	if err != nil {
		err = c.failed(ctx, "connect", err)
		c.close()
		return nil, err
	}
	return c, nil
}

// slowError says that a server did not start in time.
type slowError struct{ after time.Duration }

func (e *slowError) Error() string { return "it did not start within " + e.after.String() }

func (e *slowError) Unwrap() error { return context.DeadlineExceeded }

func (c *connection) dial(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	transport, err := c.transport()
	if err != nil {
		return err
	}
	client := c.client()
	kept := &keeper{Transport: transport}
	session, err := client.Connect(ctx, kept, &sdk.ClientSessionOptions{ProtocolVersion: c.server.ProtocolVersion})
	c.raw, c.session = kept.got, session
	return err
}

func (c *connection) transport() (sdk.Transport, error) {
	switch {
	case len(c.server.Command) > 0:
		var err error
		if c.proc, err = start(c.server, or(c.config.CloseTimeout, DefaultCloseTimeout, -1)); err != nil {
			return nil, err
		}
		return prompt{c.proc, &c.cancels}, nil
	case c.server.URL != "":
		return c.http()
	}
	switch c.server.Transport.(type) {
	case *sdk.InMemoryTransport, *sdk.IOTransport:
		return prompt{c.server.Transport, &c.cancels}, nil
	}
	return c.server.Transport, nil
}

func (c *connection) http() (sdk.Transport, error) {
	u, err := url.Parse(c.server.URL)
	if err != nil {
		return nil, err
	}
	client := &http.Client{}
	if c.server.HTTPClient != nil {
		*client = *c.server.HTTPClient
	}
	if client.Transport == nil {
		if shared, ok := http.DefaultTransport.(*http.Transport); ok && c.server.HTTPClient == nil {
			own := shared.Clone()
			client.Transport, c.idle = own, own.CloseIdleConnections
		} else {
			client.Transport = http.DefaultTransport
		}
	}
	client.Transport = &roundTripper{next: client.Transport, to: u, header: c.server.Header.Clone(), cancels: &c.cancels}
	c.cancels.watch()
	return &sdk.StreamableClientTransport{
		Endpoint:   c.server.URL,
		HTTPClient: client,
		MaxRetries: or(c.server.HTTPRetries, DefaultHTTPRetries, -1),
	}, nil
}

// begin makes a context that ends with ctx and with the connection.
func (c *connection) begin(ctx context.Context) (context.Context, func(), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
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

// exited returns how the process of the server ended, nil when there is none or
// it runs.
func (c *connection) exited() error {
	if c.proc == nil {
		return nil
	}
	return c.proc.exited()
}

// close ends the connection, everything that waits for it, and the process. It
// waits for people and models that are being asked, who see that their context
// is done.
func (c *connection) close() {
	c.closeOnce.Do(func() {
		c.mu.Lock()
		c.closing = true
		c.mu.Unlock()
		c.end()
		c.work.Wait()
		grace := max(1, or(c.config.CloseTimeout, DefaultCloseTimeout, 0))
		c.cancels.wait(grace)
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			if c.session != nil {
				_ = c.session.Close()
			}
			if c.raw != nil {
				_ = c.raw.Close()
			}
			if c.proc != nil {
				_ = c.proc.Close()
			}
		}()
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-closed:
		case <-timer.C: // something is stuck beneath the session
			if c.raw != nil {
				_ = c.raw.Close()
			}
			<-closed
		}
		if c.idle != nil {
			c.idle()
		}
	})
}
