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
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// StartOptions say what a run is started with. Nil is the zero value.
type StartOptions struct {
	// Meta is that of [Options]: any JSON that a program needs to make the agents of the run.
	Meta json.RawMessage
	// Round has the bounds of the run, which hold in every process that drives it, in place of those of
	// its Options. Its other fields are not read. Nil: the defaults.
	Round *round.Options
}

// Start records that somebody wants a run. It needs no agents: a process that has them opens the run,
// and gives it the request that [Look] returns.
//
// If the run is there already, Start returns its State and changes nothing, so a request that arrives twice is one
// run; State.New says whether this call started it. A run with another request, or with other Meta, is the error
// round.ErrOtherRequest. Other errors are round.ErrNoRequest, and those of [Look] and of the store.
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
	var values [2]any
	for i, text := range []json.RawMessage{a, b} {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&values[i]); err != nil && len(text) > 0 {
			return bytes.Equal(a, b)
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// note appends to a run what say returns of its journal, which may be empty, and returns the state after that. Nil: nothing is
// appended. When somebody else appends meanwhile, say is asked again.
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

// Postpone records that a run could not go on, and when somebody is to try again. The zero time puts the run aside:
// nobody tries before [Retry]. [State.Tries] counts how often that happened since the run last got anywhere.
//
// A reason "" says that nothing failed: whoever drove the run leaves it to others, at once. That does not count.
//
// Postpone a run only while you drive it, or nobody does: else whoever does loses it. A run that has ended stays as it
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

// Attempt records that this process begins to drive a run, before it makes the agents. If an attempt gets nowhere,
// because its process dies, the next one counts it in [State.Tries]: one that took no step, and came to no stop or end,
// and after which nobody postponed, retried or answered the run, or left it.
//
// Record it only while you drive the run. Errors are those of [Postpone].
func Attempt(ctx context.Context, in store.Store, run string) (State, error) {
	return noteIn(ctx, in, run, "attempt", func(r *reading) (*records.Record, error) {
		if r.state.Stage == Ended {
			return nil, nil
		}
		return &records.Record{Kind: records.KindDrive}, nil
	})
}

// Retry says that somebody is to go on with a run that was put aside or postponed. adjust, which may be nil, changes
// the bounds that the run was started with, such as one that it has reached.
//
// A run that is neither postponed nor put aside keeps going: only its bounds change, from the next time on that
// somebody opens it. One that has ended stays as it is. Errors are those of [Look] and of the store, and
// [ErrCancelled].
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

// ErrCancelled says that the run was cancelled: nobody goes on with it.
var ErrCancelled = errors.New("durable: the run was cancelled")

// Cancel ends a run. The State of the run has the Outcome round.Cancelled and the reason. [Open], [Answer] and
// [Expire] return [ErrCancelled] from then on.
//
// Any process may cancel. A process that drives the run gets a store.ErrConflict at its next record, and does nothing
// more. What it had begun, such as a command, it may still finish.
//
// cancelled is false if the run had ended, or was cancelled before: that is no error. Errors are those of [Look] and of
// the store.
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
