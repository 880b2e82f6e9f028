package records

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Read reads a record. Digits of numbers stay: a command with an id of 19 digits
// must be the same one. Of a record of a newer version only the version is known.
func Read(data []byte) (*Record, error) {
	n := &Record{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err := d.Decode(n)
	if err == nil && n.V <= Version {
		if _, end := d.Token(); errors.Is(end, io.EOF) { // nothing is behind it
			n.complete()
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

// complete puts back what Encode leaves out.
func (n *Record) complete() {
	if n.Act == nil {
		return
	}
	n.Act.Command.CallID = cmp.Or(n.Act.Command.CallID, n.Act.ID)
	if n.Result != nil {
		n.Result.ID = cmp.Or(n.Result.ID, n.Act.ID)
	}
}

// glance reads what each record begins with, and reports whether data begins as this package writes it: with v, kind and
// at.
func glance(data []byte) (n *Record, ok bool) {
	rest, ok := bytes.CutPrefix(data, []byte(`{"v":`+strconv.Itoa(Version)+`,"kind":"`))
	if !ok {
		return nil, false
	}
	kind, rest, ok := bytes.Cut(rest, []byte(`","at":"`))
	if !ok {
		return nil, false
	}
	text, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok {
		return nil, false
	}
	at, err := time.Parse(time.RFC3339Nano, string(text))
	return &Record{V: Version, Kind: string(kind), At: at}, err == nil
}

// Scanner reads the records of a run, one after the other.
type Scanner struct {
	Run string
	Seq int64 // of the last record

	// Skip are the kinds of which only V, Kind and At are read: pictures and replies are most of a journal.
	Skip []string
}

// Read reads what a store yields next. Its errors are a *store.DamageError and
// store.ErrVersion.
func (s *Scanner) Read(entry store.Entry) (*Record, error) {
	if s.Seq++; entry.Seq != s.Seq {
		return nil, s.Damaged("it has the number %d", entry.Seq)
	}
	if len(s.Skip) > 0 {
		if r, ok := glance(entry.Data); ok && slices.Contains(s.Skip, r.Kind) {
			return r, nil
		}
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
