package llm

import (
	"encoding/json"
	"reflect"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// Reshaper is a T of which models write more forms than its fields say, such as a
// call in the form of a chat's own protocol. [Decode] gives it the object of the
// reply as JSON, before it fills the fields, and fills them from what comes back. A
// Reshape that changes something says what; one that changes nothing returns its
// argument and no repairs. Its error is shown to the model.
//
// The built-in agents' decisions are reshaped, too.
type Reshaper interface {
	Reshape(reply json.RawMessage) (json.RawMessage, []Repair, error)
}

// valueReshaper is a Reshaper of this module. It gets the object as it was read, so that nothing is
// written as JSON and read again.
type valueReshaper interface {
	ReshapeValue(reply loosejson.Value) (loosejson.Value, []Repair)
}

// reshape lets a Reshaper change the object of a reply.
func reshape(into reflect.Value, v loosejson.Value, made *log) (loosejson.Value, error) {
	if v.Kind != loosejson.Object || !into.CanAddr() {
		return v, nil
	}
	if r, ok := reflect.TypeAssert[valueReshaper](into.Addr()); ok {
		v, repairs := r.ReshapeValue(v)
		if made != nil {
			made.shape = repairs
		}
		return v, nil
	}
	r, ok := reflect.TypeAssert[Reshaper](into.Addr())
	if !ok {
		return v, nil
	}
	raw, repairs, err := r.Reshape(v.Append(nil))
	if err != nil || len(repairs) == 0 {
		return v, err
	}
	if made != nil {
		made.shape = repairs
	}
	return loosejson.Parse(string(raw))
}
