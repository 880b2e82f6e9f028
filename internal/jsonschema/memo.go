package jsonschema

import (
	"encoding/json"
	"sync"
)

// What Remembered keeps: at most this many schemas of at most this many bytes,
// so that a desktop with ever new schemas cannot fill the memory.
const (
	maxRemembered      = 256
	maxRememberedBytes = 4 << 10
)

var remembered = memo{schemas: map[string]*Schema{}}

// Remembered is [Compile], but compiles the same text only once, as long as it
// has not been pushed out by others. An agent lists the tools of its desktop in
// every step, and they are mostly those of the step before.
func Remembered(raw json.RawMessage) (*Schema, error) {
	if len(raw) > maxRememberedBytes {
		return Compile(raw)
	}
	return remembered.compile(raw)
}

// memo keeps compiled schemas by their text; the oldest goes first.
type memo struct {
	mu      sync.Mutex
	schemas map[string]*Schema
	order   [maxRemembered]string // a ring
	next    int
}

func (m *memo) compile(raw json.RawMessage) (*Schema, error) {
	m.mu.Lock()
	schema := m.schemas[string(raw)]
	m.mu.Unlock()
	if schema != nil {
		return schema, nil
	}
	schema, err := Compile(raw) // without the lock: two may do it at once
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	text := string(raw)
	if first := m.schemas[text]; first != nil {
		return first, nil
	}
	delete(m.schemas, m.order[m.next])
	m.schemas[text], m.order[m.next] = schema, text
	m.next = (m.next + 1) % maxRemembered
	return schema, nil
}
