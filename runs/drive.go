package runs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/round"
)

// The pauses before a run is tried again.
const (
	minPause = time.Second
	maxPause = 5 * time.Minute
)

// closeTimeout is how long an agent may take to close.
const closeTimeout = 10 * time.Second

// errStopped is why a run is not driven any more that was cancelled.
var errStopped = errors.New("runs: the run was cancelled")

// drive is one time that a run is driven: until it ends, waits, cannot go on, or makes room.
type drive struct {
	s      *Service
	run    string
	ctx    context.Context //nolint:containedctx // of this drive, which ends with it
	cancel context.CancelCauseFunc
	closes func() // what Config.Agent returned; may be nil
	steps  int
	left   bool          // between two steps
	free   chan struct{} // closed when an ended run is not driven any more, but for what its agent works with
}

// whole drives the run, and then decides what follows.
func (d *drive) whole() (Next, error) {
	defer d.close()
	return d.settle(d.work())
}

// work is what a drive did.
type work struct {
	session *round.Session // nil: the run is not to be driven
	state   durable.State
	next    Next // if session and err are nil
	res     round.Result
	err     error
}

// work opens the run and drives it. An agent may panic or end its goroutine.
func (d *drive) work() (w work) {
	failed := protect(func() {
		if w.session, w.state, w.next, w.err = d.open(); w.err == nil && w.session != nil {
			w.res, w.err = d.steer(d.ctx, w.session, w.state)
		}
	})
	if failed != nil {
		w.err = failed
	}
	return w
}

// protect calls f in a goroutine of its own. The error is a panic, or errExit if f ends its goroutine.
func protect(f func()) (err error) {
	done := make(chan struct{})
	err = errExit
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				err = &round.PanicError{Value: v, Stack: debug.Stack()}
			}
		}()
		f()
		err = nil
	}()
	<-done
	return err
}

// settle decides what follows, and records it.
func (d *drive) settle(w work) (Next, error) {
	session, state, res, err := w.session, w.state, w.res, w.err
	var unread error
	if res.Outcome == round.Suspended {
		state, unread = durable.Look(d.ctx, d.s.store, d.run)
	}
	switch {
	case errors.Is(err, errExit) && !res.Outcome.Ended():
		d.s.config.Logger.ErrorContext(d.ctx, "an agent ended its goroutine", "agentfsm.run.id", d.run, "error", err)
	case session == nil && (errors.Is(err, round.ErrNotResumable) || errors.Is(err, fsm.ErrUnknownStatus)):
		return d.unfit(err)
	}
	d.release()
	switch {
	case errors.Is(context.Cause(d.ctx), errStopped):
		state, err := durable.Look(context.WithoutCancel(d.ctx), d.s.store, d.run)
		if err != nil {
			return in(minPause), nil //nolint:nilerr // the next drive tells
		}
		return follows(state), nil // somebody may have deleted it and started another one by now
	case errors.Is(err, durable.ErrCancelled):
		return Next{Ended: true}, nil
	case d.ctx.Err() != nil:
		return Next{}, context.Cause(d.ctx)
	case session == nil && err == nil:
		return w.next, nil // it was not to be driven
	case d.left:
		return d.leave()
	case err == nil, res.Outcome.Ended():
		return Next{Ended: true}, nil
	case errors.Is(err, store.ErrDriven):
		return in(minPause), nil
	case errors.Is(err, store.ErrConflict):
		return in(0), nil // somebody appended, such as an answer
	}
	if unread != nil {
		return d.rest(unread), nil
	}
	if res.Outcome == round.Suspended && (len(res.Waits) > 0 || !state.Wakes.IsZero()) {
		return follows(state), nil
	}
	aside := res.Outcome == round.OverBudget || errors.Is(err, ErrAside)
	reason := err.Error()
	if res.Outcome == round.OverBudget {
		reason = res.Reason
	}
	return d.postpone(d.shown(reason), aside), nil
}

// open makes the agent and opens the run; nil: it is not to be driven.
func (d *drive) open() (session *round.Session, state durable.State, next Next, err error) {
	hold, err := d.s.store.Drive(d.ctx, d.run, false)
	if err != nil {
		pause := minPause // somebody else is at work on it
		if !errors.Is(err, store.ErrDriven) && d.ctx.Err() == nil {
			pause = d.s.unreadable(d.ctx, d.run, err)
		}
		return nil, state, in(pause), nil
	}
	release := sync.OnceFunc(func() { _ = hold.Release(context.WithoutCancel(d.ctx)) }) // whose store cannot do it finds out that nobody drives the run
	defer release()
	state, next, ready := d.prepare()
	if !ready {
		return nil, state, next, nil
	}
	// Nobody else makes an agent of this run meanwhile: it may open a browser.
	agent, err := d.agent(state)
	if err != nil {
		return nil, state, next, err
	}
	release()
	session, err = durable.Open(d.ctx, agent, d.s.store, d.run, &durable.Options{Round: d.s.config.Round, Existing: true})
	if err != nil {
		return nil, state, next, err
	}
	return session, state, next, nil
}

// prepare looks whether the run is to be driven, and records that it is. The caller has the run.
func (d *drive) prepare() (durable.State, Next, bool) {
	state, err := durable.Look(d.ctx, d.s.store, d.run)
	switch {
	case d.ctx.Err() != nil:
		return state, Next{}, false
	case errors.Is(err, durable.ErrNoRun):
		return state, Next{Ended: true}, false
	case err != nil:
		return state, in(d.s.unreadable(d.ctx, d.run, err)), false
	case !state.Ready():
		return state, follows(state), false
	}
	state, err = durable.Attempt(d.ctx, d.s.store, d.run)
	if err != nil {
		return state, d.rest(err), false
	}
	if state.Tries < d.s.config.MaxTries {
		return state, Next{}, true
	}
	state, err = durable.Postpone(d.ctx, d.s.store, d.run, state.Reason, time.Time{})
	if err != nil {
		return state, d.rest(err), false
	}
	d.s.config.Logger.ErrorContext(d.ctx, "a run was put aside", "agentfsm.run.id", d.run, "tries", state.Tries, "reason", state.Reason)
	return state, follows(state), false
}

// steer drives the run.
func (d *drive) steer(ctx context.Context, session *round.Session, state durable.State) (res round.Result, err error) {
	defer func() { //nolint:contextcheck // what is given back is given back when ctx has ended, too
		ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), closeTimeout)
		defer cancel()
		if err := session.Close(ctx); err != nil {
			d.s.config.Logger.WarnContext(ctx, "an agent could not be closed", "agentfsm.run.id", d.run, "error", err)
		}
	}()
	r := session.Round()
	if r == nil {
		if r, err = session.Start(state.Request); err != nil {
			return res, err
		}
	}
	for _, err = range r.Steps(ctx) {
		d.s.news.tell(d.run)
		if d.steps++; err == nil && d.s.makesRoom(d) {
			d.left = true
			break
		}
	}
	return r.Result(), err
}

// agent calls Config.Agent.
func (d *drive) agent(state durable.State) (agent fsm.Worker, err error) {
	agent, d.closes, err = d.s.config.Agent(d.ctx, state)
	if err == nil && nilcheck.IsNil(agent) {
		err = fmt.Errorf("runs: Config.Agent returned no agent: %w", round.ErrAgent)
	}
	return agent, err
}

// close calls what Config.Agent returned for that. It logs what goes wrong.
func (d *drive) close() {
	if d.closes == nil {
		return
	}
	if err := protect(d.closes); err != nil {
		d.s.config.Logger.ErrorContext(d.ctx, "what an agent works with could not be closed", "agentfsm.run.id", d.run, "error", err)
	}
}

// release tells Delete that the run is free.
func (d *drive) release() {
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	select {
	case <-d.free:
	default:
		close(d.free)
	}
}

// unfit leaves the run to another release of the program: it has failed only here.
func (d *drive) unfit(err error) (Next, error) {
	d.postpone("", false)
	d.s.mu.Lock()
	d.s.rest(d.run, maxPause)
	d.s.mu.Unlock()
	d.s.config.Logger.WarnContext(d.ctx, "this program cannot go on with a run, and leaves it to others", "agentfsm.run.id", d.run, "error", err)
	if d.s.local != nil {
		return Next{}, err // Work finds it again
	}
	_, _ = d.s.refuse(d.ctx)
	return Next{}, err
}

// leave records that the run goes on elsewhere, or here when it is its turn again.
func (d *drive) leave() (Next, error) {
	next := d.postpone("", false)
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	if d.s.closing {
		return Next{}, ErrClosed
	}
	return next, nil
}

// postpone records that the run could not go on. Without a reason, it can go on at once.
func (d *drive) postpone(reason string, aside bool) Next {
	ctx := context.WithoutCancel(d.ctx)
	hold, err := d.s.store.Drive(ctx, d.run, false)
	if errors.Is(err, store.ErrDriven) {
		return in(minPause) // somebody else is at work on it
	}
	if err != nil {
		return d.rest(err)
	}
	defer func() { _ = hold.Release(ctx) }()
	state, err := d.record(ctx, reason, aside)
	if err != nil {
		return d.rest(err)
	}
	return follows(state)
}

// record does that while nobody else drives the run.
func (d *drive) record(ctx context.Context, reason string, aside bool) (durable.State, error) {
	state, err := durable.Look(ctx, d.s.store, d.run)
	if err != nil || !state.Ready() {
		return state, err
	}
	pause := min(minPause<<min(state.Tries, 20), maxPause)
	until := time.Now().Add(pause)
	switch {
	case reason == "":
		until = time.Now()
	case aside || state.Tries+1 >= d.s.config.MaxTries:
		until = time.Time{}
	}
	state, err = durable.Postpone(ctx, d.s.store, d.run, reason, until)
	log := d.s.config.Logger.With("agentfsm.run.id", d.run, "tries", state.Tries, "reason", reason)
	switch {
	case err != nil || reason == "":
	case until.IsZero():
		log.ErrorContext(ctx, "a run was put aside")
	default:
		log.WarnContext(ctx, "a run was postponed", "pause", pause)
	}
	return state, err
}

// rest leaves the run alone, since not even that can be recorded.
func (d *drive) rest(err error) Next {
	if d.ctx.Err() == nil {
		d.s.mu.Lock()
		d.s.rest(d.run, minPause)
		d.s.mu.Unlock()
		d.s.config.Logger.ErrorContext(d.ctx, "a run cannot be recorded", "agentfsm.run.id", d.run, "error", err)
	}
	return in(minPause)
}

// shown is a text as it may be shown.
func (d *drive) shown(text string) string {
	if redact := d.s.config.Round.Redact; redact != nil {
		return redact(text)
	}
	return text
}
