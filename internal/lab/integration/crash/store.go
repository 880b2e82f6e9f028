package main

import (
	"bytes"
	"context"
	"slices"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/durable/store"
)

// order says how a worker is to die; the zero value lets it live.
type order struct {
	// DieAt is the Append at which it kills itself, of those with a record of that
	// Kind; After the Append took the records, or before. 0 is none, "" any.
	DieAt int64  `json:"die_at,omitempty"`
	Kind  string `json:"kind,omitempty"`
	After bool   `json:"after,omitempty"`

	shot *shot // or it is killed from outside
}

// mortal is a store with which the process dies as its order says.
type mortal struct {
	store.Store
	order
	count   atomic.Int64 // Appends of records
	matched atomic.Int64 // those of the Kind
}

func (m *mortal) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if len(records) > 0 { // else it only asks whether the run is still its own
		m.count.Add(1)
	}
	dies := slices.ContainsFunc(records, func(r []byte) bool { return isKind(r, m.Kind) }) && m.matched.Add(1) == m.DieAt
	if dies && !m.After {
		die()
	}
	err := m.Store.Append(ctx, run, after, records...)
	if dies {
		die()
	}
	return err
}

// isKind reports whether a record is of a kind; "" is any.
func isKind(record []byte, kind string) bool {
	return kind == "" || bytes.Contains(record, []byte(`"kind":"`+kind+`"`))
}

// forgetful is a store that loses intents: what a check that is worth something
// must notice.
type forgetful struct{ store.Store }

func (f forgetful) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	kept := make([][]byte, len(records))
	for i, r := range records {
		if kept[i] = r; isKind(r, "intent") {
			kept[i] = []byte(`{"v":1,"kind":"nothing"}`)
		}
	}
	return f.Store.Append(ctx, run, after, kept...)
}
