package runs

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/round"
)

// Work drives runs until ctx is done or Close is called, and returns after the last drive. If ctx is done, it cancels
// what it drives. Its error is the cause of ctx, [ErrClosed], or that of the Engine. It needs a Config.Agent, and fails
// while another Work is under way.
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

	worked := make(chan error, 1)
	go func() { worked <- s.engine.Work(ctx, s.drive) }()
	err := s.oversee(ctx, worked)
	cancel(err)
	s.driving.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.working = false
	close(s.done)
	return err
}

// oversee looks into the store now and then, until the work is over, and its engine with it.
func (s *Service) oversee(ctx context.Context, worked <-chan error) error {
	look := time.NewTimer(0)
	defer look.Stop()
	whole := 0 // a look into the whole store is due after so many
	closed := s.closed
	drained := make(chan struct{})
	for {
		select {
		case err := <-worked: // by itself, or since ctx is done
			return cmp.Or(context.Cause(ctx), err, errEngine)
		case <-closed:
			closed = nil
			go func() {
				s.driving.Wait() // Close lets each come to the end of its step
				close(drained)
			}()
		case <-drained:
			s.cancel(ErrClosed)
			drained = nil
		case <-look.C:
			if whole--; s.local != nil || whole <= 0 {
				s.look(ctx)
				whole = 60
			}
			s.stopCancelled(ctx)
			look.Reset(s.config.Poll)
		}
	}
}

// drive is what the engine calls: it drives a run once.
func (s *Service) drive(ctx context.Context, run string) (Next, error) {
	if !s.places.take(ctx, s.closed) {
		return s.refuse(ctx)
	}
	defer s.places.free()
	d := &drive{s: s, run: run, free: make(chan struct{})}
	d.ctx, d.cancel = context.WithCancelCause(ctx)
	defer d.cancel(nil)
	s.mu.Lock()
	switch {
	case s.closing:
		s.mu.Unlock()
		return s.refuse(ctx)
	case s.drives[run] != nil:
		s.mu.Unlock()
		return in(minPause), nil
	case s.local == nil && s.rests(run): // another process of the engine may be able to
		s.mu.Unlock()
		return s.refuse(ctx)
	}
	s.drives[run] = d
	s.driving.Add(1)
	s.mu.Unlock()
	defer func() {
		s.news.tell(run)
		d.release()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.drives, run)
		s.driving.Done()
	}()
	return d.whole() //nolint:contextcheck // what is given back is given back when ctx has ended, too
}

// refuse gives a run back, after a moment: else the engine would hand it to this process again.
func (s *Service) refuse(ctx context.Context) (Next, error) {
	pause := time.NewTimer(minPause)
	defer pause.Stop()
	select {
	case <-ctx.Done():
		return Next{}, context.Cause(ctx)
	case <-pause.C:
		return Next{}, ErrClosed
	}
}

// makesRoom reports whether a drive is over after a step: another run waits for its place, or the service closes.
func (s *Service) makesRoom(d *drive) bool {
	s.mu.Lock()
	closing := s.closing
	s.mu.Unlock()
	return closing || d.steps >= s.config.Slice && (s.places.waiting.Load() > 0 || s.local != nil && s.local.crowded())
}

// look finds what is to be driven, and what is not any more.
func (s *Service) look(ctx context.Context) {
	list := map[string]notice{}
	for state, err := range durable.List(ctx, s.store, durable.Query{Ready: true}) {
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.unreadable(ctx, state.Run, err)
		case s.local == nil && s.toldAt[state.Run].still(state): // it may wait for its place for hours
			was := s.toldAt[state.Run]
			was.looks++
			list[state.Run] = was
		case s.found(ctx, state.Run):
			list[state.Run] = notice{began: state.Began, seq: state.Seq}
		}
	}
	s.toldAt = list
	s.clean(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	for run := range s.resting {
		s.rests(run) // forgets it when its time is over
	}
}

// notice is where a run was when Work told the engine of it.
type notice struct {
	began time.Time
	seq   int64
	looks int // since
}

// still reports whether the run is still there. An engine may have lost it, so it is told again after ten looks.
func (t notice) still(state durable.State) bool {
	return t.seq == state.Seq && t.began.Equal(state.Began) && t.looks < 10
}

// found has a run driven that is ready, as the store says, and that nobody drives.
func (s *Service) found(ctx context.Context, run string) (told bool) {
	s.mu.Lock()
	busy := s.drives[run] != nil || s.rests(run)
	s.mu.Unlock()
	switch {
	case busy:
		return false
	case s.local != nil:
		if !s.local.idle(run) {
			return false
		}
	default:
		hold, err := s.store.Drive(ctx, run, false)
		if err != nil {
			if !errors.Is(err, store.ErrDriven) && ctx.Err() == nil {
				s.unreadable(ctx, run, err)
			}
			return false
		}
		_ = hold.Release(ctx) // whose store cannot do it finds out that nobody drives the run
	}
	if err := s.wake(ctx, run); err != nil {
		s.config.Logger.ErrorContext(ctx, "a run waits to be driven", "agentfsm.run.id", run, "error", err)
		return false
	}
	return true
}

// unreadable notes a run, or a store, that cannot be read, and logs it now and then. It returns when to look again.
func (s *Service) unreadable(ctx context.Context, run string, err error) (pause time.Duration) {
	pause = 2 * minPause
	if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrVersion) {
		pause = maxPause // it does not mend by itself
	}
	s.mu.Lock()
	quiet := s.rests(run)
	if !quiet {
		s.rest(run, pause)
	}
	s.mu.Unlock()
	if !quiet {
		s.config.Logger.ErrorContext(ctx, "a run cannot be read", "agentfsm.run.id", run, "error", err)
	}
	return pause
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
		if err := s.store.Delete(ctx, state.Run); err != nil {
			s.config.Logger.WarnContext(ctx, "a run cannot be deleted", "agentfsm.run.id", state.Run, "error", err)
			continue
		}
		s.config.Logger.InfoContext(ctx, "a run was deleted", "agentfsm.run.id", state.Run, "ended", state.Last)
	}
}
