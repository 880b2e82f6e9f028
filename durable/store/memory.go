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
func Memory() Index { return &memory{runs: map[string][][]byte{}, marks: map[string]Mark{}} }

// memory only ever appends to the lists of runs, and changes no record: a list that
// was taken under the lock can be read without it.
type memory struct {
	Drives
	mu    sync.RWMutex
	runs  map[string][][]byte
	marks map[string]Mark
}

func (m *memory) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	return m.append(ctx, run, after, nil, records)
}

// AppendMarked implements [Index].
func (m *memory) AppendMarked(ctx context.Context, run string, after int64, mark Mark, records ...[]byte) error {
	mark.Run, mark.Data, mark.Behind = run, bytes.Clone(mark.Data), false
	return m.append(ctx, run, after, &mark, records)
}

func (m *memory) append(ctx context.Context, run string, after int64, mark *Mark, records [][]byte) error {
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
	if mark != nil {
		m.marks[run] = *mark
	}
	return nil
}

// Marked implements [Index].
func (m *memory) Marked(ctx context.Context, run string) (Mark, error) {
	if err := CheckRun(run); err != nil {
		return Mark{}, err
	}
	if err := ended(ctx, run); err != nil {
		return Mark{}, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.marked(run), nil
}

// marked returns a mark that belongs to the caller. m.mu is held.
func (m *memory) marked(run string) Mark {
	mark := m.marks[run]
	mark.Run, mark.Data = run, bytes.Clone(mark.Data)
	return mark
}

// Marks implements [Index].
func (m *memory) Marks(ctx context.Context, q Query) iter.Seq2[Mark, error] {
	return func(yield func(Mark, error) bool) {
		var marks []Mark
		m.mu.RLock()
		for run := range m.runs {
			mark := m.marks[run]
			if mark.Run = run; q.Wants(&mark) {
				mark.Data = bytes.Clone(mark.Data)
				marks = append(marks, mark)
			}
		}
		m.mu.RUnlock()
		q.Sort(marks)
		for _, mark := range marks {
			if err := ended(ctx, ""); err != nil {
				yield(Mark{}, err)
				return
			}
			if !yield(mark, nil) {
				return
			}
		}
		if err := ended(ctx, ""); err != nil {
			yield(Mark{}, err)
		}
	}
}

// Delete leaves their records to who reads them.
func (m *memory) Delete(ctx context.Context, run string) error {
	hold, err := m.Drive(ctx, run, false)
	if err != nil {
		return err
	}
	m.mu.Lock()
	delete(m.runs, run)
	delete(m.marks, run)
	m.mu.Unlock()
	return hold.Release(ctx)
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
