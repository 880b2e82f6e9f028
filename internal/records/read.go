package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Encode writes a record. Unlike json.Marshal it changes no byte of the JSON in it.
func Encode(n *Record) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Read reads a record. Digits of numbers stay: a command with an id of 19 digits must be the same one. Of a record of
// a newer version only the version is known.
func Read(data []byte) (*Record, error) {
	n := &Record{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err := d.Decode(n)
	if err == nil && n.V <= Version {
		if _, end := d.Token(); errors.Is(end, io.EOF) { // nothing is behind it
			return n, nil
		}
	}
	// It may be of a newer version, whose fields have other types.
	var head struct {
		V int `json:"v"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	if head.V > Version {
		return &Record{V: head.V}, nil
	}
	return nil, err
}

// Scanner reads the records of a run, one after the other.
type Scanner struct {
	Run string
	Seq int64 // of the last record
}

// Read reads what a store yields next. Its errors are a *store.DamageError and store.ErrVersion.
func (s *Scanner) Read(entry store.Entry) (*Record, error) {
	if s.Seq++; entry.Seq != s.Seq {
		return nil, s.Damaged("it has the number %d", entry.Seq)
	}
	r, err := Read(entry.Data)
	switch {
	case err != nil:
		return nil, s.Damaged("it cannot be read: %v", err)
	case r.V > Version:
		return nil, fmt.Errorf("%w: run %q has records of version %d, and %d is the newest that can be read: use a newer version of the program", store.ErrVersion, s.Run, r.V, Version)
	case r.V < 1:
		return nil, s.Damaged("it has no version")
	}
	return r, nil
}

// Damaged is the error of a record that is not what was written.
func (s *Scanner) Damaged(format string, args ...any) error {
	return &store.DamageError{Run: s.Run, Seq: s.Seq, Reason: fmt.Sprintf(format, args...)}
}
