package store

import (
	"bytes"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
)

// Memory returns a Store that lasts as long as the process: for tests, and for runs
// that may be looked at but need not be resumed.
func Memory() Store { return &memory{runs: map[string][][]byte{}} }

// memory only ever appends to the lists of runs, and changes no record: a list that
// was taken under the lock can be read without it.
type memory struct {
	Drives
	mu   sync.RWMutex
	runs map[string][][]byte
}

func (m *memory) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if err := CheckRun(run); err != nil {
		return err
	}
	own := make([][]byte, len(records))
	for i, data := range records {
		own[i] = append([]byte{}, data...)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ended(ctx, run); err != nil {
		return err
	}
	if last := int64(len(m.runs[run])); last != after {
		return &ConflictError{Run: run, After: after, Last: last}
	}
	if len(own) > 0 {
		m.runs[run] = append(m.runs[run], own...)
	}
	return nil
}

func (m *memory) Read(ctx context.Context, run string, from int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if err := CheckRun(run); err != nil {
			yield(Entry{}, err)
			return
		}
		m.mu.RLock()
		records := m.runs[run]
		m.mu.RUnlock()
		for seq := max(from, 1); ; seq++ {
			if err := ended(ctx, run); err != nil {
				yield(Entry{}, err)
				return
			}
			if seq > int64(len(records)) || !yield(Entry{Seq: seq, Data: bytes.Clone(records[seq-1])}, nil) {
				return
			}
		}
	}
}

func (m *memory) Runs(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		m.mu.RLock()
		runs := slices.Sorted(maps.Keys(m.runs))
		m.mu.RUnlock()
		for _, run := range runs {
			if err := ended(ctx, ""); err != nil {
				yield("", err)
				return
			}
			if !yield(run, nil) {
				return
			}
		}
		if err := ended(ctx, ""); err != nil {
			yield("", err)
		}
	}
}
