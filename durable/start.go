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
	state, err := Look(ctx, in, run)
	began := false
	if errors.Is(err, ErrNoRun) {
		state, err = note(ctx, in, run, func(r *reading) (*records.Record, error) {
			if began = r.scan.Seq == 0; !began { // somebody else was quicker
				return nil, nil
			}
			return &records.Record{Kind: records.KindStart, Start: n}, nil
		})
	}
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
