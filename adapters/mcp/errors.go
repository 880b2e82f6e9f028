package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	// ErrClosed says that the [Desktop] was closed.
	ErrClosed = errors.New("mcp: the desktop is closed")
	// ErrDisconnected says that the connection to a server is gone: its process
	// ended, its session is unknown, its stream broke, a message was longer than
	// [Config].MaxMessage, it asked without reading the answers. It does not come back;
	// [Open] makes another.
	ErrDisconnected = errors.New("mcp: the server is gone")
	// ErrUnavailable says that a request got no answer, though the connection may
	// still be good, such as after HTTP status 503.
	ErrUnavailable = errors.New("mcp: the server gave no answer")
	// ErrProtocol says that a server answered with an error of the protocol.
	ErrProtocol = errors.New("mcp: the server refused the request")
)

// ServerError says what went wrong with one server. Whether a tool that was
// called had an effect is unknown. errors.Is finds its Kind and what is behind
// Err.
type ServerError struct {
	Server string
	Op     string // connect, list tools, or call and the tool's name
	Kind   error  // ErrDisconnected, ErrUnavailable or ErrProtocol; nil when the context ended
	Code   int64  // of the error of the protocol; 0: there is none
	Err    error  // the cause; without the secrets of the Server
}

// Error is one line, whatever the server said.
func (e *ServerError) Error() string {
	text := fmt.Sprintf("mcp: server %s: %s", e.Server, e.Op)
	switch {
	case errors.Is(e.Kind, ErrDisconnected):
		text += ": the server is gone"
	case errors.Is(e.Kind, ErrUnavailable):
		text += ": no answer"
	case errors.Is(e.Kind, ErrProtocol):
		text += fmt.Sprintf(": refused with code %d", e.Code)
	}
	return oneLine(fmt.Sprintf("%s: %v", text, e.Err))
}

// Unwrap returns the kind and the cause.
func (e *ServerError) Unwrap() []error {
	if e.Kind == nil {
		return []error{e.Err}
	}
	return []error{e.Kind, e.Err}
}

// ExitError says how the process of a server ended.
type ExitError struct {
	State string // such as "exit status 1" or "signal: killed"
	// Stderr is what the process wrote last to its standard error: its own words,
	// whole lines where they are short, at most 512 bytes, fit to be shown, without
	// the secrets of the Server. "" when it wrote nothing.
	Stderr string
}

func (e *ExitError) Error() string {
	text := "its process ended: " + e.State
	if e.Stderr != "" {
		text += ", and its last words were: " + oneLine(e.Stderr)
	}
	return text
}

// Codes that the SDK uses for what never came from the server.
const (
	codeClientClosing = -32003
	codeServerClosing = -32004
	codeNotSent       = -32005
)

// answered finds the error of the protocol with which the server answered.
func answered(err error) (*jsonrpc.Error, bool) {
	wire, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || wire == nil {
		return nil, false
	}
	switch wire.Code {
	case codeClientClosing, codeServerClosing, codeNotSent:
		return nil, false
	}
	return wire, true
}

// failed makes the error of a request that did not succeed.
func (c *connection) failed(ctx context.Context, op string, err error) error {
	e := &ServerError{Server: c.server.Name, Op: op}
	wire, ok := answered(err)
	_, tooLong := errors.AsType[*tooLongError](err)
	_, deaf := errors.AsType[*unreadError](err)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		c.untold.Add(1)
	}
	switch {
	case errors.Is(context.Cause(ctx), ErrClosed), ctx.Err() == nil && c.life.Err() != nil:
		return ErrClosed
	case ctx.Err() != nil:
		e.Err = context.Cause(ctx)
		return e
	case ok:
		e.Kind, e.Code, e.Err = ErrProtocol, wire.Code, errors.New(c.secrets.hide(wire.Message))
		return e
	case tooLong, deaf, errors.Is(err, sdk.ErrConnectionClosed), errors.Is(err, sdk.ErrSessionMissing),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe), errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind = ErrDisconnected
	default:
		e.Kind = ErrUnavailable
	}
	e.Err = c.secrets.clean(err)
	exit := error(nil)
	if c.proc != nil {
		exit = c.proc.exited(ctx, c.secrets)
	}
	if exit != nil {
		e.Kind, e.Err = ErrDisconnected, fmt.Errorf("%w; %w", exit, e.Err)
	} else if c.over(ctx) {
		e.Kind = ErrDisconnected
	}
	return e
}
