package mcpserver

import (
	"context"
	"encoding/json"
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

	"github.com/agentfsm/agentfsm/internal/adapters"
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
	life   context.Context //nolint:containedctx // of the server: its end is that of all calls
	end    context.CancelCauseFunc

	mu    sync.Mutex
	calls map[*running]bool
}

// New returns a server without clients. The error says what is wrong with the config.
func New(config Config) (*Server, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	s := &Server{config: config.filled(), calls: map[*running]bool{}}
	s.life, s.end = context.WithCancelCause(context.Background())
	s.turns = newTurns(s.config.MaxConcurrent, s.config.MaxWaiting)
	var err error
	if s.config.Session != nil {
		s.task, err = runtask.Shared(s.config.Session, s.config.Tool)
	} else {
		s.task, err = runtask.New(s.open, s.config.Tool)
	}
	if err != nil {
		return nil, fmt.Errorf("mcpserver: bad config: %w", err)
	}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: s.config.Name, Version: s.config.Version}, &sdk.ServerOptions{
		SupportedProtocolVersions: slices.DeleteFunc(sdk.SupportedProtocolVersions(), func(version string) bool {
			return version >= sessionless
		}),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}, // the list never changes
	})
	yes := true
	sdk.AddTool(s.sdk, &sdk.Tool{
		Name: s.task.Name(), Title: s.config.Title, Description: s.task.Description(),
		OutputSchema: json.RawMessage(resultSchema),
		Annotations:  &sdk.ToolAnnotations{DestructiveHint: &yes, OpenWorldHint: &yes},
	}, func(ctx context.Context, req *sdk.CallToolRequest, args adapters.TaskArguments) (*sdk.CallToolResult, any, error) {
		result, err := s.handle(ctx, req, args.Request)
		if err != nil {
			return nil, nil, err // a result that says so
		}
		// The SDK would read an output again, and round its numbers.
		return &sdk.CallToolResult{StructuredContent: result, Content: []sdk.Content{&sdk.TextContent{Text: string(result)}}}, nil, nil
	})
	return s, nil
}

// resultSchema describes the JSON of a runtask.Result. It allows other names, so that a client with an older
// one takes a newer result.
const resultSchema = `{
"type": "object",
"description": "What the task came to. There is one only of a task that is done.",
"required": ["outcome", "agent", "status", "steps", "transitions", "calls", "usage"],
"properties": {
  "run": {"type": "string", "description": "the run of the task, if it has an id"},
  "round": {"type": "integer", "description": "the number of the task in its session, from 1"},
  "outcome": {"type": "string", "const": "FINISH"},
  "answer": {"type": "string", "description": "what to tell the one who asked for the task"},
  "agent": {"type": "string", "description": "the agent that ended it"},
  "status": {"type": "string"},
  "reason": {"type": "string"},
  "warning": {"type": "string", "description": "what could not be cleaned up; the task is done all the same"},
  "steps": {"type": "integer"},
  "transitions": {"type": "integer"},
  "calls": {"type": "integer", "description": "of the model"},
  "cost": {"type": "number"},
  "usage": {"type": "object", "description": "tokens: input_tokens, output_tokens, and parts of them"},
  "partial": {"type": "array", "description": "what was not done: id, task, status (failed or dropped), reason", "items": {"type": "object"}},
  "verified": {"type": "object", "description": "who found that it is done: verdict (yes, no or unknown), by, evidence"},
  "subtasks": {"type": "array", "items": {"type": "object"},
    "description": "id, application, task, depends_on, status (FINISH: it was done), reason, data; data_bytes in the place of data that is too long"}
}}`

// ServeStdio serves the program that started this one, over standard input and
// output, and is for a main: nothing else may write to standard output, and a
// goroutine that reads standard input may outlive it. While it runs, SIGPIPE does not
// end the program, so that tasks are cleaned up when the client is gone. Otherwise it is Serve.
func (s *Server) ServeStdio(ctx context.Context) error {
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	return s.Serve(ctx, &sdk.StdioTransport{})
}

// lifeKey leads from the context of a client's requests to the life of its connection.
type lifeKey struct{}

// life is that of a connection of Serve. All calls of the client end with it.
type life struct {
	context.Context //nolint:containedctx // see above
	end             context.CancelCauseFunc
}

// Serve serves one client until it leaves, which is no error, until ctx is done, and then returns its
// cause, or until the server is closed ([ErrClosed]). Then calls of the
// client are told to stop, and Serve waits for them for [Config].CloseTimeout; if calls
// go on, [ErrRunning] is joined to the error. Several may run at the same time.
func (s *Server) Serve(ctx context.Context, transport sdk.Transport) error {
	if s.closed() {
		return ErrClosed
	}
	of, end := context.WithCancelCause(ctx)
	defer end(nil)
	session, err := s.sdk.Connect(context.WithValue(ctx, lifeKey{}, &life{of, end}), transport, nil)
	if err != nil {
		return fmt.Errorf("mcpserver: connect: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err = <-ended:
		return s.left(ctx, err)
	case <-of.Done():
	case <-s.life.Done():
		end(ErrClosed)
	}
	cause := context.Cause(of)
	if errors.Is(cause, ErrGone) {
		cause = nil // the session ends by itself
	} else {
		go func() { _ = session.Close() }() // it waits for calls, which may be stubborn
	}
	select {
	case err = <-ended:
		return s.left(ctx, err)
	case <-time.After(s.config.CloseTimeout):
		return errors.Join(cause, ErrRunning)
	}
}

// left is what Serve returns when its session has ended with an error or nil.
func (s *Server) left(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case s.closed():
		return ErrClosed
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe), errors.Is(err, syscall.EPIPE):
		return nil // what was left to say to a client that is gone is no error either
	}
	return fmt.Errorf("mcpserver: the connection broke: %w", err)
}

// Close tells all calls to stop, waits for them until ctx is done, at most
// [Config].CloseTimeout, and ends all sessions, those of the Handler included. The
// error is [ErrRunning] if calls went on. A session of [Config].Session is not
// closed. Closing twice is closing once.
func (s *Server) Close(ctx context.Context) error {
	s.mu.Lock() // no call begins any more
	s.end(ErrClosed)
	for r := range s.calls {
		r.cancel(ErrClosed)
	}
	s.mu.Unlock()
	over := make(chan struct{})
	go func() {
		defer close(over)
		s.endSessions() // it waits for their calls
	}()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
	case <-time.After(s.config.CloseTimeout):
	}
	return ErrRunning
}

// endSessions ends all sessions at the same time.
func (s *Server) endSessions() {
	var wait sync.WaitGroup
	for session := range s.sdk.Sessions() {
		wait.Go(func() { _ = session.Close() }) // what is wrong with it is wrong with the client
	}
	wait.Wait()
}

func (s *Server) closed() bool { return s.life.Err() != nil }

// turns lets some calls run and some more wait, in the order in which they came.
type turns struct {
	all  chan struct{} // a value for each call that runs or waits; nil: any number
	free chan struct{} // a value for each call that runs
}

func newTurns(running, waiting int) *turns {
	if running < 0 {
		return &turns{}
	}
	return &turns{make(chan struct{}, running+waiting), make(chan struct{}, running)}
}

// take waits for a turn. It calls queued if it has to. The error is ErrBusy, or the cause of ctx.
func (t *turns) take(ctx context.Context, queued func()) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if t.all == nil {
		return nil
	}
	select {
	case t.all <- struct{}{}:
	default:
		return ErrBusy
	}
	select {
	case t.free <- struct{}{}:
		return nil
	default:
	}
	queued()
	select {
	case t.free <- struct{}{}:
		return nil
	case <-ctx.Done():
		<-t.all
		return context.Cause(ctx)
	}
}

func (t *turns) leave() {
	if t.all != nil {
		<-t.free
		<-t.all
	}
}
