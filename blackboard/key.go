package blackboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/boarddata"
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
	return b.change(&boarddata.Op{Kind: boarddata.OpPut, Name: k.name, Value: raw})
}

// Get returns a copy of the value. ok is false when there is none. The error
// is over [ErrInvalid] when what is there does not fit T. Where
// T leaves the type open, numbers are json.Number.
func (k Key[T]) Get(b *Board) (v T, ok bool, err error) {
	raw, ok := b.Raw(k.name)
	if !ok {
		return v, false, nil
	}
	if into, ok := any(&v).(*json.RawMessage); ok {
		*into = raw
		return v, true, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		var zero T // not what was read before the error
		return zero, true, &opError{"get", k.name, wrongType(zero, err)}
	}
	return v, true, nil
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

// encode returns v in normal form.
func encode(v any) (json.RawMessage, error) {
	if raw, ok := v.(json.RawMessage); ok && raw != nil {
		return normal(raw)
	}
	raw, err := text(v)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSerialisable, err)
	}
	return normal(raw)
}

// text is json.Marshal that leaves <, > and & as they are.
func text(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}

// maxDepth bounds how deep arrays and objects nest. It is far below the 10,000
// levels at which encoding/json gives up, so that a board, which wraps values
// in a few levels of its own, can always be read back.
const maxDepth = 1000

var (
	strs     = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	plain    = regexp.MustCompile(`^[\w.:-]*$`)
	errDepth = errors.New("more than 1000 levels")
)

// normal returns a copy of raw in the form in which values are kept: valid JSON in UTF-8 without
// white space, with the escapes of encoding/json but none for HTML. So a value reads the same
// after it was stored and loaded, by whatever encoder. Digits of numbers and order of members stay.
func normal(raw []byte) (json.RawMessage, error) {
	var buf bytes.Buffer
	if err := json.Compact(&buf, raw); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSerialisable, err)
	}
	out := buf.Bytes()
	if tooDeep(out) {
		return nil, fmt.Errorf("%w: %w", ErrNotSerialisable, errDepth)
	}
	if utf8.Valid(out) && !escaped(out) {
		return slices.Clip(out), nil
	}
	out = bytes.ToValidUTF8(out, []byte("\uFFFD"))
	return strs.ReplaceAllFunc(out, func(quoted []byte) []byte {
		var s string
		_ = json.Unmarshal(quoted, &s) // it is a valid string
		return quote(s)
	}), nil
}

// escaped reports whether a JSON text may have a string in another form than that of encoding/json.
func escaped(text []byte) bool {
	for _, form := range []string{`\u`, `\/`, "\u2028", "\u2029"} {
		if bytes.Contains(text, []byte(form)) {
			return true
		}
	}
	return false
}

func tooDeep(raw []byte) bool {
	if bytes.Count(raw, []byte("["))+bytes.Count(raw, []byte("{")) <= maxDepth {
		return false
	}
	depth, deepest := 0, 0
	for _, c := range strs.ReplaceAll(raw, nil) {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest > maxDepth
}

// quote returns a text as a JSON string.
func quote(s string) []byte {
	if plain.MatchString(s) { // as most names
		return []byte(`"` + s + `"`)
	}
	quoted, _ := text(s) // a string always has a JSON form
	return quoted
}
