package mcpserver

import (
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/people"
)

var (
	// ErrClosed says that the [Server] was closed. It is also the cause of the context
	// of calls that ran then.
	ErrClosed = errors.New("mcpserver: the server is closed")
	// ErrGone is the cause of the context of calls whose client went away: its
	// connection broke, or it ended its session.
	ErrGone = errors.New("mcpserver: the client is gone")
	// ErrBusy says that as many tasks run and wait as may.
	ErrBusy = errors.New("mcpserver: too many tasks run and wait; try again later")
	// ErrRunning says that calls went on although they were told to stop, and were
	// left alone.
	ErrRunning = errors.New("mcpserver: calls do not stop")
	// ErrPanic is what a client is told of a panic, wherever it was: in Open, in a
	// model, a tool, a User, an observer. What it was is logged.
	ErrPanic = errors.New("mcpserver: it broke off: a fault in the program")
	// ErrOpen is what a client is told of an error of [Config].Open. The error is
	// logged.
	ErrOpen = errors.New("mcpserver: the task was not begun: its session could not be opened")

	// ErrNoElicitation says that the client takes no questions. It is a
	// [people.ErrNobody].
	ErrNoElicitation = fmt.Errorf("mcpserver: the client takes no questions (elicitation): %w", people.ErrNobody)
	// ErrNoCall says that [User] was asked outside of a call. It is a
	// [people.ErrNobody].
	ErrNoCall = fmt.Errorf("mcpserver: there is no call, and so no client: %w", people.ErrNobody)
	// ErrSecret says that a question seems to ask for a password or the like. MCP
	// forbids to ask for these with a form, so it was not asked.
	ErrSecret = errors.New("mcpserver: the question asks for a secret, for which a form must not ask")
)

// ElicitError says that the client failed to ask its person.
type ElicitError struct {
	Err error
}

func (e *ElicitError) Error() string {
	return fmt.Sprintf("mcpserver: the client could not ask: %v", e.Err)
}

// Unwrap returns the client's error, or that of the connection.
func (e *ElicitError) Unwrap() error { return e.Err }
