package llm

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// DecodeError says why a reply is not what was asked for. Reason is written for
// the model that is asked again: it names what is wrong and where, and quotes
// no values. The text of the error leaves the reply out, which may hold what no
// log should.
type DecodeError struct {
	Reason string
	reply  string
}

func (e *DecodeError) Error() string {
	size := fmt.Sprintf("%d bytes", len(e.reply))
	if len(e.reply) == 1 {
		size = "1 byte"
	}
	return fmt.Sprintf("llm: the reply (%s) cannot be read: %s", size, e.Reason)
}

// Decode reads the one JSON object in a model's reply into the struct T. It
// repairs what has one meaning only, and never invents a value: whatever is
// unclear is a *[DecodeError], to be shown to the model.
//
// The object must be what the model says in its own voice. That is so when it is
// alone on its lines, behind a label such as "Answer:" or a finished sentence, in a
// fence of JSON or JavaScript, or in bare tags such as <answer>; it may be there several times, and
// the whole reply may be a JSON string or a list of that one object. An object in the
// middle of a sentence, between quotes, in a line that begins with > or in any other tag
// is shown, not said: it is refused. So are objects that differ, the arguments of a call
// that is written as text, an object below "The page says:", one among words that refuse,
// unless its status is FAIL or PENDING, and an act beside a sentence that doubts it.
//
// Thoughts count as nothing: what is in <think> or any tag whose name has think,
// thought, reason, reflect, analysis, draft and the like, in [THINK], ◁think▷,
// <|begin_of_thought|> or the channel analysis. Who quotes a page may quote such tags,
// so thoughts that do not begin the reply are not trusted: an object in them, or before
// a closing tag that nothing opened, that may be the reply must equal it. Thoughts
// that do not end are refused. What begins as an object and breaks is refused wherever
// it stands outside of thoughts, and what it seemed to hold is looked at all the same.
//
// In the object, comments, commas behind the last element, a missing comma at the end
// of a line, single or typographic quotes, names without quotes, line breaks inside
// strings, \' in double quotes, spaces, written line breaks and invisible marks that
// JSON does not know, full-width braces, colons and commas, .5, and Python's True, False
// and None are accepted.
//
// Names of fields (json tags) and of their aliases (tag alias:"One,Another")
// match by letters and digits alone, in any case: CurrentSubTask is also
// "Current Sub-Task" and current_subtask. Names that no field has are ignored,
// or put into the field of type map[string]json.RawMessage that is tagged
// others:"true"; an object in which none is known is refused. A T that is a [Reshaper]
// changes the object before. Keys of maps, of any and of
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
// Refused are: no object, several that differ, an array of several, a scalar, an object
// that breaks off or has a quote too many, a number that JSON does not have (007,
// +5, 0x10, NaN), an escape that it does not have, half a surrogate pair, a
// value that does not fit its field, and two different values under names that
// are one. Decode takes time linear in the text, whatever is in it. A T that
// cannot be filled (see [SchemaOf]) is another error: a mistake in the program.
//
// The repairs have one entry for each kind, always in the same order: nil when the reply
// is as it was asked for. With an error they are what was repaired until then.
func Decode[T any](text string) (T, []Repair, error) {
	var into T
	var made log
	if err := decode(text, reflect.ValueOf(&into).Elem(), &made); err != nil {
		var none T
		return none, made.list(), err
	}
	return into, made.list(), nil
}

func decode(text string, into reflect.Value, made *log) error {
	v, notes, err := loosejson.Find(text)
	made.takeText(notes)
	if err == nil {
		v, err = reshape(into, v, made)
	}
	if err == nil {
		err = fill(into, v, &place{index: -1, log: made})
	}
	if err == nil || isSchemaError(err) {
		return err
	}
	return &DecodeError{Reason: reason(err), reply: text}
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
