// Package plainjson writes JSON for people and models, and reads it as it stands.
package plainjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// Text is JSON as an Encoder writes it, without spaces: it is not read and written again.
type Text []byte

// MarshalJSON returns the text.
func (t Text) MarshalJSON() ([]byte, error) { return t, nil }

// Encoder encodes values one after another, in the same memory.
type Encoder struct {
	text bytes.Buffer
	json *json.Encoder
}

// largest is what an Encoder may hold when it is not in use.
const largest = 256 << 10

var encoders = sync.Pool{New: func() any {
	e := &Encoder{}
	e.json = json.NewEncoder(&e.text)
	e.json.SetEscapeHTML(false)
	return e
}}

// NewEncoder returns an Encoder that somebody has closed, or a new one.
func NewEncoder() *Encoder {
	e := encoders.Get().(*Encoder)
	e.text.Reset()
	return e
}

// Close gives the memory back. What the Encoder returned must not be used any more.
func (e *Encoder) Close() {
	if e.text.Cap() <= largest {
		encoders.Put(e)
	}
}

// Encode returns v as JSON without escapes for HTML: a model reads < and &. It is good until the
// next call.
func (e *Encoder) Encode(v any) ([]byte, error) {
	if text, ok := v.(Text); ok {
		return text, nil
	}
	e.text.Reset()
	if err := e.Add(v); err != nil {
		return nil, err
	}
	return e.text.Bytes(), nil
}

// Add encodes v behind what the Encoder has. After an error that is incomplete.
func (e *Encoder) Add(v any) error {
	if err := e.json.Encode(v); err != nil {
		return err
	}
	e.text.Truncate(e.text.Len() - 1) // without its line feed
	return nil
}

// Text returns the buffer into which Add encodes. The caller may write into it between two calls of Add.
func (e *Encoder) Text() *bytes.Buffer { return &e.text }

// Encode returns v as JSON without escapes for HTML.
func Encode(v any) ([]byte, error) {
	e := NewEncoder()
	defer e.Close()
	text, err := e.Encode(v)
	return bytes.Clone(text), err
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
