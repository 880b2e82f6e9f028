package runs

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Start starts a run, and returns where it stands. The id "" is that of a new one: State.Run has it. An id that is
// given twice with the same request is one run. opts may be nil; the bounds are those of Config.Round where
// opts has none.
//
// Errors are those of durable.Start: round.ErrOtherRequest for an id that has another request,
// round.ErrNoRequest, store.ErrRun, and those of the store.
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

// List yields where the runs stand, in the order of their ids: see durable.List. For a page, leave the loop after as many as
// the page has; the next page has the last id as its Query.After.
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

// Cancel ends a run: see durable.Cancel. A process that drives it stops at once if it is this one, and else when it
// looks into the store, or at its next record.
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

// Delete deletes a run and its journal. Deleting one that is not there is no error. The id can be that of a new run then.
// If this process still drives the run, as it does for a moment behind its end, Delete waits.
// Errors are [ErrNotEnded], store.ErrDriven if another process drives the run, the cause of ctx, and those of the store.
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
