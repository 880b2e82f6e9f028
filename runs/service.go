package runs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

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
	// ErrWorking says that Work is being called already.
	ErrWorking = errors.New("runs: the service works already")
	// ErrNotEnded says that a run is not deleted before it has ended, or was cancelled.
	ErrNotEnded = errors.New("runs: the run has not ended")

	errNoStore = errors.New("runs: there is no store")
	errNoAgent = errors.New("runs: Config.Agent is nil: nothing can be driven")
)

// Config says how a Service drives runs.
type Config struct {
	// Agent makes the first agent of a run, anew for each time that the run is driven: of the same kind and with the
	// same name. State.Meta is what the run was started with. An error, or a panic, postpones the run. The agent's
	// method Close is called when the drive is over. Nil: Work drives nothing.
	Agent func(ctx context.Context, run durable.State) (fsm.Worker, error)

	// Round has the options of each round, among them the bounds with which a run is started. Its Recorder and
	// Board are not read. Nil, and a nil SuspendOn: a run whose model is away for a while (llm.Retryable) waits.
	Round *round.Options

	MaxRuns  int           // how many runs this process drives at a time (16)
	Slice    int           // after how many steps a run makes room while another one waits (50)
	MaxTries int           // how often in a row a run may get nowhere, before it is put aside (20)
	Keep     time.Duration // how long a run that has ended is kept (for ever)
	Poll     time.Duration // how often Work looks for what other processes have done (1 second)

	// Logger is told what is put aside, postponed, lost and deleted. Nil: no log.
	Logger *slog.Logger
}

// Service starts and drives runs. Everything may be called by several goroutines.
type Service struct {
	store  store.Store
	config Config
	news   *news

	mu      sync.Mutex
	working bool
	closing bool
	done    chan struct{} // closed when Work has returned
	drives  map[string]*drive
	queue   queue
	resting map[string]time.Time // until when this process leaves a run alone
	turns   *turns
	cleaned time.Time     // of Work alone
	kick    chan struct{} // there is something to do
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
	s := &Service{config: config, drives: map[string]*drive{}, kick: make(chan struct{}, 1), turns: newTurns()}
	s.news = &news{waiting: map[string]*waiting{}}
	s.store = s.news.over(st)
	return s, nil
}

// Close ends Work: runs that are being driven come to the end of their step, and stay in the store for whoever drives them
// next. When ctx ends before that, the steps are cancelled, and done again by whoever goes on. Nothing is
// driven any more when Close has returned. Its error is that of ctx.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	done := s.done
	s.mu.Unlock()
	s.wake()
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	for _, d := range s.drives {
		d.cancel(fmt.Errorf("%w: %w", ErrClosed, context.Cause(ctx)))
	}
	s.mu.Unlock()
	<-done
	return context.Cause(ctx)
}

// wake has Work look what is to be done.
func (s *Service) wake() {
	select {
	case s.kick <- struct{}{}:
	default:
	}
}
