// Package effect carries what a Handle does in Go to those who count and record it, without either knowing the other.
package effect

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/fsm"
)

// Call is one effect.
type Call struct {
	Key        string
	Idempotent bool // to do it once more does no harm

	Do   func(ctx context.Context) error // does it, and keeps its value
	JSON func() (json.RawMessage, error) // of that value

	Value json.RawMessage // of the journal; nil: what Do kept is the value
	Kept  bool            // a journal gives it back to whoever handles the step again
}

// Doer does effects, and waits.
type Doer interface {
	Do(ctx context.Context, c *Call) error
	// WaitUntil returns until when it waits, also where it has not waited long enough yet.
	WaitUntil(ctx context.Context, key string, t time.Time) (until time.Time, err error)
}

type doerKey struct{}

// With returns a context under which From returns wrap(d) in place of d. Of several, the one
// added first sees a call first.
func With(ctx context.Context, wrap func(Doer) Doer) context.Context {
	if outer, ok := ctx.Value(doerKey{}).(func(Doer) Doer); ok {
		inner := wrap
		wrap = func(d Doer) Doer { return outer(inner(d)) }
	}
	return context.WithValue(ctx, doerKey{}, wrap)
}

// From returns who does effects under ctx.
func From(ctx context.Context) Doer {
	if wrap, ok := ctx.Value(doerKey{}).(func(Doer) Doer); ok {
		return wrap(plain{})
	}
	return plain{}
}

// plain does an effect, and waits, where nobody records it.
type plain struct{}

func (plain) Do(ctx context.Context, c *Call) error { return c.Do(ctx) }

func (plain) WaitUntil(ctx context.Context, _ string, t time.Time) (time.Time, error) {
	over := time.NewTimer(time.Until(t))
	defer over.Stop()
	select {
	case <-over.C:
		return t, nil
	case <-ctx.Done():
		return t, context.Cause(ctx)
	}
}

// Waits is the error of a Handle that goes on at that time.
func Waits(key string, until time.Time) error {
	return &waits{key, until}
}

type waits struct {
	key   string
	until time.Time
}

func (w *waits) Error() string {
	return fmt.Sprintf("effects: %q waits until %s", w.key, w.until.Format(time.RFC3339))
}

func (w *waits) Unwrap() error { return fsm.ErrSuspend }

// step is one time that a state is handled.
type step struct {
	outer *step
	over  atomic.Bool
}

type stepKey struct{}

// WithStep returns the context of one time that a state is handled, until over is called.
func WithStep(ctx context.Context) (within context.Context, over func()) {
	s := &step{}
	s.outer, _ = ctx.Value(stepKey{}).(*step)
	return context.WithValue(ctx, stepKey{}, s), func() { s.over.Store(true) }
}

// Over reports whether a step of ctx is over: a goroutine has outlived it.
func Over(ctx context.Context) bool {
	s, _ := ctx.Value(stepKey{}).(*step)
	for s != nil && !s.over.Load() {
		s = s.outer
	}
	return s != nil
}

// Round is a round under whose context a Handle does effects.
type Round struct {
	outer *Round
	step  func() string
}

type roundKey struct{}

// WithRound returns the context of a round. step names the step that it is in.
func WithRound(ctx context.Context, step func() string) context.Context {
	return context.WithValue(ctx, roundKey{}, &Round{RoundOf(ctx), step})
}

// RoundOf returns the innermost round of ctx.
func RoundOf(ctx context.Context) *Round {
	r, _ := ctx.Value(roundKey{}).(*Round)
	return r
}

// KeyIn is what a key is in a step of r: one of a round inside of that step is another one in each step of that round.
func (r *Round) KeyIn(ctx context.Context, key string) string {
	for at := RoundOf(ctx); at != nil && at != r; at = at.outer {
		key = at.step() + ": " + key
	}
	return key
}
