package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Memory returns a Store that lasts as long as the process.
func Memory() Index { return &memory{runs: map[string][][]byte{}, marks: map[string]Mark{}} }

// memory only appends to the lists of runs: a list that was taken under the lock can be read without it.
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
	if err := errors.Join(CheckRun(run), ended(ctx, run)); err != nil {
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
		values(ctx, marks)(yield)
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
		values(ctx, runs)(yield)
	}
}

// values yields a list, until ctx is done.
func values[T any](ctx context.Context, list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range list {
			if ctx.Err() != nil {
				break
			}
			if !yield(v, nil) {
				return
			}
		}
		if err := ended(ctx, ""); err != nil {
			var none T
			yield(none, err)
		}
	}
}

// Index is a [Store] that keeps a [Mark] of each run, by which runs are found without reading their journals. Package
// durable writes the marks.
type Index interface {
	Store

	// AppendMarked appends records and replaces the mark of the run: both or neither, if the store can. Else the mark may
	// be behind the journal for a while: see [Mark].Behind. Without records it replaces only the mark.
	AppendMarked(ctx context.Context, run string, after int64, mark Mark, records ...[]byte) error

	// Marked returns the mark of a run; one with the Seq 0 where it has none.
	Marked(ctx context.Context, run string) (Mark, error)

	// Marks yields the marks of the runs that have records. A run without a mark has the Seq 0. Stages and Due do not
	// leave out such a run, or one whose mark is behind. An error is the last value.
	Marks(ctx context.Context, q Query) iter.Seq2[Mark, error]
}

// Mark is what a store keeps of a run beside its journal.
type Mark struct {
	Run   string
	Seq   int64     // of the last record that the mark knows of
	At    time.Time // when the mark was made
	Stage string    // a word by which runs are found
	Due   time.Time // when somebody is to look at the run; zero: never
	Data  []byte    // whatever the caller wants

	// Behind says that the journal may have more records, because the process died between the two. The store sets it.
	Behind bool
}

// Query selects marks of an [Index]. The zero value selects all of them, in the order of the ids.
type Query struct {
	Prefix string   // of the ids
	After  string   // ids behind this one, in the order of their bytes
	Stages []string // one of these
	// Due selects marks that are due at this time, in the order of their Due. A mark that was made after this time counts
	// as due if it has a Due: the clock was set back.
	Due time.Time
}

// Wants reports whether a mark is one of those that the query wants.
func (q *Query) Wants(m *Mark) bool {
	if !strings.HasPrefix(m.Run, q.Prefix) || q.After != "" && m.Run <= q.After {
		return false
	}
	if m.Seq == 0 || m.Behind {
		return true
	}
	if len(q.Stages) > 0 && !slices.Contains(q.Stages, m.Stage) {
		return false
	}
	return q.Due.IsZero() || !m.Due.IsZero() && (!m.Due.After(q.Due) || m.At.After(q.Due))
}

// Sort puts marks into the order of the query.
func (q *Query) Sort(marks []Mark) {
	slices.SortFunc(marks, func(a, b Mark) int {
		if !q.Due.IsZero() {
			if c := a.Due.Compare(b.Due); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.Run, b.Run)
	})
}
