package runs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/round"
)

// Work drives runs until ctx is done or Close is called, and returns when nothing is driven any more. It
// cancels what it drives when ctx is done. Its error is the cause of ctx, or [ErrClosed]. A second call at the same time is an error.
func (s *Service) Work(ctx context.Context) error {
	if s.config.Agent == nil {
		return errNoAgent
	}
	s.mu.Lock()
	switch {
	case s.closing:
		s.mu.Unlock()
		return ErrClosed
	case s.working:
		s.mu.Unlock()
		return errWorking
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.working, s.done, s.cancel = true, make(chan struct{}), cancel
	s.mu.Unlock()

	var drives sync.WaitGroup
	defer func() {
		drives.Wait()
		s.mu.Lock()
		s.working, s.queue = false, queue{}
		close(s.done)
		s.mu.Unlock()
	}()
	look := time.NewTimer(0)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-s.kick:
		case <-look.C:
			s.look(ctx)
			look.Reset(s.config.Poll)
		}
		for {
			d := s.begin(ctx)
			if d == nil {
				break
			}
			drives.Go(func() {
				defer d.cancel(nil)
				d.whole()
				s.over(d)
			})
		}
		s.mu.Lock()
		closing := s.closing
		s.mu.Unlock()
		if closing {
			return ErrClosed
		}
	}
}

// begin takes the next run that waits for a place; nil: there is no place, or no run.
func (s *Service) begin(ctx context.Context) *drive {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || len(s.drives) >= s.config.MaxRuns {
		return nil
	}
	run, there := s.queue.next()
	if !there {
		return nil
	}
	d := &drive{s: s, run: run}
	d.ctx, d.cancel = context.WithCancelCause(ctx)
	s.drives[run] = d
	return d
}

// over gives a place back.
func (s *Service) over(d *drive) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.drives, d.run)
	if d.again && !s.closing {
		s.queue.add(d.run)
	}
	s.wake()
}

// look finds what is to be driven, and what is not any more.
func (s *Service) look(ctx context.Context) {
	for state, err := range durable.List(ctx, s.store, durable.Query{Ready: true}) {
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.unreadable(ctx, state.Run, err)
		default:
			s.found(state.Run)
		}
	}
	s.stopCancelled(ctx)
	s.clean(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	for run := range s.resting {
		s.rests(run) // forgets it when its time is over
	}
}

// found has a run driven that is ready, as the store says.
func (s *Service) found(run string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.drives[run] == nil && !s.rests(run) {
		s.queue.add(run)
		s.wake()
	}
}

// unreadable notes a run, or a store, that cannot be read, and logs it now and then.
func (s *Service) unreadable(ctx context.Context, run string, err error) {
	s.mu.Lock()
	quiet := s.rests(run)
	if !quiet {
		pause := 2 * minPause
		if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrVersion) {
			pause = maxPause // it does not mend by itself
		}
		s.rest(run, pause)
	}
	s.mu.Unlock()
	if !quiet {
		s.config.Logger.ErrorContext(ctx, "a run cannot be read", "run", run, "error", err)
	}
}

// rest has this process leave a run alone for a while, where the store cannot keep that. s.mu is held.
func (s *Service) rest(run string, pause time.Duration) {
	if s.resting == nil {
		s.resting = map[string]time.Time{}
	}
	s.resting[run] = time.Now().Add(pause)
}

// rests reports whether a run is left alone. s.mu is held.
func (s *Service) rests(run string) bool {
	until, there := s.resting[run]
	if there && !time.Now().Before(until) {
		delete(s.resting, run)
		return false
	}
	return there
}

// stopCancelled stops what is driven here, and was cancelled by another process.
func (s *Service) stopCancelled(ctx context.Context) {
	s.mu.Lock()
	driven := slices.Collect(maps.Keys(s.drives))
	s.mu.Unlock()
	index, ok := s.store.(store.Index)
	if !ok {
		return // its next record says so
	}
	for _, run := range driven {
		m, err := index.Marked(ctx, run)
		if err != nil || m.Stage != string(durable.Ended) {
			continue
		}
		// One that has its result is only being closed.
		if state, err := durable.Look(ctx, s.store, run); err == nil && state.Outcome == round.Cancelled {
			s.stop(run)
		}
	}
}

// cleanedAtOnce is how many runs are deleted before Work drives again.
const cleanedAtOnce = 100

// clean deletes what ended long ago. It looks for that a hundred times in the time for which a run is kept.
func (s *Service) clean(ctx context.Context) {
	now := time.Now()
	if s.config.Keep <= 0 || now.Sub(s.cleaned) < s.config.Keep/100 {
		return
	}
	s.cleaned = now
	many := 0
	for state, err := range durable.List(ctx, s.store, durable.Query{Stages: []durable.Stage{durable.Ended}}) {
		if err != nil || now.Sub(state.Last) < s.config.Keep {
			continue
		}
		if many++; many > cleanedAtOnce {
			s.cleaned = time.Time{} // the others at the next look
			return
		}
		if err := s.Delete(ctx, state.Run); err != nil {
			s.config.Logger.WarnContext(ctx, "a run cannot be deleted", "run", state.Run, "error", err)
			continue
		}
		s.config.Logger.InfoContext(ctx, "a run was deleted", "run", state.Run, "ended", state.Last)
	}
}
