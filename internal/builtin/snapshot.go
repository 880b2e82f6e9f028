package builtin

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

var errMore = errors.New("there is something behind the snapshot")

// DecodeSnapshot reads the data of an agent, all of it or nothing.
func DecodeSnapshot[T any](snapshot []byte) (T, error) {
	var d, none T
	decoder := json.NewDecoder(bytes.NewReader(snapshot))
	decoder.UseNumber() // arguments keep their digits, or an approval would not match
	if err := decoder.Decode(&d); err != nil {
		return none, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return none, errMore
	}
	return d, nil
}
