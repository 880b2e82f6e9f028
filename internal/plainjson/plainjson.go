// Package plainjson writes JSON for people and models, and reads it as it stands.
package plainjson

import (
	"bytes"
	"encoding/json"
)

// Encode returns v as JSON without escapes for HTML: a model reads < and &.
func Encode(v any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Decode reads the first JSON value of raw. Numbers keep their digits, as json.Number.
func Decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}
