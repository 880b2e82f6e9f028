package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of what a server may ask before it has read the answers.
const (
	maxUnread   = 100
	maxQuestion = 1 << 20 // bytes
)

// unreadError says that a server asked more than it may.
type unreadError struct{}

func (*unreadError) Error() string {
	return fmt.Sprintf("more than %d of its requests were not answered yet, or one was too long: it asks, and does not read", maxUnread)
}

// cancelled is the message that tells a server that a call was cancelled.
const cancelled = "notifications/cancelled"

// stream is the way to a server over a pipe. Writing honours its context, which a pipe does not, answers are
// mended, and a server that asks without reading the answers is cut off.
type stream struct {
	sdk.Transport
	c *connection
}

func (s *stream) Connect(ctx context.Context) (sdk.Connection, error) {
	conn, err := s.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	out := &streamConn{Connection: conn, c: s.c, queue: make(chan *outgoing)}
	out.life, out.end = context.WithCancel(s.c.wire)
	go out.send()
	return out, nil
}

type streamConn struct {
	sdk.Connection
	c     *connection
	queue chan *outgoing
	open  atomic.Int64    // requests of the server that it has no answer to
	life  context.Context //nolint:containedctx // of the session
	end   context.CancelFunc
}

type outgoing struct {
	ctx  context.Context //nolint:containedctx // of the Write that waits
	msg  jsonrpc.Message
	sent chan error
}

// send writes in order: a cancellation must not overtake its call.
func (s *streamConn) send() {
	for {
		select {
		case out := <-s.queue:
			out.sent <- s.Connection.Write(out.ctx, out.msg) // Close ends it
			switch msg := out.msg.(type) {
			case *jsonrpc.Response:
				s.open.Add(-1)
			case *jsonrpc.Request:
				if msg.Method == cancelled {
					s.c.untold.Add(-1)
				}
			}
		case <-s.life.Done():
			return
		}
	}
}

func (s *streamConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	out := &outgoing{ctx, msg, make(chan error, 1)}
	queue := s.queue
	for {
		select {
		case queue <- out:
			queue = nil
		case err := <-out.sent:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.life.Done():
			return io.ErrClosedPipe
		}
	}
}

func (s *streamConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := s.Connection.Read(ctx)
	if err != nil {
		return nil, err
	}
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() && (s.open.Add(1) > maxUnread || len(req.Params) > maxQuestion) {
		s.end() // no answer will be read
		return nil, &unreadError{}
	}
	mend(s.c.log, msg)
	return msg, nil
}

func (s *streamConn) Close() error {
	s.end()
	return s.Connection.Close()
}

// tooLongError says that a server sent more than it may.
type tooLongError struct{ most int }

func (e *tooLongError) Error() string { return fmt.Sprintf("it sent more than %d bytes", e.most) }

// messages passes on the lines of a server that are messages, and drops the others: many programs
// greet or log to their standard output, and one such line would end the session.
func messages(from io.ReadCloser, most int, drop func(bytes int)) io.ReadCloser {
	lines := bufio.NewReaderSize(from, 64<<10)
	return &pieces{Closer: from, more: func() ([]byte, error) {
		line, err := readLine(lines, most)
		switch {
		case len(line) > most:
			return nil, &tooLongError{most}
		case isMessage(line):
			return append(bytes.TrimSpace(line), '\n'), err
		case len(bytes.TrimSpace(line)) > 0:
			drop(len(line))
		}
		return nil, err
	}}
}

// isMessage reports whether a line is a message, or several of them as the oldest
// versions of the protocol have it.
func isMessage(line []byte) bool {
	line = bytes.TrimSpace(line)
	if list, ok := bytes.CutPrefix(line, []byte("[")); ok {
		return bytes.HasPrefix(bytes.TrimSpace(list), []byte("{")) && json.Valid(line)
	}
	_, err := jsonrpc.DecodeMessage(line)
	return bytes.HasPrefix(line, []byte("{")) && err == nil
}

// readLine reads a line with its end, or the beginning of one that has more than most bytes.
func readLine(from *bufio.Reader, most int) (line []byte, err error) {
	for {
		part, err := from.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > most {
			return line, nil
		}
	}
}

// pieces is a reader of what more returns, piece by piece.
type pieces struct {
	io.Closer
	more  func() ([]byte, error)
	piece []byte
	err   error
}

func (r *pieces) Read(p []byte) (int, error) {
	for len(r.piece) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.piece, r.err = r.more()
	}
	n := copy(p, r.piece)
	r.piece = r.piece[n:]
	return n, nil
}
