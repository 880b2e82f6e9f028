package runs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

var (
	// ErrClosed says that the service was closed: it drives nothing any more.
	ErrClosed = errors.New("runs: the service is closed")
	// ErrNotEnded says that a run is not deleted before it has ended, or was cancelled.
	ErrNotEnded = errors.New("runs: the run has not ended")

	// ErrAside says that it is no use to try again: an error of Config.Agent over it puts the run aside.
	ErrAside = errors.New("runs: the run is put aside")

	errExit    = errors.New("runs: an agent ended its goroutine (runtime.Goexit)")
	errWorking = errors.New("runs: Work is being called already")
	errEngine  = errors.New("runs: the engine does not work any more")
	errNoStore = errors.New("runs: there is no store")
	errNoAgent = errors.New("runs: Config.Agent is nil: nothing can be driven")
)

// Config says how a Service drives runs.
type Config struct {
	// Agent makes the first agent of a run each time that the run is driven, of the same kind and name. State.Meta is what
	// the run was started with. done, which may be nil, is called after the drive: it closes what the agent works with,
	// such as a browser. ctx lasts until then.
	//
	// An error or a panic postpones the run; an error over [ErrAside] puts it aside at once. Its text becomes the
	// State.Reason. Nil: Work drives nothing.
	Agent func(ctx context.Context, run durable.State) (agent fsm.Worker, done func(), err error)

	// Round has the options of each round. A run keeps the bounds with which it was started. Its Recorder and Board are not
	// read. A nil SuspendOn is llm.Retryable: a run whose model is away for a while waits.
	Round *round.Options

	MaxRuns  int           // how many runs this process drives at a time (16)
	Slice    int           // after how many steps a run makes room while another one waits (50)
	MaxTries int           // how often in a row a run may get nowhere, before it is put aside (20)
	Keep     time.Duration // how long a run that has ended is kept (for ever)
	Poll     time.Duration // how often Work looks for what other processes have done, and for times that have come (1 second)

	// Engine decides when and where runs are driven. Nil: each process drives what it finds in the store. With an Engine
	// Work looks into the store only after sixty Polls, for runs of which a process that died did not tell the engine.
	Engine Engine

	// Logger is told what is put aside, postponed, lost and deleted. Nil: no log.
	Logger *slog.Logger
}

// Service starts and drives runs. Everything may be called by several goroutines.
type Service struct {
	store  store.Store
	config Config
	news   news

	engine Engine
	local  *local // the same; nil: it is one of somebody else
	places places

	mu      sync.Mutex
	working bool
	closing bool
	closed  chan struct{}           // closed with closing
	done    chan struct{}           // closed when Work has returned
	cancel  context.CancelCauseFunc // of all that Work does
	drives  map[string]*drive
	driving sync.WaitGroup       // of drives
	resting map[string]time.Time // until when this process leaves a run alone
	cleaned time.Time            // of Work alone
	toldAt  map[string]notice    // of Work alone: runs of which it has told the engine, and that are not driven yet
}

// New returns a service. It does nothing by itself: see [Service.Work].
func New(st store.Store, config Config) (*Service, error) {
	if nilcheck.IsNil(st) {
		return nil, errNoStore
	}
	or := func(n *int, standard int) {
		if *n <= 0 {
			*n = standard
		}
	}
	or(&config.MaxRuns, 16)
	or(&config.Slice, 50)
	or(&config.MaxTries, 20)
	if config.Poll <= 0 {
		config.Poll = time.Second
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	own := round.Options{}
	if config.Round != nil {
		own = *config.Round
	}
	own.Recorder, own.Board = nil, nil
	if own.SuspendOn == nil {
		own.SuspendOn = llm.Retryable
	}
	config.Round = &own
	s := &Service{store: st, config: config, drives: map[string]*drive{}, closed: make(chan struct{}), engine: config.Engine}
	if nilcheck.IsNil(config.Engine) {
		s.local = newLocal(config.MaxRuns)
		s.engine = s.local
	}
	s.places.taken = make(chan struct{}, config.MaxRuns)
	s.news.waiting = map[string]chan struct{}{}
	return s, nil
}

// Close ends Work and every Watch. It waits for the steps that are under way. If ctx ends before, Close cancels the
// steps, and the next drive does them again. After Close nothing is driven. Its error is that of ctx.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closing {
		s.closing = true
		close(s.closed)
	}
	done, cancel := s.done, s.cancel
	s.mu.Unlock()
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	cancel(fmt.Errorf("%w: %w", ErrClosed, context.Cause(ctx)))
	<-done
	return context.Cause(ctx)
}

// Start starts a run, and returns where it stands. For the id "" it makes one: State.Run has it. An id that is given
// twice with the same request is one run. opts may be nil. If it has no bounds, those of Config.Round hold. Errors are
// those of durable.Start.
func (s *Service) Start(ctx context.Context, run, request string, opts *durable.StartOptions) (durable.State, error) {
	own := durable.StartOptions{Round: s.config.Round}
	if opts != nil {
		own.Meta = opts.Meta
		if opts.Round != nil {
			own.Round = opts.Round
		}
	}
	if run == "" {
		run = uuid.NewString()
	}
	state, err := durable.Start(ctx, s.store, run, request, &own)
	if err == nil && state.Ready() {
		err = s.wake(ctx, run)
	}
	return state, err
}

// Get returns where a run stands. Errors are those of durable.Look, such as durable.ErrNoRun.
func (s *Service) Get(ctx context.Context, run string) (durable.State, error) {
	return durable.Look(ctx, s.store, run)
}

// List yields where the runs stand, in the order of their ids: see durable.List. Query.After of the next page is the last
// id of this one.
func (s *Service) List(ctx context.Context, q durable.Query) iter.Seq2[durable.State, error] {
	return durable.List(ctx, s.store, q)
}

// Answer gives a run the answer to a question, and has it driven again once it has all its answers: see durable.Answer.
func (s *Service) Answer(ctx context.Context, run, question string, answer people.Answer) (given bool, err error) {
	given, err = durable.Answer(ctx, s.store, run, question, answer)
	if err == nil || errors.Is(err, people.ErrTimeout) {
		err = errors.Join(err, s.wake(ctx, run)) // also behind an answer whose process may have died before it said so
	}
	return given, err
}

// Cancel ends a run: see durable.Cancel. This process stops at once to drive it, another one when it looks into the
// store, or at its next record.
func (s *Service) Cancel(ctx context.Context, run, reason string) (cancelled bool, err error) {
	cancelled, err = durable.Cancel(ctx, s.store, run, reason)
	if err != nil {
		return false, err
	}
	if !cancelled { // it may have been, by somebody who could not tell the engine; one that has its result is only being closed
		state, err := durable.Look(ctx, s.store, run)
		if err != nil || state.Outcome != round.Cancelled {
			return false, err
		}
	}
	s.stop(run)
	s.news.tell(run)
	return cancelled, s.told(run, s.engine.Cancel(ctx, run))
}

// Retry has a run driven that was put aside or postponed, with other bounds where adjust is not nil: see durable.Retry.
func (s *Service) Retry(ctx context.Context, run string, adjust func(*round.Options)) (durable.State, error) {
	state, err := durable.Retry(ctx, s.store, run, adjust)
	if err == nil && state.Ready() {
		err = s.wake(ctx, run)
	}
	return state, err
}

// Fork starts a run that goes another way than one that there is, from one of its steps on: see durable.Fork.
func (s *Service) Fork(ctx context.Context, run, as string, change durable.Change) error {
	err := durable.Fork(ctx, s.store, run, s.store, as, change)
	if err == nil {
		err = s.wake(ctx, as)
	}
	return err
}

// wake has a run driven.
func (s *Service) wake(ctx context.Context, run string) error {
	s.news.tell(run)
	s.mu.Lock()
	idle := s.local != nil && (!s.working || s.closing)
	s.mu.Unlock()
	if idle {
		return nil // Work finds it in the store
	}
	return s.told(run, s.engine.Wake(ctx, run))
}

// told says that a record is there, and the engine does not know.
func (s *Service) told(run string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("runs: it is on record, but the engine cannot be told of run %q: %w", run, err)
}

// stop cancels what this process does in a run.
func (s *Service) stop(run string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.drives[run]; d != nil {
		d.cancel(errStopped)
	}
}

// Delete deletes a run and its journal. An unknown run is no error. Delete waits while this process drives the run, as it
// does for a moment after its end. Errors are [ErrNotEnded], store.ErrDriven if another process drives the run, the
// cause of ctx, and those of the store.
func (s *Service) Delete(ctx context.Context, run string) error {
	state, err := durable.Look(ctx, s.store, run)
	switch {
	case errors.Is(err, durable.ErrNoRun):
		return nil
	case err != nil:
		return err
	case state.Stage != durable.Ended:
		return fmt.Errorf("%w: run %q is %s", ErrNotEnded, run, state.Stage)
	}
	for first := true; ; first = false {
		waited, err := s.awaitDrive(ctx, run)
		if err != nil {
			return err
		}
		err = s.store.Delete(ctx, run)
		if !errors.Is(err, store.ErrDriven) || !waited && !first {
			return err
		}
		// This process may have begun to look at the run again, or have just stopped.
	}
}

// awaitDrive waits until this process does not drive the run. waited: it did.
func (s *Service) awaitDrive(ctx context.Context, run string) (waited bool, err error) {
	s.mu.Lock()
	d := s.drives[run]
	s.mu.Unlock()
	if d == nil {
		return false, nil
	}
	select {
	case <-d.free:
		return true, nil
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
}
