package runs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/llm"
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
	// Agent makes the first agent of a run, anew each time that the run is driven: of the same kind and with the
	// same name. State.Meta is what the run was started with. done, which may be nil, is called when this process
	// does not drive the run any more: it closes what the agent works with, such as a browser. ctx lasts until then.
	//
	// An error, or a panic, postpones the run; an error over [ErrAside] puts it aside at once. Its text is the
	// State.Reason that people read. Nil: Work drives nothing.
	Agent func(ctx context.Context, run durable.State) (agent fsm.Worker, done func(), err error)

	// Round has the options of each round. Its bounds are those of the runs that this service starts; a run keeps
	// them, whoever drives it. Its Recorder and Board are not read. A nil SuspendOn is llm.Retryable: a run whose
	// model is away for a while waits.
	Round *round.Options

	MaxRuns  int           // how many runs this process drives at a time (16)
	Slice    int           // after how many steps a run makes room while another one waits (50)
	MaxTries int           // how often in a row a run may get nowhere, before it is put aside (20)
	Keep     time.Duration // how long a run that has ended is kept (for ever)
	Poll     time.Duration // how often Work looks for what other processes have done, and for times that have come (1 second)

	// Engine decides when and where runs are driven. Nil: each process drives what it finds in the store, as soon as it
	// has a place. With an Engine Work looks into the store sixty times less often than Poll says, for runs of
	// which the engine was not told because a process died.
	Engine Engine

	// Logger is told what is put aside, postponed, lost and deleted. Nil: no log.
	Logger *slog.Logger
}

// Service starts and drives runs. Everything may be called by several goroutines.
type Service struct {
	store  store.Store
	config Config
	news   *news

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
	s := &Service{config: config, drives: map[string]*drive{}, closed: make(chan struct{}), engine: config.Engine}
	if nilcheck.IsNil(config.Engine) {
		s.local = newLocal(config.MaxRuns)
		s.engine = s.local
	}
	s.places.free = semaphore.NewWeighted(int64(config.MaxRuns))
	s.news = &news{waiting: map[string]*waiting{}}
	s.store = s.news.over(st)
	return s, nil
}

// Close ends Work and every Watch. Runs that are being driven come to the end of their step, and stay in the store for
// whoever drives them next. When ctx ends before that, Close cancels the steps, and they are done again by whoever
// goes on. Nothing is driven any more when Close has returned. Its error is that of ctx.
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
