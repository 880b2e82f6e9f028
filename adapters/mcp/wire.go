package mcp

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// keeper remembers the connection of a transport, so that it can be closed
// whatever became of the session.
type keeper struct {
	sdk.Transport
	got sdk.Connection
}

func (k *keeper) Connect(ctx context.Context) (sdk.Connection, error) {
	conn, err := k.Transport.Connect(ctx)
	k.got = conn
	return conn, err
}

// prompt makes writing honour its context, which a pipe does not: a server that
// does not read would hold up every call for ever.
type prompt struct {
	sdk.Transport
	cancels *cancels
}

func (p prompt) Connect(ctx context.Context) (sdk.Connection, error) {
	conn, err := p.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	p.cancels.watch()
	return promptConn{conn, p.cancels}, nil
}

type promptConn struct {
	sdk.Connection
	cancels *cancels
}

func (p promptConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	written := make(chan error, 1)
	go func() { // at the latest, Close ends it
		err := p.Connection.Write(ctx, msg)
		if req, ok := msg.(*jsonrpc.Request); ok && req.Method == cancelled {
			p.cancels.sent()
		}
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// roundTripper adds the headers of a server to requests to its host. A redirect
// to another gets none.
type roundTripper struct {
	next    http.RoundTripper
	to      *url.URL
	header  http.Header
	cancels *cancels
}

func (r *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if isCancel(req) {
		defer r.cancels.sent()
	}
	if len(r.header) > 0 && req.URL.Host == r.to.Host && req.URL.Scheme == r.to.Scheme {
		req = req.Clone(req.Context())
		maps.Copy(req.Header, r.header)
	}
	return r.next.RoundTrip(req)
}

// cancelled is the message that tells a server that nobody waits for an answer
// any more.
const cancelled = "notifications/cancelled"

// isCancel reports whether a request carries that message.
func isCancel(req *http.Request) bool {
	const small = 4096 // it has an id and a reason
	if req.GetBody == nil || req.ContentLength > small {
		return false
	}
	body, err := req.GetBody()
	if err != nil {
		return false
	}
	text, err := io.ReadAll(body)
	return err == nil && bytes.Contains(text, []byte(`"method":"`+cancelled+`"`))
}

// cancels counts what is cancelled. The SDK tells the server in the background,
// and no more once the session is being closed: a server would go on with a call
// that was cancelled just before.
type cancels struct {
	mu      sync.Mutex
	watched bool // whoever writes calls sent
	open    int
	none    chan struct{} // closed when open is 0; nil when nobody waits
}

func (c *cancels) watch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watched = true
}

// expect says that a call was cancelled.
func (c *cancels) expect() { c.add(1) }

// sent says that a server was told, or cannot be.
func (c *cancels) sent() { c.add(-1) }

func (c *cancels) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	if c.open <= 0 && c.none != nil {
		close(c.none)
		c.none = nil
	}
}

// wait waits until the server was told of everything, for limit at most.
func (c *cancels) wait(limit time.Duration) {
	c.mu.Lock()
	if !c.watched || c.open <= 0 {
		c.mu.Unlock()
		return
	}
	none := make(chan struct{})
	c.none = none
	c.mu.Unlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-none:
	case <-timer.C:
	}
}
