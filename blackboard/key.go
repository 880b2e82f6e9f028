package blackboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// Key is the name of a value and its Go type. Keys are plain values: declare
// them once at package level, and use them with any board.
type Key[T any] struct{ name string }

// NewKey returns the key of that name. The name must not be empty if you put
// a value; names like subtask_result_1 can only be read.
func NewKey[T any](name string) Key[T] { return Key[T]{name} }

// Put sets the value. Later changes to v do not reach the board. The error is
// over [ErrNotSerialisable] if v has no JSON form, [ErrFull], or [ErrInvalid];
// the board is then unchanged.
// Text that is not UTF-8 is kept with U+FFFD in its place, as encoding/json does.
func (k Key[T]) Put(b *Board, v T) error {
	op, err := encode(boarddata.OpPut, k.name, v)
	if err != nil {
		return err
	}
	return b.change(&op)
}

// Get returns a copy of the value. ok is false if there is none. The error
// is over [ErrInvalid] if what is there does not fit T. Where
// T leaves the type open, numbers are json.Number.
func (k Key[T]) Get(b *Board) (v T, ok bool, err error) {
	raw, ok := b.Raw(k.name)
	if !ok {
		return v, false, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		var zero T // not what was read before the error
		return zero, true, &opError{"get", k.name, wrongType(zero, err)}
	}
	return v, true, nil
}

// wrongType says what does not fit. It does not quote the value, as texts
// of encoding/json and of a type's own UnmarshalJSON may do.
func wrongType(into any, err error) error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) && mismatch.Field != "" {
		return fmt.Errorf("%w: %s should be %s", errWrongType, mismatch.Field, mismatch.Type)
	}
	return fmt.Errorf("%w: it is no %T", errWrongType, into)
}
