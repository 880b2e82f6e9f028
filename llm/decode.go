package llm

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// ErrDecode is behind every [DecodeError].
var ErrDecode = errors.New("llm: the reply cannot be read")

// DecodeError says why a reply is not what was asked for. Reason is written for
// the model that is asked again: it names what is wrong and where, and quotes
// no values. The text of the error leaves the reply out, which may hold what no
// log should; Reply has all of it. errors.Is(err, ErrDecode) holds.
type DecodeError struct {
	Reason string
	Reply  string
}

func (e *DecodeError) Error() string {
	size := fmt.Sprintf("%d bytes", len(e.Reply))
	if len(e.Reply) == 1 {
		size = "1 byte"
	}
	return fmt.Sprintf("llm: the reply (%s) cannot be read: %s", size, e.Reason)
}

// Unwrap returns [ErrDecode].
func (e *DecodeError) Unwrap() error { return ErrDecode }

// Decode reads the one JSON object in a model's reply into the struct T. It
// repairs what has one meaning only, and never invents a value: whatever is
// unclear is a *[DecodeError], to be shown to the model. [DecodeReport] also says
// what was repaired.
//
// Around the object there may be prose, fences of any style, tags such as
// <answer>, a byte order mark, and the model's thoughts in <think>, <thinking>,
// <thought>, <reasoning>, <reflection>, <scratchpad> or [THINK]: objects in
// these are drafts and do not count. A closing tag that nothing opened makes all
// before it a thought; thoughts that do not end are refused. The object may be
// there several times, and the whole may be a JSON string. In it, comments,
// commas behind the last element, single or typographic quotes, names without
// quotes, line breaks inside strings, \' in double quotes, spaces and invisible
// marks that JSON does not know, the wide colon and comma of Chinese text, and
// Python's True, False and None are accepted.
//
// Names of fields (json tags) and of their aliases (tag alias:"One,Another")
// match by letters and digits alone, in any case: CurrentSubTask is also
// "Current Sub-Task" and current_subtask. Names that no field has are ignored;
// an object in which none is known is refused. Keys of maps, of any and of
// json.RawMessage stay as they are.
//
// Where a value has another type than its field:
//
//   - a string takes a number, as it was written; a boolean is none: false may
//     mean that there is nothing, or be an answer;
//   - a number or boolean takes a string that is one;
//   - a list takes one element without brackets, and no element from an empty
//     string; a string may also hold the whole list as JSON;
//   - a struct, a map and a field tagged type:"object" take a string that holds
//     the object as JSON, and no value from an empty string;
//   - a struct with a field tagged bare:"true" takes a string for that field;
//   - null leaves the zero value, also of a json.RawMessage.
//
// In an any, numbers are float64, but those beyond 2^53, such as long ids, are
// json.Number, because a float64 might change them. What is missing is left
// zero; Decode does not know what is required, nor what an enum allows. A field
// tagged schema:"-" is read like any other, though [SchemaOf] leaves it out: it
// is for what models write unasked.
//
// Refused are: no object, several that differ, an array, a scalar, an object
// that breaks off or has a quote too many, a number that JSON does not have (007,
// .5, +5, 0x10, NaN), an escape that it does not have, half a surrogate pair, a
// value that does not fit its field, and two different values under names that
// are one. Decode takes time linear in the text, whatever is in it. A T that
// cannot be filled (see [SchemaOf]) is a *[SchemaError].
func Decode[T any](text string) (T, error) {
	var into T
	if err := decode(text, reflect.ValueOf(&into).Elem(), nil); err != nil {
		var none T
		return none, err
	}
	return into, nil
}

// DecodeReport is [Decode] and says what it repaired, one [Repair] for each kind,
// always in the same order: nil when the reply is as it was asked for. With an
// error they are what was repaired until then.
func DecodeReport[T any](text string) (T, []Repair, error) {
	var into T
	var made log
	if err := decode(text, reflect.ValueOf(&into).Elem(), &made); err != nil {
		var none T
		return none, made.list(), err
	}
	return into, made.list(), nil
}

func decode(text string, into reflect.Value, made *log) error {
	v, notes, err := loosejson.FindNoting(text)
	if made != nil {
		made.text = notes
	}
	if err == nil {
		v, err = reshape(into, v, made)
	}
	if err == nil {
		err = fill(into, v, &place{index: -1, log: made})
	}
	if err == nil || errors.Is(err, ErrSchema) {
		return err
	}
	return &DecodeError{Reason: reason(err), Reply: text}
}

// reason is the text of an error without the names of our packages.
func reason(err error) string {
	var broken *loosejson.Error
	if !errors.As(err, &broken) {
		return err.Error()
	}
	if broken.Offset < 0 {
		return broken.Reason
	}
	return fmt.Sprintf("%s (at byte %d)", broken.Reason, broken.Offset)
}
