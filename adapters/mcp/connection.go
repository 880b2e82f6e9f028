package mcp

import (
	"context"
	"log/slog"
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
	lost    chan struct{}   // closed when the session is over, whoever ended it
	kept    *keeper         // the connection beneath the session
	proc    *process        // nil: it was not started here
	again   atomic.Bool     // the next session to end leaves its connection to another
	refused atomic.Bool     // a web server said that a request was bad, or its address unknown
	idle    func()          // closes idle connections of HTTP
	life    context.Context //nolint:containedctx // of the connection, which outlives every call
	end     context.CancelFunc
	work    sync.WaitGroup // calls, and what servers ask

	progress  progress
	reports   chan Progress // that Config.Progress has not seen yet
	dropped   counter       // lines that were no messages
	declined  counter       // forms that nobody was shown
	forms     atomic.Int64  // since the last call began
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
	if config.Progress != nil {
		c.reports = make(chan Progress, unseen)
		c.work.Go(c.tell)
	}
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
	c.kept = &keeper{Transport: transport}
	if c.server.ProtocolVersion != "" {
		return c.greet(ctx, c.server.ProtocolVersion)
	}
	c.again.Store(true)
	err = c.greet(ctx, usual)
	c.again.Store(false)
	if err == nil || ctx.Err() != nil || !c.refusesVersion(transport, err) {
		return err
	}
	if c.greet(ctx, stateless) == nil {
		return nil
	}
	return err
}

// greet makes a session, with a version of the protocol as the first offer.
func (c *connection) greet(ctx context.Context, version string) error {
	client := c.client()
	type outcome struct {
		session *sdk.ClientSession
		err     error
	}
	connected := make(chan outcome, 1)
	go func() { // the SDK waits for the stream of a web server without looking at the context
		session, err := client.Connect(ctx, c.kept, &sdk.ClientSessionOptions{ProtocolVersion: version})
		connected <- outcome{session, err}
	}()
	var got outcome
	select {
	case got = <-connected:
	case <-ctx.Done():
		c.again.Store(false)
		c.kept.Close()
		if got = <-connected; got.err == nil {
			got.err = context.Cause(ctx)
		}
	}
	if c.session = got.session; c.session == nil {
		return got.err
	}
	c.lost = make(chan struct{})
	go func() { // Close ends it
		defer close(c.lost)
		_ = c.session.Wait()
	}()
	return got.err
}

// begin makes a context that ends with ctx and with the connection.
func (c *connection) begin(ctx context.Context) (context.Context, func(), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return nil, nil, ErrClosed
	}
	c.work.Add(1)
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, postKey{}, newPost()))
	stop := context.AfterFunc(c.life, func() { cancel(ErrClosed) })
	return ctx, func() {
		stop()
		cancel(nil)
		c.work.Done()
	}, nil
}

// exited returns how the process of the server ended, nil when there is none or
// it runs.
func (c *connection) exited(ctx context.Context) error {
	if c.proc == nil {
		return nil
	}
	return c.proc.exited(ctx, c.secrets)
}

// over reports whether the session has ended, or does so now.
func (c *connection) over(ctx context.Context) bool {
	if c.lost == nil {
		return false
	}
	timer := time.NewTimer(aMoment)
	defer timer.Stop()
	select {
	case <-c.lost:
		return true
	case <-ctx.Done():
	case <-timer.C:
	}
	return false
}

// aMoment is what a session needs to end after its calls have.
const aMoment = 50 * time.Millisecond

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
		grace := c.grace()
		c.cancels.wait(grace)
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			if c.session != nil {
				_ = c.session.Close()
			}
			if c.kept != nil {
				c.kept.Close()
			}
			if c.proc != nil {
				_ = c.proc.Close()
			}
			if c.lost != nil {
				<-c.lost
			}
		}()
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-closed:
		case <-timer.C: // something is stuck beneath the session
			if c.kept != nil {
				c.kept.Close()
			}
			<-closed
		}
		if c.idle != nil {
			c.idle()
		}
	})
}
