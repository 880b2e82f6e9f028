package effects

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/effect"
)

// Option says something of an effect.
type Option struct{ idempotent bool }

// Idempotent says that the effect may be done twice: if it may have been done, [Do] does it again.
func Idempotent() Option { return Option{idempotent: true} }

// Do calls f, which does something outside of the program, and returns what f returns. With an error the value is zero.
//
// In a run with a journal a step does the effect once: Do records that it is about to call f, and then the value or the
// error of f, which it returns if the step is handled again. If there is only the first record, Do returns
// [ErrUncertain]. The key names the effect; a step uses a key once.
//
// If the error wraps fsm.ErrSuspend, f has done nothing yet, and Do calls it again. The value is what its JSON form
// holds. What f calls with its ctx is a part of the effect, without a record of its own.
//
// Errors are those of f, an [*Error], and the cause of a ctx that has ended, with nothing done.
func Do[T any](ctx context.Context, key string, f func(ctx context.Context) (T, error), opts ...Option) (T, error) {
	var none, v T
	if err := check(ctx, key); err != nil {
		return none, err
	}
	c := &effect.Call{
		Key: key,
		Do: func(ctx context.Context) (err error) {
			v, err = f(ctx)
			return err
		},
		JSON: func() (json.RawMessage, error) { return json.Marshal(v) },
	}
	for _, opt := range opts {
		c.Idempotent = c.Idempotent || opt.idempotent
	}
	if err := effect.From(ctx).Do(ctx, c); err != nil {
		return none, err
	}
	if c.Value == nil {
		return v, nil
	}
	var kept T
	if err := decode(c.Value, &kept); err != nil {
		return none, &Error{Key: key, Kind: ErrNoValue, Err: err}
	}
	return kept, nil
}

// decode reads JSON, and keeps the digits of numbers that have no type.
func decode(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// WaitUntil waits until the time t.
//
// In a run with a journal no process waits: the error wraps fsm.ErrSuspend, and the run is suspended if the Handle
// returns it. Result.Wakes and durable.State say until when. After that time WaitUntil returns nil. The first call in the
// step decides about the time. The key names the wait in its step, as that of [Do] does.
//
// Else it waits, and returns the cause of a ctx that ends before. A key that cannot be used is an [ErrKey].
func WaitUntil(ctx context.Context, key string, t time.Time) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	_, err := effect.From(ctx).WaitUntil(ctx, key, t)
	return err
}

// maxKey bounds a key, in bytes: it is in several records.
const maxKey = 1 << 10

func check(ctx context.Context, key string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch {
	case key == "":
		return &Error{Key: key, Kind: ErrKey, Err: errors.New("it is empty")}
	case !utf8.ValidString(key):
		return &Error{Key: key, Kind: ErrKey, Err: errors.New("it is no text")}
	case len(key) > maxKey:
		return &Error{Key: key, Kind: ErrKey, Err: errors.New("it is longer than 1 KiB")}
	}
	return nil
}
