package fsm

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
)

// Saved is what an agent knows, for the process that goes on with it. Its JSON form is
// stable. It has secrets: it is not for people.
type Saved struct {
	// State is what is small or changes: an object, of which a journal records the
	// members that are not what they were, or any other JSON, which it records whole.
	State json.RawMessage `json:"state,omitempty"`
	// Logs are what grows with every step, by name. A journal records what was added.
	Logs map[string]Log `json:"logs,omitempty"`
	// Workers are the agents that this one made and can make again, by their names; see
	// [WorkerProvider].
	Workers map[string]Saved `json:"workers,omitempty"`
}

// Log is a list that grows at its end and may drop its oldest items.
type Log struct {
	Dropped int               `json:"dropped,omitempty"` // items before the first of Items, which are gone
	Items   []json.RawMessage `json:"items,omitempty"`   // the bytes of an item never change
}

// SaveState returns v, in its JSON form, as the State of an agent that has nothing else.
func SaveState(v any) (Saved, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return Saved{}, err
	}
	return Saved{State: raw}, nil
}

// LoadState replaces what v points to by State. Numbers in a value of type any keep
// their digits, as a json.Number: the arguments of a command have to be what they were. When it
// fails, *v is as it was.
func (s Saved) LoadState(v any) error {
	to := reflect.ValueOf(v)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return &json.InvalidUnmarshalError{Type: reflect.TypeOf(v)}
	}
	read := reflect.New(to.Type().Elem())
	d := json.NewDecoder(bytes.NewReader(s.State))
	d.UseNumber()
	if err := d.Decode(read.Interface()); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errMore
	}
	to.Elem().Set(read.Elem())
	return nil
}

var errMore = errors.New("fsm: in State there is more than one value")
