package durable

import (
	"context"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// Postpone records that a run could not go on, and when somebody is to try again. The zero time puts the
// run aside: nobody tries before [Retry]. [State.Tries] counts how often that happened since the
// run last got anywhere.
//
// A reason "" says that nothing failed: whoever drove the run leaves it to others, at once. That does not count.
//
// Postpone a run only while you drive it, or nobody does: else whoever does loses it. A run that has ended, or was
// cancelled, stays as it is. Errors are those of [Look] and of the store.
func Postpone(ctx context.Context, in store.Store, run, reason string, until time.Time) (State, error) {
	return note(ctx, in, run, func(r *reading) (*records.Record, error) {
		switch {
		case r.scan.Seq == 0:
			return nil, fmt.Errorf("durable: postpone %q: %w", run, ErrNoRun)
		case r.state.Stage == Ended:
			return nil, nil
		}
		if reason == "" {
			return &records.Record{Kind: records.KindLeave}, nil
		}
		if !until.IsZero() {
			until = until.UTC().Round(0)
		}
		return &records.Record{Kind: records.KindPostpone, Postpone: &records.Postpone{Reason: reason, Until: until}}, nil
	})
}

// Attempt records that this process begins to drive a run, before it makes the agents. When an attempt gets nowhere, because
// its process dies, the next one counts it in [State.Tries]: one that took no step, and came to no stop or end, and after
// which nobody postponed, retried or answered the run, or left it.
//
// Record it only while you drive the run. Errors are those of [Postpone].
func Attempt(ctx context.Context, in store.Store, run string) (State, error) {
	return note(ctx, in, run, func(r *reading) (*records.Record, error) {
		switch {
		case r.scan.Seq == 0:
			return nil, fmt.Errorf("durable: attempt %q: %w", run, ErrNoRun)
		case r.state.Stage == Ended:
			return nil, nil
		}
		return &records.Record{Kind: records.KindDrive}, nil
	})
}

// Retry says that somebody is to go on with a run that was put aside or postponed. adjust, which may be nil,
// changes the bounds that the run was started with, such as one that it has reached.
//
// A run that is neither postponed nor put aside keeps going: only its bounds change, from the next time on that
// somebody opens it. One that has ended stays as it is. Errors are those of [Look] and of the
// store, and [ErrCancelled].
func Retry(ctx context.Context, in store.Store, run string, adjust func(*round.Options)) (State, error) {
	return note(ctx, in, run, func(r *reading) (*records.Record, error) {
		switch {
		case r.scan.Seq == 0:
			return nil, fmt.Errorf("durable: retry %q: %w", run, ErrNoRun)
		case r.cancelled:
			return nil, errCancelled(run, r.state.Reason)
		case r.state.Stage == Ended, adjust == nil && r.postponed == nil:
			return nil, nil
		}
		n := &records.Retry{}
		if adjust != nil {
			var o round.Options
			r.bounds.Set(&o)
			adjust(&o)
			bounds := records.BoundsOf(&o)
			n.Bounds = &bounds
		}
		return &records.Record{Kind: records.KindRetry, Retry: n}, nil
	})
}
