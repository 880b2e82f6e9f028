package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Call is what one call brings along, for [Config].Open. It is good for as long as
// the call runs.
type Call struct {
	// User asks the person at the client, in the middle of the call. Nil: the client
	// takes no questions, so there is nobody to ask.
	User people.User
	// Request is the task, as the other model wrote it.
	Request string
	// Client is the name and version that the client gave itself; nobody checked them.
	Client string
	// Session is the id of the HTTP session. "": the client came another way.
	Session string
	// Header is that of the HTTP request. Nil: the client came another way.
	Header http.Header
	// Token is what package auth of the SDK, as your middleware, found out about who
	// calls. Nil: it was not asked.
	Token *auth.TokenInfo
}

// running is a call that is under way.
type running struct {
	Call
	session *sdk.ServerSession
	token   any             // of progress; nil: none is wanted
	ctx     context.Context //nolint:containedctx // it leads a question or a step back to its own client
	cancel  context.CancelCauseFunc
	over    chan struct{} // closed when the call has ended

	unfollow func() bool // no longer has the client's request end ctx

	mu    sync.Mutex
	told  float64 // progress so far
	quiet bool    // nothing is told any more: the response comes
}

type callKey struct{}

// callOf finds the call that a context belongs to.
func callOf(ctx context.Context) *running {
	r, _ := ctx.Value(callKey{}).(*running)
	return r
}

// handle is the tool. What goes wrong with a task is a result that says so; an error
// of the protocol is only for what is wrong with the protocol.
func (s *Server) handle(ctx context.Context, req *sdk.CallToolRequest) (res *sdk.CallToolResult, _ error) {
	defer func() {
		if value := recover(); value != nil {
			s.config.Logger.Error("mcpserver: a panic", "panic", value, "stack", string(debug.Stack()))
			res = failure(ErrPanic)
		}
	}()
	request, err := requestOf(req.Params.Arguments)
	if err != nil {
		return failure(err), nil
	}
	ctx, r, err := s.begin(ctx, req, request)
	if err != nil {
		return failure(err), nil
	}
	defer s.end(r)
	if err := s.turns.take(ctx, r.queued); err != nil {
		return failure(fmt.Errorf("mcpserver: the task was not begun: %w", err)), nil
	}
	defer s.turns.leave()
	defer s.watch(r)()
	result, err := s.task.Run(ctx, request)
	if err != nil {
		return failure(s.tell(err)), nil
	}
	text, err := json.Marshal(result)
	if err != nil {
		return failure(fmt.Errorf("mcpserver: the task is done, but its result has no JSON form: %w", err)), nil
	}
	return &sdk.CallToolResult{
		StructuredContent: json.RawMessage(text),
		Content:           []sdk.Content{&sdk.TextContent{Text: string(text)}},
	}, nil
}

// begin registers a call, so that it can be told to stop.
func (s *Server) begin(ctx context.Context, req *sdk.CallToolRequest, request string) (_ context.Context, _ *running, err error) {
	r := &running{session: req.Session, token: progressToken(req), over: make(chan struct{})}
	r.Call = Call{Request: request, Session: req.Session.ID()}
	if hello := req.Session.InitializeParams(); hello != nil {
		if hello.ClientInfo != nil {
			r.Client = hello.ClientInfo.Name + " " + hello.ClientInfo.Version
		}
		if takesForms(hello.Capabilities) {
			r.User = User{}
		}
	}
	asked := ctx
	ctx, r.cancel = context.WithCancelCause(context.WithValue(context.WithoutCancel(ctx), callKey{}, r))
	r.ctx = ctx
	r.unfollow = context.AfterFunc(asked, func() { r.cancel(why(asked)) })
	if req.Extra != nil {
		r.Token = req.Extra.TokenInfo
		r.Header = s.posts.follow(req.Extra.Header, r.cancel)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed():
		err = ErrClosed
	case s.ending[r.Session] > 0, s.ending[r.session] > 0:
		err = ErrGone
	}
	if err != nil {
		r.unfollow()
		r.cancel(nil)
		return nil, nil, err
	}
	s.calls[r] = true
	return ctx, r, nil
}

// end is the last of a call: nothing about it is sent any more.
func (s *Server) end(r *running) {
	r.unfollow()
	r.mu.Lock()
	r.quiet = true
	r.mu.Unlock()
	r.cancel(nil)
	s.mu.Lock()
	delete(s.calls, r)
	s.mu.Unlock()
	close(r.over)
}

// open is the func of the runtask.Tool.
func (s *Server) open(ctx context.Context) (*round.Session, error) {
	r := callOf(ctx)
	call := r.Call
	session, err := s.config.Open(ctx, &call)
	if err != nil {
		return nil, &openError{err}
	}
	if session != nil {
		session.Adjust(r.observe)
	}
	return session, nil
}

// openError marks an error of Config.Open, which clients are not told.
type openError struct{ err error }

func (e *openError) Error() string { return e.err.Error() }
func (e *openError) Unwrap() error { return e.err }

// watch has the steps of a shared session told to the client of the call that has
// its turn, until the func is called that it returns.
func (s *Server) watch(r *running) (undo func()) {
	session := s.config.Session
	if session == nil {
		return func() {}
	}
	var before func(round.Step)
	session.Adjust(func(o *round.Options) {
		before = o.Observe
		r.observe(o)
	})
	return func() { session.Adjust(func(o *round.Options) { o.Observe = before }) }
}

// tell is what a client is told of an error.
func (s *Server) tell(err error) error {
	if panicked, ok := errors.AsType[*round.PanicError](err); ok {
		s.config.Logger.Error("mcpserver: a panic", "panic", panicked.Value, "stack", string(panicked.Stack))
		return ErrPanic
	}
	opened, ok := errors.AsType[*openError](err)
	if !ok {
		return err
	}
	if refused, ok := errors.AsType[*RefusalError](opened); ok {
		return refused
	}
	s.config.Logger.Error("mcpserver: no session", "error", opened.err)
	return ErrOpen
}

func failure(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
}
