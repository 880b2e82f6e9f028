// Package plainjson writes JSON for people and models, and reads it as it is.
package plainjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Text is JSON as Encode writes it. Encode returns it unchanged.
type Text []byte

// MarshalJSON returns the text.
func (t Text) MarshalJSON() ([]byte, error) { return t, nil }

// Encode returns v as JSON without escapes for HTML: a model reads < and &.
func Encode(v any) ([]byte, error) {
	if text, ok := v.(Text); ok {
		return text, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Decode reads one JSON value. Numbers keep their digits, as json.Number.
func Decode(raw []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err = d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err = d.Token(); err != io.EOF {
		return nil, errors.New("there is more than one JSON value")
	}
	return v, nil
}
