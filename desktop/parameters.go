package desktop

import (
	"encoding/json"
	"errors"
	"strings"
)

const notJSON = "$: cannot be written as JSON"

// Decode reads the parameters of c into a struct, as encoding/json does. It is
// for those who implement a Desktop: parameters may hold any Go values that
// JSON can hold, numbers of several types among them. The error wraps
// [ErrParameters].
//
// A name in another case is taken for that of a field, which a schema does not
// do: a tool whose schema should hold for what is read has additionalProperties
// false. A [Func] refuses such names by itself.
func (c Command) Decode(into any) error {
	refuse := func(problem string) error {
		return badParameters(c.ToolName, problem)
	}
	parameters := c.Parameters
	if parameters == nil {
		parameters = map[string]any{}
	}
	raw, err := json.Marshal(parameters)
	if err != nil {
		return refuse(notJSON)
	}
	err = json.Unmarshal(raw, into)
	if err == nil {
		return nil
	}
	// The text of the error may quote a value, which may be a secret.
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		place := "$"
		if mismatch.Field != "" {
			place += "." + clip(mismatch.Field)
		}
		kind, _, _ := strings.Cut(mismatch.Value, " ")
		return refuse(place + ": must not be of type " + kind)
	}
	return refuse("$: cannot be read")
}
