package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	// Session is the id of the HTTP session. "": the client came another way.
	Session string
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

	unfollow func() // no longer has anything else end ctx

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

// handle does a task. Its error becomes a result that says what went wrong, for the model that called the tool.
func (s *Server) handle(ctx context.Context, req *sdk.CallToolRequest, request string) (result json.RawMessage, err error) {
	defer func() {
		if value := recover(); value != nil {
			s.config.Logger.Error("mcpserver: a panic", "panic", value, "stack", string(debug.Stack()))
			result, err = nil, ErrPanic
		}
	}()
	ctx, r, err := s.begin(ctx, req, request)
	if err != nil {
		return nil, err
	}
	defer s.over(r)
	if err := s.turns.take(ctx, r.queued); err != nil {
		return nil, fmt.Errorf("mcpserver: the task was not begun: %w", err)
	}
	defer s.turns.leave()
	defer s.watch(r)()
	done, err := s.task.Run(ctx, request)
	if err != nil {
		return nil, s.tell(err)
	}
	text, err := json.Marshal(done)
	if err != nil {
		return nil, fmt.Errorf("mcpserver: the task is done, but its result has no JSON form: %w", err)
	}
	return text, nil
}

// begin registers a call, so that it can be told to stop.
func (s *Server) begin(asked context.Context, req *sdk.CallToolRequest, request string) (context.Context, *running, error) {
	r := &running{session: req.Session, token: req.Params.GetProgressToken()}
	r.Call = Call{Request: request, Session: req.Session.ID()}
	if hello := req.Session.InitializeParams(); hello != nil && takesForms(hello.Capabilities) {
		r.User = User{}
	}
	r.ctx, r.cancel = context.WithCancelCause(context.WithValue(context.WithoutCancel(asked), callKey{}, r))
	client, _ := asked.Value(lifeKey{}).(*life)
	stops := []func() bool{
		context.AfterFunc(asked, func() { // the client cancelled it, or is gone
			cause := context.Cause(asked)
			switch {
			case client != nil && client.Err() != nil:
				cause = context.Cause(client)
			case !errors.Is(cause, context.Canceled):
				cause = ErrGone
			}
			r.cancel(cause)
			if client != nil && errors.Is(cause, ErrGone) { // Serve is not told of that while calls run
				client.end(ErrGone)
			}
		}),
	}
	if client != nil {
		stops = append(stops, context.AfterFunc(client, func() { r.cancel(context.Cause(client)) }))
	}
	r.unfollow = func() {
		for _, stop := range stops {
			stop()
		}
	}
	if req.Extra != nil {
		r.Token = req.Extra.TokenInfo
		s.posts.follow(req.Extra.Header, r.cancel)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed() {
		r.unfollow()
		r.cancel(nil)
		return nil, nil, ErrClosed
	}
	s.calls[r] = true
	return r.ctx, r, nil
}

// over is the last of a call: nothing about it is sent any more.
func (s *Server) over(r *running) {
	r.unfollow()
	r.mu.Lock()
	r.quiet = true
	r.mu.Unlock()
	r.cancel(nil)
	s.mu.Lock()
	delete(s.calls, r)
	s.mu.Unlock()
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
