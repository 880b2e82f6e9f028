package durable

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// StartOptions say what a run is started with. Nil is the zero value.
type StartOptions struct {
	// Meta is that of [Options].
	Meta json.RawMessage
	// Round has the bounds of the run, which hold in every process that drives it. Nil: the defaults.
	Round *round.Options
}

// Start records a run that a process with agents is to open, with the request that [Look] returns.
//
// If the run exists, Start returns its State and changes nothing; State.New says whether this call started it. If it
// has another request or other Meta, the error is round.ErrOtherRequest. Other errors are round.ErrNoRequest, and those
// of [Look] and of the store.
func Start(ctx context.Context, in store.Store, run, request string, opts *StartOptions) (State, error) {
	if opts == nil {
		opts = &StartOptions{}
	}
	n := &records.Start{Request: request, Meta: opts.Meta}
	if opts.Round != nil {
		n.Bounds = records.BoundsOf(opts.Round)
	}
	switch {
	case nilcheck.IsNil(in):
		return State{}, fmt.Errorf("durable: start %q: %w", run, errNoStore)
	case strings.TrimSpace(request) == "":
		return State{}, fmt.Errorf("durable: start %q: %w", run, round.ErrNoRequest)
	case len(opts.Meta) > 0 && !validMeta(opts.Meta):
		return State{}, fmt.Errorf("durable: start %q: %w", run, errMeta)
	}
	began := false
	state, err := note(ctx, in, run, func(r *reading) (*records.Record, error) {
		if began = r.scan.Seq == 0; !began {
			return nil, nil
		}
		return &records.Record{Kind: records.KindStart, Start: n}, nil
	})
	if err != nil {
		return State{}, err
	}
	if state.Request != request {
		return state, fmt.Errorf("durable: start %q: %w", run, round.ErrOtherRequest)
	}
	if !sameJSON(state.Meta, opts.Meta) {
		return state, fmt.Errorf("durable: start %q: %w: its Meta is not the same", run, round.ErrOtherRequest)
	}
	state.New = began
	return state, nil
}

// validMeta reports whether every reader of JSON can read a text.
func validMeta(meta json.RawMessage) bool { return json.Valid(meta) && utf8.Valid(meta) }

// sameJSON reports whether two texts mean the same, however they are written.
func sameJSON(a, b json.RawMessage) bool {
	x, errA := plainjson.Decode(a)
	y, errB := plainjson.Decode(b)
	return bytes.Equal(a, b) || errA == nil && errB == nil && reflect.DeepEqual(x, y)
}

// note appends the record that say returns, if any, and returns the state after that. After a conflict it asks say again.
func note(ctx context.Context, in store.Store, run string, say func(*reading) (*records.Record, error)) (State, error) {
	for {
		r, err := read(ctx, in, run)
		if errors.Is(err, ErrNoRun) {
			r, err = newReading(run), nil
		}
		if err != nil {
			return State{}, err
		}
		n, err := say(r)
		if n == nil || err != nil {
			return r.state, err
		}
		n.V, n.At = records.Version, time.Now().UTC()
		raw, err := records.Encode(n)
		if err != nil {
			return State{}, fmt.Errorf("durable: %w", err)
		}
		after := r.scan.Seq
		r.scan.Seq++
		r.add(n)
		err = keep(ctx, in, r, after, raw)
		if errors.Is(err, store.ErrConflict) {
			continue
		}
		if err != nil {
			return State{}, fmt.Errorf("durable: %w", err)
		}
		return r.whole(), nil
	}
}

// Postpone records that a run could not go on, and when to try again. The zero time puts the run aside until [Retry].
// [State.Tries] counts how often that happened since the run last made progress. With the reason "" nothing failed: the
// driver leaves the run to others, which does not count.
//
// Call Postpone only if you drive the run or it is idle. Otherwise its driver loses it. A run that has ended stays as it
// is. Errors are those of [Look] and of the store.
func Postpone(ctx context.Context, in store.Store, run, reason string, until time.Time) (State, error) {
	return noteIn(ctx, in, run, "postpone", func(r *reading) (*records.Record, error) {
		if r.state.Stage == Ended {
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

// Attempt records that this process begins to drive a run, before it makes the agents. If the process dies before the
// run takes a step, stops or ends, the next Attempt counts it in [State.Tries]. Call it only while you drive the run.
// Errors are those of [Postpone].
func Attempt(ctx context.Context, in store.Store, run string) (State, error) {
	return noteIn(ctx, in, run, "attempt", func(r *reading) (*records.Record, error) {
		if r.state.Stage == Ended {
			return nil, nil
		}
		return &records.Record{Kind: records.KindDrive}, nil
	})
}

// Retry ends the pause of a run that was put aside or postponed. adjust, which may be nil, changes the recorded bounds of
// the run, also of another run, from the next time on that it is opened. A run that has ended stays as it is. Errors are
// those of [Look] and of the store, and [ErrCancelled].
func Retry(ctx context.Context, in store.Store, run string, adjust func(*round.Options)) (State, error) {
	return noteIn(ctx, in, run, "retry", func(r *reading) (*records.Record, error) {
		switch {
		case r.Cancelled:
			return nil, errCancelled(run, r.state.Reason)
		case r.state.Stage == Ended, adjust == nil && r.Postponed == nil:
			return nil, nil
		}
		n := &records.Retry{}
		if adjust != nil {
			var o round.Options
			r.Bounds.Set(&o)
			adjust(&o)
			bounds := records.BoundsOf(&o)
			n.Bounds = &bounds
		}
		return &records.Record{Kind: records.KindRetry, Retry: n}, nil
	})
}

// ErrCancelled says that the run was cancelled.
var ErrCancelled = errors.New("durable: the run was cancelled")

// Cancel ends a run: its State has the Outcome round.Cancelled and the reason. [Open], [Answer] and [Expire] return
// [ErrCancelled] from then on. A process that drives the run gets a store.ErrConflict at its next record, and does
// nothing more than finish what it had begun.
//
// If the run had ended or was cancelled before, cancelled is false. Errors are those of [Look] and of the store.
func Cancel(ctx context.Context, in store.Store, run, reason string) (cancelled bool, err error) {
	_, err = noteIn(ctx, in, run, "cancel", func(r *reading) (*records.Record, error) {
		if cancelled = r.state.Stage != Ended; !cancelled {
			return nil, nil
		}
		return &records.Record{Kind: records.KindCancel, Cancel: &records.Cancel{Reason: reason}}, nil
	})
	return cancelled && err == nil, err
}

func errCancelled(run, reason string) error {
	if reason == "" {
		return fmt.Errorf("%w: run %q", ErrCancelled, run)
	}
	return fmt.Errorf("%w: run %q: %s", ErrCancelled, run, reason)
}

// noteIn is note for a run that must have records.
func noteIn(ctx context.Context, in store.Store, run, what string, say func(*reading) (*records.Record, error)) (State, error) {
	return note(ctx, in, run, func(r *reading) (*records.Record, error) {
		if r.scan.Seq == 0 {
			return nil, fmt.Errorf("durable: %s %q: %w", what, run, ErrNoRun)
		}
		return say(r)
	})
}
