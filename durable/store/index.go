package store

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"
)

// Index is a [Store] that keeps a [Mark] beside each journal, so that runs can be found and listed without
// reading their records. Package durable writes the marks, and does without them in a Store that is no Index.
type Index interface {
	Store

	// AppendMarked is Append, and replaces the mark of the run: both or neither, as far as the store can.
	// Where it cannot, the mark is behind the journal for a while, which [Mark].Behind says. Without records
	// it replaces only the mark, where the last seq is after.
	AppendMarked(ctx context.Context, run string, after int64, mark Mark, records ...[]byte) error

	// Marked returns the mark of a run; one with the Seq 0 where it has none.
	Marked(ctx context.Context, run string) (Mark, error)

	// Marks yields the marks of the runs that have records, as the query says. A run without a mark is there with the Seq 0,
	// and it and one whose mark is behind are yielded whatever Stages and Due say.
	// An error is the last thing that is yielded.
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

	// Behind says that the journal may have records that the mark should have known of: the process
	// died between the two. The store sets it.
	Behind bool
}

// Query says which marks [Index] yields: those that all of its fields want. The zero value: all of them, in the order of
// the ids.
type Query struct {
	Prefix string   // of the ids
	After  string   // ids behind this one, in the order of their bytes
	Stages []string // one of these
	// Due wants marks that are due at this time, in the order in which they are due. A mark that was made
	// after this time is due, if it ever is: somebody has set the clock back.
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
