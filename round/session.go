package round

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
)

// Session is several rounds with one host: each request is a round of its own, the blackboard, the agents and their
// memory live on. One goroutine uses a session at a time.
type Session struct {
	host    fsm.Worker
	options Options
	board   *blackboard.Board
	current *Round
	rounds  int // that have begun
	closed  atomic.Bool
	secrets secrets
	used    checkpoint.Used // in all rounds
}

// NewSession returns a session. The options hold for each of its rounds; the
// bounds named Session hold for all of them together. It checks host as [New] does.
func NewSession(host fsm.Worker, opts *Options) (*Session, error) {
	s := &Session{host: host}
	if opts != nil {
		s.options = *opts
	}
	probe, err := newRound(host, "", &s.options)
	if err != nil {
		return nil, err
	}
	s.board = probe.board
	s.options.Board = probe.board
	return s, nil
}

// Start returns the round for a request without driving it, for callers that pull its steps. A round before it that
// could have gone on is given up: it has failed then, and its open sub-tasks are closed with the reason for which it
// stopped. After a round that is [Lost] the session begins no other one: the error is that of the round, and another
// process goes on with it.
func (s *Session) Start(request string) (*Round, error) {
	switch {
	case s.closed.Load():
		return nil, ErrClosed
	case strings.TrimSpace(request) == "":
		return nil, ErrNoRequest
	case s.current != nil && s.current.lost != nil:
		return nil, s.current.result.Err // what its step did is given back to another process
	}
	if s.current != nil {
		if err := s.current.giveUp(); err != nil {
			return nil, err
		}
	}
	r, err := newRound(s.host, request, &s.options)
	if err != nil {
		return nil, err
	}
	s.add(r, s.rounds+1)
	return r, nil
}

// add makes r the current round, the nth of the session.
func (s *Session) add(r *Round, n int) {
	r.join(n, &s.secrets, &s.used)
	s.current, s.rounds = r, n
}

// Run is Start and the round's Run.
func (s *Session) Run(ctx context.Context, request string) (Result, error) {
	r, err := s.Start(request)
	if err != nil {
		return Result{}, err
	}
	return r.Run(ctx)
}

// Continue goes on with the session's round, such as one that [Restore] made, and begins one with request where there
// is none yet. Of a round that has ended it returns the result: a run that is worked on twice by mistake is done once.
//
// Where the round was begun with another request the error is [ErrOtherRequest], and nothing is done: an answer to one
// request is never given to another one. In a conversation say which round is meant: [Session.ContinueRound].
func (s *Session) Continue(ctx context.Context, request string) (Result, error) {
	if s.current == nil {
		return s.Run(ctx, request)
	}
	return s.ContinueRound(ctx, s.rounds, request)
}

// ContinueRound is Continue for the nth round of the session, from 1, those before this process among them: it goes on
// with that one, returns its result, or begins it when the round before has ended. A request that is delivered twice is
// done once, and the next one is not taken for it.
//
// Only the last round has a result. The error for one before it, for one that cannot begin yet,
// and for a round that was begun with another request is [ErrOtherRequest].
func (s *Session) ContinueRound(ctx context.Context, n int, request string) (Result, error) {
	switch {
	case n == s.rounds && s.current != nil && s.current.request == request:
		return s.current.Run(ctx)
	case n == s.rounds+1 && (s.current == nil || s.current.result.Outcome.Ended()):
		return s.Run(ctx, request)
	}
	s.leave(ctx) // somebody else may go on with it
	if n == s.rounds && s.current != nil {
		return Result{}, fmt.Errorf("%w: round %d was begun with another text", ErrOtherRequest, n)
	}
	return Result{}, fmt.Errorf("%w: round %d, and the last round is number %d", ErrOtherRequest, n, s.rounds)
}

// leave tells the Recorder that nobody here drives the session.
func (s *Session) leave(ctx context.Context) {
	if rec := s.options.Recorder; rec != nil {
		_ = guard(func() error { return rec.Record(ctx, &Checkpoint{Event: checkpoint.Left}) }) // there is nothing more to lose
	}
}

// Round returns the last round, to go on with it, or nil.
func (s *Session) Round() *Round { return s.current }

// Board returns the blackboard of the session.
func (s *Session) Board() *blackboard.Board { return s.board }

// Adjust changes the options of the current round, as its own Adjust does, and of the rounds to come.
func (s *Session) Adjust(change func(*Options)) {
	old := s.options
	change(&s.options)
	s.options.Board, s.options.Recorder, s.options.Run = old.Board, old.Recorder, old.Run
	if s.current != nil {
		s.current.Adjust(change)
	}
}

// Close ends the session: a host that stands in FAIL or ERROR goes on to FINISH for its clean-up, where its table has
// that edge, and the host's own Close is called, if it has one. Results stay as they are. While a round is being driven
// it returns [ErrBusy] and closes nothing. A session that is closed again does nothing.
func (s *Session) Close(ctx context.Context) error {
	if s.closed.Load() {
		return nil
	}
	var errs []error
	if s.current != nil {
		err := s.current.giveUp()
		if errors.Is(err, ErrBusy) {
			return err
		}
		errs = append(errs, err)
	}
	if s.closed.Swap(true) {
		return nil
	}
	if s.current != nil {
		errs = append(errs, s.current.cleanUp(ctx))
	}
	s.leave(ctx)
	if c, ok := s.host.(fsm.Closer); ok {
		errs = append(errs, guard(func() error { return c.Close(ctx) }))
	}
	return errors.Join(errs...)
}
