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
	return fmt.Sprintf("llm: the reply (%d bytes) cannot be read: %s", len(e.Reply), e.Reason)
}

// Unwrap returns [ErrDecode].
func (e *DecodeError) Unwrap() error { return ErrDecode }

// Decode reads the one JSON object in a model's reply into the struct T. It
// repairs what has one meaning only, and never invents a value: whatever is
// unclear is a *[DecodeError], to be shown to the model.
//
// Around the object there may be prose, fences of any style, a byte order mark,
// or the model's thoughts in <think> tags; the whole may be a JSON string. In it,
// comments, commas behind the last element, single or typographic quotes, names
// without quotes, line breaks inside strings and Python's True, False and None
// are accepted.
//
// Names of fields (json tags) and of their aliases (tag alias:"One,Another")
// match by letters and digits alone, in any case: CurrentSubTask is also
// "Current Sub-Task" and current_subtask. Names that no field has are ignored;
// an object in which none is known is refused. Keys of maps, of any and of
// json.RawMessage stay as they are.
//
// Where a value has another type than its field:
//
//   - a string takes a number, as it was written, and a boolean;
//   - a number or boolean takes a string that is one;
//   - a list takes one element without brackets, and no element from an empty
//     string; a string may also hold the whole list as JSON;
//   - a struct, a map and a field tagged type:"object" take a string that holds
//     the object as JSON, and no value from an empty string;
//   - null leaves the zero value, also of a json.RawMessage.
//
// In an any, numbers are float64, but those beyond 2^53, such as long ids, are
// json.Number, because a float64 might change them. What is missing is left
// zero; Decode does not know what is required, nor what an enum allows.
//
// Refused are: no object, several that differ, an array, a scalar, an object
// that breaks off or has a quote too many, a value that does not fit its field,
// and two different values under names that are one. Decode takes time linear
// in the text, whatever is in it. A T that cannot be filled (see [SchemaOf]) is a
// *[SchemaError].
func Decode[T any](text string) (T, error) {
	var into T
	err := decode(text, reflect.ValueOf(&into).Elem())
	if err != nil {
		var zero T
		return zero, err
	}
	return into, nil
}

func decode(text string, into reflect.Value) error {
	v, err := loosejson.Find(text)
	if err == nil {
		err = fill(into, v, "")
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
