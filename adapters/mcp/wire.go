package mcp

import (
	"context"
	"errors"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// keeper remembers the connection of a transport, so that it can be closed
// whatever became of the session.
type keeper struct {
	sdk.Transport
	mu     sync.Mutex
	got    sdk.Connection
	closed bool
}

func (k *keeper) Connect(ctx context.Context) (sdk.Connection, error) {
	conn, err := k.Transport.Connect(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.got = conn
	if err == nil && k.closed {
		return nil, errors.Join(ErrClosed, conn.Close())
	}
	return conn, err
}

// Close closes the connection, also one that is not there yet.
func (k *keeper) Close() {
	k.mu.Lock()
	k.closed = true
	conn := k.got
	k.mu.Unlock()
	if conn != nil {
		_ = conn.Close()
	}
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
	return &promptConn{Connection: conn, cancels: p.cancels}, nil
}

type promptConn struct {
	sdk.Connection
	cancels *cancels

	mu   sync.Mutex
	last chan struct{} // closed when the message before is written
}

func (p *promptConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	written, done := make(chan error, 1), make(chan struct{})
	p.mu.Lock()
	before := p.last
	p.last = done
	p.mu.Unlock()
	go func() { // at the latest, Close ends it
		defer close(done)
		if before != nil { // a cancellation must not overtake its call
			<-before
		}
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
