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

// soon is for how long a process minds a time for which a run waits, without a look into the store.
const soon = time.Minute

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
	left   bool // between two steps
	again  bool // it is to be driven again at once; Service.mu
}

// whole drives the run, and then decides what follows.
func (d *drive) whole() {
	turn := &turn{of: d.s.turns}
	turn.change(func() func() { return d.s.turns.take(d.ctx) })
	defer turn.change(nil)
	session, state, err := d.open()
	if session == nil && err == nil {
		return
	}
	defer d.close()
	var res round.Result
	if err == nil {
		res, err = d.steer(turn.within(d.ctx), session, state)
	}
	switch {
	case d.left:
		d.postpone("", false)
	case d.ctx.Err() != nil, err == nil, res.Outcome.Ended(),
		errors.Is(err, store.ErrDriven), errors.Is(err, durable.ErrCancelled):
	case res.Outcome == round.Suspended && d.waits(res):
	case errors.Is(err, store.ErrConflict):
		d.goOn() // somebody appended, such as an answer
	case res.Outcome == round.OverBudget:
		d.postpone(d.shown(res.Reason), true)
	case errors.Is(err, ErrAside):
		d.postpone(d.shown(err.Error()), true)
	default:
		d.postpone(d.shown(err.Error()), false)
	}
}

// open makes the agent and opens the run; nil: it is not to be driven.
func (d *drive) open() (session *round.Session, state durable.State, err error) {
	hold, err := d.s.store.Drive(d.ctx, d.run, false)
	if err != nil {
		if !errors.Is(err, store.ErrDriven) && d.ctx.Err() == nil {
			d.s.unreadable(d.ctx, d.run, err)
		}
		return nil, state, nil
	}
	release := sync.OnceFunc(func() { _ = hold.Release(context.WithoutCancel(d.ctx)) }) // whose store cannot do it finds out that nobody drives the run
	defer release()
	state, ready := d.prepare()
	if !ready {
		return nil, state, nil
	}
	// Nobody else makes an agent of this run meanwhile: it may open a browser.
	agent, err := d.agent(state)
	if err != nil {
		return nil, state, err
	}
	release()
	session, err = durable.Open(d.ctx, agent, d.s.store, d.run, &durable.Options{Round: d.s.config.Round, Existing: true})
	if err != nil {
		return nil, state, err
	}
	return session, state, nil
}

// prepare looks whether the run is to be driven, and records that it is. The caller has the run.
func (d *drive) prepare() (durable.State, bool) {
	state, err := durable.Look(d.ctx, d.s.store, d.run)
	switch {
	case d.ctx.Err() != nil, errors.Is(err, durable.ErrNoRun):
		return state, false
	case err != nil:
		d.s.unreadable(d.ctx, d.run, err)
		return state, false
	case !state.Ready():
		return state, false
	}
	state, err = durable.Attempt(d.ctx, d.s.store, d.run)
	if err != nil {
		d.rest(err)
		return state, false
	}
	if state.Tries < d.s.config.MaxTries {
		return state, true
	}
	state, err = durable.Postpone(d.ctx, d.s.store, d.run, state.Reason, time.Time{})
	if err != nil {
		d.rest(err)
		return state, false
	}
	d.s.config.Logger.ErrorContext(d.ctx, "a run was put aside", "run", d.run, "tries", state.Tries, "reason", state.Reason)
	return state, false
}

// steer drives the run.
func (d *drive) steer(ctx context.Context, session *round.Session, state durable.State) (res round.Result, err error) {
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), closeTimeout)
		defer cancel()
		if err := session.Close(ctx); err != nil {
			d.s.config.Logger.WarnContext(ctx, "an agent could not be closed", "run", d.run, "error", err)
		}
	}()
	r := session.Round()
	if r == nil {
		if r, err = session.Start(state.Request); err != nil {
			return res, err
		}
	}
	for _, err = range r.Steps(ctx) {
		if d.steps++; err == nil && d.s.makesRoom(d) {
			d.left = true
			break
		}
	}
	return r.Result(), err
}

// agent calls Config.Agent.
func (d *drive) agent(state durable.State) (agent fsm.Worker, err error) {
	err = guard(func() (err error) {
		agent, d.closes, err = d.s.config.Agent(d.ctx, state)
		return err
	})
	if err == nil && nilcheck.IsNil(agent) {
		err = fmt.Errorf("runs: Config.Agent returned no agent: %w", round.ErrAgent)
	}
	return agent, err
}

// close calls what Config.Agent returned for that.
func (d *drive) close() {
	if d.closes == nil {
		return
	}
	err := guard(func() error {
		d.closes()
		return nil
	})
	if err != nil {
		d.s.config.Logger.ErrorContext(d.ctx, "what an agent works with could not be closed", "run", d.run, "error", err)
	}
}

// guard makes an error of a panic.
func guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &round.PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

// waits reports whether the run is to be driven when somebody answers, or a time comes.
func (d *drive) waits(res round.Result) bool {
	state, err := durable.Look(d.ctx, d.s.store, d.run)
	switch {
	case err != nil:
	case state.Stage == durable.Ready && len(res.Waits) > 0:
		d.goOn() // it was answered meanwhile
	case state.Stage == durable.Waiting:
		if pause := time.Until(state.Due); pause > 0 && pause < soon { // what comes later, Work finds in the store
			time.AfterFunc(pause, func() { d.s.enqueue(d.run) })
		}
	}
	return len(res.Waits) > 0 || err == nil && !state.Wakes.IsZero()
}

func (d *drive) goOn() {
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	d.again = true
}

// postpone records that the run could not go on. Without a reason, it can go on at once.
func (d *drive) postpone(reason string, aside bool) {
	ctx := context.WithoutCancel(d.ctx)
	hold, err := d.s.store.Drive(ctx, d.run, false)
	if errors.Is(err, store.ErrDriven) {
		return // somebody else is at work on it
	}
	if err == nil {
		defer func() { _ = hold.Release(ctx) }()
		err = d.record(ctx, reason, aside)
	}
	if err != nil {
		d.rest(err)
	}
}

// record does that while nobody else drives the run.
func (d *drive) record(ctx context.Context, reason string, aside bool) error {
	state, err := durable.Look(ctx, d.s.store, d.run)
	if err != nil || !state.Ready() {
		return err
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
	log := d.s.config.Logger.With("run", d.run, "tries", state.Tries, "reason", reason)
	switch {
	case err != nil || reason == "":
		return err
	case until.IsZero():
		log.ErrorContext(ctx, "a run was put aside")
	default:
		log.WarnContext(ctx, "a run was postponed", "pause", pause)
	}
	return nil
}

// rest leaves the run alone, since not even that can be recorded.
func (d *drive) rest(err error) {
	if d.ctx.Err() != nil {
		return
	}
	d.s.mu.Lock()
	d.s.rest(d.run, minPause)
	d.s.mu.Unlock()
	d.s.config.Logger.ErrorContext(d.ctx, "a run cannot be recorded", "run", d.run, "error", err)
}

// shown is a text as it may be shown.
func (d *drive) shown(text string) string {
	if redact := d.s.config.Round.Redact; redact != nil {
		return redact(text)
	}
	return text
}
