package durable

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/effects"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/effect"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// effectLog has what the step under way has done in Go, and what it waits for. They are in no order, and stay
// where everything else is dropped, also over a stop: a key says which is which until the step is taken.
type effectLog struct{ ops []*op }

func (e *effectLog) find(kind, key string) *op {
	for _, c := range e.ops {
		if c.kind == kind && c.key == key {
			return c
		}
	}
	return nil
}

// begin is that a state is handled: it has asked for nothing yet.
func (e *effectLog) begin() {
	for _, c := range e.ops {
		c.used = false
	}
}

// stop is that the round stops. An agent may save that an effect was done, and not ask for it again. One that
// was refused is not done because nobody knew what was done before; now the agent was told.
func (e *effectLog) stop() {
	e.ops = slices.DeleteFunc(e.ops, func(c *op) bool { return c.done != nil && c.done.As == records.NotDone })
	for _, c := range e.ops {
		c.early = true
	}
}

// unasked are those of an earlier attempt that this one has not asked for.
func (e *effectLog) unasked() []*op {
	return slices.DeleteFunc(slices.Clone(e.ops), func(c *op) bool { return c.used || c.early || c.kind != records.KindEffect })
}

// wakes returns when the first wait is over; zero: there is none.
func (e *effectLog) wakes() (first time.Time) {
	for _, c := range e.ops {
		if c.timer != nil && !c.timer.Over && (first.IsZero() || c.timer.Until.Before(first)) {
			first = c.timer.Until
		}
	}
	return first
}

// happened reports whether an effect was done, or may have been.
func (c *op) happened() bool {
	return c.done == nil || c.done.As != records.NotDone && c.done.As != records.Withdrawn
}

// owes reports whether an effect was done behind a call or a command that is dropped now, and its agent must
// be told of it: it followed from something else.
func (c *op) owes(dropped int64) bool {
	return !c.owed && c.happened() && dropped > 0 && c.seq > dropped
}

// doubtful reports whether nobody knows whether an effect was done.
func (c *op) doubtful() bool {
	return c.done == nil || c.done.As == records.Cut || c.done.As == records.Uncertain
}

// innermost finds the recording whose step a Handle is in. That of a round around it has the effects of
// that Handle only where they are not recorded by a journal of its own.
type innermost struct{}

type recordedEffects struct {
	j     *recorder
	of    *effect.Round
	inner effect.Doer
}

// passes reports whether another record has what is done under ctx.
func (w recordedEffects) passes(ctx context.Context) bool {
	return w.j.isWithin(ctx) || ctx.Value(innermost{}) != &w.j.recording
}

func (w recordedEffects) Do(ctx context.Context, c *effect.Call) error {
	if w.passes(ctx) {
		return w.inner.Do(ctx, c)
	}
	c.Kept = true
	d := deed{recorder: w.j, call: c, key: w.of.KeyIn(ctx, c.Key)}
	if over, err := d.begin(ctx, unfit(c)); over || err != nil {
		return err
	}
	back := false
	defer func() {
		if !back {
			_ = d.end(ctx, &records.Done{Key: d.key, As: records.Cut, Err: noteError(errPanicked)}, errPanicked) // an error is kept
		}
	}()
	err := w.inner.Do(w.j.within(ctx), c)
	back = true
	return d.end(ctx, d.came(ctx, err), err)
}

// unfit says why an effect can have no value that is JSON. Whether the value that comes has a form shows when
// it is there.
func unfit(c *effect.Call) error {
	err := guard(func() error {
		_, err := c.JSON()
		return err
	})
	if no, ok := errors.AsType[*json.UnsupportedTypeError](err); ok {
		return no
	}
	return nil
}

// deed is an effect on its way.
type deed struct {
	*recorder
	call *effect.Call
	key  string
	op   *op
}

// begin gives back what came of the effect, or records that it is about to be done. over: it is not to be done.
func (d *deed) begin(ctx context.Context, unfit error) (over bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.err != nil:
		return true, d.err
	case effect.Over(ctx):
		return true, &effects.Error{Key: d.call.Key, Kind: effects.ErrNotDone, Err: errOver}
	}
	if d.op = d.effects.find(records.KindEffect, d.key); d.op != nil {
		return d.again(ctx)
	}
	if d.past.left() != nil && (d.past.anew || !d.past.onlyCalls()) {
		if err := d.diverge(ctx, records.KindEffect, d.key); err != nil {
			return true, err
		}
	}
	d.op = &op{kind: records.KindEffect, key: d.key, used: true}
	d.effects.ops = append(d.effects.ops, d.op)
	forked := d.wasDone(d.key)
	switch {
	case unfit != nil:
		return true, d.refuse(records.NotDone, unfit)
	case len(d.unreported) > 0:
		return true, d.refuse(records.NotDone, fmt.Errorf(owedEffect, strings.Join(d.unreported, ", ")))
	case forked && !d.call.Idempotent:
		return true, d.refuse(records.Uncertain, errForked)
	}
	return false, d.intend(ctx)
}

// again gives an effect back. One that is to be done once more is begun anew: j.mu is held.
func (d *deed) again(ctx context.Context) (over bool, err error) {
	c := d.op
	if c.used {
		return true, &effects.Error{Key: d.call.Key, Kind: effects.ErrKey, Err: errTwice}
	}
	c.used = true
	if i := slices.Index(d.unreported, d.key); i >= 0 && c.owed {
		d.unreported, c.owed = slices.Delete(d.unreported, i, i+1), false
	}
	switch {
	case c.done != nil && c.done.As == records.Withdrawn, c.doubtful() && d.call.Idempotent:
		return false, d.intend(ctx)
	case c.done == nil, c.done.As == records.Cut:
		// From now on that is the answer, also for whoever goes on next.
		c.done = &records.Done{Key: d.key, As: records.Uncertain, Err: noteError(errInterrupted)}
		if err := d.write(ctx, records.Record{Kind: records.KindDone, Done: c.done}); err != nil {
			return true, err
		}
	}
	d.reported = d.reported || c.done.As == records.NotDone
	return true, outcome(c.done, d.call)
}

// outcome is what a Handle gets of an effect that was done in another process, or refused.
func outcome(n *records.Done, c *effect.Call) error {
	kinds := map[records.Ending]error{
		records.Uncertain: effects.ErrUncertain, records.NotDone: effects.ErrNotDone, records.NoValue: effects.ErrNoValue,
	}
	switch {
	case kinds[n.As] != nil:
		return &effects.Error{Key: c.Key, Kind: kinds[n.As], Err: recorded(n.Err)}
	case n.Err != nil && n.As == records.Withdrawn:
		return &recordedError{text: n.Err.Text, errs: []error{fsm.ErrSuspend}}
	case n.Err != nil:
		return givenBack(n.Err)
	}
	c.Value = n.Value
	return nil
}

var (
	errOver        = errors.New("the step is over that its context is of")
	errTwice       = errors.New("the step has used it already")
	errForked      = errors.New("the run that this one was forked from did it")
	errInterrupted = errors.New("the run was interrupted while it was under way")
)

// owedEffect is the answer to an effect of a Handle that does not know what was done before it.
const owedEffect = "the run was interrupted, and this step, which goes another way now, had done before: %s"

// wasDone reports whether the run that this one was forked from did an effect, once for each time. j.mu is held.
func (j *recording) wasDone(key string) bool { return takeOut(&j.voidEffects, key) }

// refuse answers an effect that is not done. j.mu is held.
func (d *deed) refuse(as records.Ending, why error) error {
	d.reported = d.reported || as == records.NotDone
	d.op.done = &records.Done{Key: d.key, As: as, Err: noteError(why)}
	if err := d.later(records.Record{Kind: records.KindEffect, Effect: d.note(), Done: d.op.done}); err != nil {
		return err
	}
	return outcome(d.op.done, d.call)
}

func (d *deed) note() *records.Effect {
	return &records.Effect{Key: d.key, Idempotent: d.call.Idempotent}
}

// intend records that the effect is about to be done. j.mu is held.
func (d *deed) intend(ctx context.Context) error {
	d.op.done = nil
	if err := d.write(ctx, records.Record{Kind: records.KindEffect, Effect: d.note()}); err != nil {
		d.effects.ops = slices.DeleteFunc(d.effects.ops, func(c *op) bool { return c == d.op })
		return err
	}
	d.op.seq, d.op.early = d.seq, false
	return nil
}

// came is the record of what came of the effect.
func (d *deed) came(ctx context.Context, failed error) *records.Done {
	n := &records.Done{Key: d.key, Err: noteError(failed)}
	switch {
	case failed == nil:
		err := guard(func() (err error) {
			n.Value, err = d.call.JSON()
			return err
		})
		if err != nil {
			n.Value, n.As, n.Err = nil, records.NoValue, noteError(err)
		}
	case comesBack(failed) && !errors.Is(failed, round.ErrLost):
		n.As = records.Withdrawn
	case ctx.Err() != nil, comesBack(failed), errors.Is(failed, round.ErrBudget):
		n.As = records.Cut
	}
	return n
}

// end keeps what came of the effect, and returns what the Handle gets.
func (d *deed) end(ctx context.Context, n *records.Done, failed error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Contains(d.effects.ops, d.op) {
		return cmp.Or[error](failed, &effects.Error{Key: d.call.Key, Kind: effects.ErrNoValue, Err: errOver})
	}
	d.op.done = n
	err := d.write(ctx, records.Record{Kind: records.KindDone, Done: n})
	if err != nil && d.err == nil { // it has no room
		d.op.done = &records.Done{Key: d.key, As: n.As, Err: noteError(err)}
		if n.Value != nil {
			d.op.done.As = records.NoValue
		}
		failed = nil
		err = d.write(ctx, records.Record{Kind: records.KindDone, Done: d.op.done})
	}
	switch {
	case err != nil:
		return err
	case failed != nil:
		return failed
	}
	return outcome(d.op.done, d.call)
}
