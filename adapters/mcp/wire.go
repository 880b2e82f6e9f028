package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

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
// does not read would hold up every call for ever. And a session that the server
// refused leaves its connection to the next one: there is no other to a server in
// memory, and one that is started would have to be started twice.
type prompt struct {
	sdk.Transport
	cancels *cancels
	again   *atomic.Bool
	mender  mender
	most    int            // bytes of a message; negative: any
	conn    sdk.Connection // nil before the first session
}

func (p *prompt) Connect(ctx context.Context) (sdk.Connection, error) {
	if p.conn == nil {
		conn, err := p.Transport.Connect(ctx)
		if err != nil {
			return nil, err
		}
		p.cancels.watch()
		p.conn = conn
	}
	life, end := context.WithCancel(context.Background())
	return &promptConn{Connection: p.conn, cancels: p.cancels, again: p.again, mender: p.mender, unread: newUnread(p.most), life: life, end: end}, nil
}

type promptConn struct {
	sdk.Connection
	cancels *cancels
	again   *atomic.Bool
	mender  mender
	unread  *unread
	life    context.Context //nolint:containedctx // of the session, which ends before its connection may
	end     context.CancelFunc

	mu   sync.Mutex
	last chan struct{} // closed when the message before is written
}

func (p *promptConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(p.life, cancel) //nolint:contextcheck // the end of the session is to end it too
	defer stop()
	msg, err := p.Connection.Read(ctx)
	if err != nil && p.life.Err() != nil {
		err = io.EOF
	}
	if err == nil {
		p.mender.message(msg)
		err = p.unread.asked(msg)
	}
	return msg, err
}

// Close ends the session, and the connection unless another session is to have it.
func (p *promptConn) Close() error {
	defer p.end()
	if p.again.Load() {
		return nil
	}
	return p.Connection.Close()
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
		p.unread.answered(msg)
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-p.unread.over: // no answer will be read
		return &unreadError{}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
