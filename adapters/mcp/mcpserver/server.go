package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/round/runtask"
)

// sessionless is the first version of the protocol without sessions, in which a
// server cannot ask in the middle of a call. It is not offered: clients fall back.
const sessionless = "2026-07-28"

// Server serves tasks as a tool of MCP. Make one with [New].
type Server struct {
	config Config
	task   *runtask.Tool
	sdk    *sdk.Server
	turns  *turns
	posts  posts

	mu      sync.Mutex
	calls   map[*running]bool
	ending  map[any]int // sessions that are being ended, or the ids of these
	closing chan struct{}
}

// New returns a server that nobody is connected to yet. The error is a
// [*ConfigError].
func New(config Config) (*Server, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	s := &Server{
		config: config.filled(), calls: map[*running]bool{}, ending: map[any]int{}, closing: make(chan struct{}),
	}
	s.turns = newTurns(s.config.MaxConcurrent, s.config.MaxWaiting)
	var err error
	if s.config.Session != nil {
		s.task, err = runtask.Shared(s.config.Session, s.config.Tool)
	} else {
		s.task, err = runtask.New(s.open, s.config.Tool)
	}
	if err != nil {
		return nil, &ConfigError{Err: err}
	}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: s.config.Name, Version: s.config.Version}, &sdk.ServerOptions{
		Instructions: s.config.Instructions,
		SupportedProtocolVersions: slices.DeleteFunc(sdk.SupportedProtocolVersions(), func(version string) bool {
			return version >= sessionless
		}),
		Capabilities: capabilities(),
	})
	annotations := *s.config.Annotations
	s.sdk.AddTool(&sdk.Tool{
		Name: s.task.Name(), Title: s.config.Title, Description: s.task.Description(),
		InputSchema: inputSchema(), OutputSchema: outputSchema(), Annotations: &annotations,
	}, s.handle)
	return s, nil
}

// ServeStdio serves the program that started this one, over standard input and
// output, and is for a main: nothing else may write to standard output, and a
// goroutine that reads standard input may outlive it. While it runs, SIGPIPE does not
// end the program, so that tasks are cleaned up when the client is gone. It is Serve
// else.
func (s *Server) ServeStdio(ctx context.Context) error {
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	return s.Serve(ctx, &sdk.StdioTransport{})
}

// Serve serves one client, until it leaves, which is no error, ctx is done, whose
// cause it returns then, or the server is closed ([ErrClosed]). Then calls of the
// client are told to stop, and Serve waits for them for [Config].CloseTimeout; those
// that go on are [ErrRunning], joined to the error. Several may run at the same
// time.
func (s *Server) Serve(ctx context.Context, transport sdk.Transport) error {
	if s.closed() {
		return ErrClosed
	}
	lost := make(chan struct{})
	hears := context.WithValue(ctx, lostKey{}, sync.OnceFunc(func() { close(lost) }))
	session, err := s.sdk.Connect(hears, transport, nil)
	if err != nil {
		return fmt.Errorf("mcpserver: connect: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = session.Wait()
	}()
	var cause error
	select {
	case <-ended:
		return s.left(ctx, err)
	case <-lost: // while calls run, which are told to stop already, and may be stubborn
		if !wait(context.WithoutCancel(ctx), s.config.CloseTimeout, ended) {
			return ErrRunning
		}
		return s.left(ctx, err)
	case <-ctx.Done():
		cause = context.Cause(ctx)
	case <-s.closing:
		cause = ErrClosed
	}
	defer s.barred(session)()
	stopped := s.stop(cause, func(r *running) bool { return r.session == session })
	go func() { _ = session.Close() }() // it waits for calls, which may be stubborn
	if !wait(context.WithoutCancel(ctx), s.config.CloseTimeout, append(stopped, ended)...) {
		return errors.Join(cause, ErrRunning)
	}
	return cause
}

// left is what Serve returns when the connection has ended.
func (s *Server) left(ctx context.Context, err error) error {
	switch {
	case s.closed():
		return ErrClosed
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil, errors.Is(err, io.ErrClosedPipe), errors.Is(err, syscall.EPIPE):
		return nil // what was left to say to a client that is gone is no error either
	}
	return fmt.Errorf("mcpserver: the connection broke: %w", err)
}

// lostKey leads from the context of a client's requests to the Serve that waits.
type lostKey struct{}

// why is the cause for which a client's request has ended before its answer: the
// client cancelled it, or is gone.
func why(request context.Context) error {
	if err := context.Cause(request); errors.Is(err, context.Canceled) {
		return err
	}
	if lost, ok := request.Value(lostKey{}).(func()); ok {
		lost()
	}
	return ErrGone
}

// Close tells all calls to stop, waits for them until ctx is done, at most
// [Config].CloseTimeout, and ends all sessions, those of the Handler included. The
// error is [ErrRunning] when calls went on. A session of [Config].Session is not
// closed. Closing twice is closing once.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock()
	select {
	case <-s.closing:
	default:
		close(s.closing)
	}
	s.mu.Unlock()
	stopped := s.stop(ErrClosed, func(*running) bool { return true })
	if !wait(ctx, s.config.CloseTimeout, append(stopped, s.endSessions())...) {
		return ErrRunning
	}
	return nil
}

// endSessions ends all sessions at the same time, and returns what is closed when
// they have ended.
func (s *Server) endSessions() <-chan struct{} {
	over := make(chan struct{})
	var wait sync.WaitGroup
	for session := range s.sdk.Sessions() {
		wait.Go(func() { _ = session.Close() }) // what is wrong with it is wrong with the client
	}
	go func() {
		defer close(over)
		wait.Wait()
	}()
	return over
}

func (s *Server) closed() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

// stop cancels the calls that match, and returns what is closed when they are over.
func (s *Server) stop(cause error, which func(*running) bool) (over []<-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range s.calls {
		if which(r) {
			r.cancel(cause)
			over = append(over, r.over)
		}
	}
	return over
}

// barred has no call of a session begin until the func is called that it returns.
func (s *Server) barred(session any) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending[session]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.ending[session]--; s.ending[session] == 0 {
			delete(s.ending, session)
		}
	}
}

// wait waits for all of these, and reports whether it has seen them.
func wait(ctx context.Context, timeout time.Duration, all ...<-chan struct{}) bool {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for _, one := range all {
		select {
		case <-one:
			continue
		default:
		}
		select {
		case <-one:
		case <-ctx.Done():
			return false
		case <-timer.C:
			return false
		}
	}
	return true
}
