package blackboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Key is the name of a value and its Go type. Keys are plain values: declare
// them once at package level, and use them with any board.
type Key[T any] struct{ name string }

// NewKey returns the key of that name. The name must not be empty when the key
// is used; names like subtask_result_1 can only be read.
func NewKey[T any](name string) Key[T] { return Key[T]{name} }

// Put sets the value. Later changes to v do not reach the board. The error is
// over [ErrNotSerialisable] when v has no JSON form, [ErrFull], or [ErrInvalid];
// the board is then unchanged.
// Text that is not UTF-8 is kept with U+FFFD in its place, as encoding/json does.
func (k Key[T]) Put(b *Board, v T) error {
	raw, err := encode(v)
	if err != nil {
		return &opError{"put", k.name, err}
	}
	return b.put(k.name, raw)
}

// Get returns a copy of the value. ok is false when there is none. The error
// is over [ErrInvalid] when what is there does not fit T. Where
// T leaves the type open, numbers are json.Number.
func (k Key[T]) Get(b *Board) (v T, ok bool, err error) {
	e, ok := b.entry(k.name)
	if !ok {
		return v, false, nil
	}
	raw := e.raw
	if e.list {
		raw = e.appendTo(nil)
	}
	if v, err = decode[T](raw); err != nil {
		return v, true, &opError{"get", k.name, err}
	}
	return v, true, nil
}

// encode returns v in normal form.
func encode(v any) (json.RawMessage, error) {
	if raw, ok := v.(json.RawMessage); ok && raw != nil {
		return normal(raw)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSerialisable, err)
	}
	return normalValid(buf.Bytes())
}

// decode reads raw, which is valid JSON, into a T that shares nothing with it:
// a Decoder works on a buffer of its own.
func decode[T any](raw json.RawMessage) (T, error) {
	var v T
	if into, ok := any(&v).(*json.RawMessage); ok {
		*into = slices.Clone(raw)
		return v, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		var zero T // not what was read before the error
		return zero, wrongType(zero, err)
	}
	return v, nil
}

// wrongType says what does not fit without quoting the value, which the texts
// of encoding/json and of a type's own UnmarshalJSON may do.
func wrongType(into any, err error) error {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return fmt.Errorf("%w: it is no %T", errWrongType, into)
	}
	kind, _, _ := strings.Cut(mismatch.Value, " ") // "number 12"
	if mismatch.Field == "" {
		return fmt.Errorf("%w: a %s is no %s", errWrongType, kind, mismatch.Type)
	}
	return fmt.Errorf("%w: %s is a %s and should be %s", errWrongType, mismatch.Field, kind, mismatch.Type)
}
