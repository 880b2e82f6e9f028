package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// bentIndex is a sound store.Index that a test bends in one place.
type bentIndex struct {
	store.Index
	appendMarked func(ctx context.Context, run string, after int64, mark store.Mark, records [][]byte) error
	marked       func(ctx context.Context, run string) (store.Mark, error)
	marks        func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error]
	read         readFunc
}

func (b *bentIndex) Read(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
	return b.read(ctx, run, from)
}

func (b *bentIndex) AppendMarked(ctx context.Context, run string, after int64, mark store.Mark, records ...[]byte) error {
	return b.appendMarked(ctx, run, after, mark, records)
}

func (b *bentIndex) Marked(ctx context.Context, run string) (store.Mark, error) {
	return b.marked(ctx, run)
}

func (b *bentIndex) Marks(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
	return b.marks(ctx, q)
}

func indexBackend(bend func(*bentIndex)) Backend {
	return Backend{
		New: func(testing.TB) store.Store {
			m := store.Memory()
			b := &bentIndex{
				Index: m, marked: m.Marked, marks: m.Marks, read: m.Read,
				appendMarked: func(ctx context.Context, run string, after int64, mark store.Mark, records [][]byte) error {
					return m.AppendMarked(ctx, run, after, mark, records...)
				},
			}
			bend(b)
			return b
		},
		Reopen: func(_ testing.TB, s store.Store) store.Store { return s },
	}
}

// eachMark makes an index that yields something else for each mark; false: nothing.
func eachMark(change func(q *store.Query, m *store.Mark) bool) func(*bentIndex) {
	return listed(func(q store.Query, marks []store.Mark) []store.Mark {
		return slices.DeleteFunc(marks, func(m store.Mark) bool { return !change(&q, &m) })
	})
}

// listed makes an index that yields something else for a query.
func listed(change func(q store.Query, marks []store.Mark) []store.Mark) func(*bentIndex) {
	return func(b *bentIndex) {
		sound := b.marks
		b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
			return func(yield func(store.Mark, error) bool) {
				var marks []store.Mark
				for m, err := range sound(ctx, q) {
					if err != nil {
						yield(store.Mark{}, err)
						return
					}
					marks = append(marks, m)
				}
				for _, m := range change(q, marks) {
					if !yield(m, nil) {
						return
					}
				}
			}
		}
	}
}

func TestStraightIndex(t *testing.T) {
	assert.Empty(t, inspect(t, indexBackend(func(*bentIndex) {}), patience))
}

// What keeps no marks is not asked for them.
func TestNoIndex(t *testing.T) {
	runStore(t, backend(func(*bent) {}), patience, shortLease, func(c check, find func(testing.TB) []string) bool {
		assert.False(t, c.marks, c.name)
		return len(find(t)) == 0
	})
}

func TestBrokenIndexes(t *testing.T) {
	errOdd := errors.New("odd")
	for name, c := range map[string]struct {
		check string
		bend  func(*bentIndex)
		want  string
	}{
		"no mark": {"marks", func(b *bentIndex) {
			b.marked = func(context.Context, string) (store.Mark, error) { return store.Mark{}, errOdd }
		}, `Marked of run "run 1" fails: odd`},
		"takes the mark for a record more": {"marks", func(b *bentIndex) {
			b.appendMarked = func(ctx context.Context, run string, after int64, mark store.Mark, records [][]byte) error {
				return b.Index.AppendMarked(ctx, run, after, mark, append(records, mark.Data)...)
			}
		}, "fails: store: run"},
		"seconds": {"marks", func(b *bentIndex) {
			sound := b.appendMarked
			b.appendMarked = func(ctx context.Context, run string, after int64, mark store.Mark, records [][]byte) error {
				mark.Due = mark.Due.Truncate(time.Second)
				return sound(ctx, run, after, mark, records)
			}
		}, "Due:2026-11-20 12:00:00 +0000 UTC"},
		"keeps the bytes of its caller": {"marks", func(b *bentIndex) {
			kept := map[string][]byte{}
			b.appendMarked = func(ctx context.Context, run string, after int64, mark store.Mark, records [][]byte) error {
				kept[run] = mark.Data
				return b.Index.AppendMarked(ctx, run, after, mark, records...)
			}
			b.marked = func(ctx context.Context, run string) (store.Mark, error) {
				m, err := b.Index.Marked(ctx, run)
				m.Data = kept[run]
				return m, err
			}
		}, `Data:"\x00\x00\x00`},
		"gives its own bytes away": {"marks", func(b *bentIndex) {
			kept := map[string][]byte{}
			b.appendMarked = func(ctx context.Context, run string, after int64, mark store.Mark, records [][]byte) error {
				kept[run] = bytes.Clone(mark.Data)
				return b.Index.AppendMarked(ctx, run, after, mark, records...)
			}
			b.marked = func(ctx context.Context, run string) (store.Mark, error) {
				m, err := b.Index.Marked(ctx, run)
				m.Data = kept[run]
				return m, err
			}
		}, `Marked of run "run 2" returns`},
		"Append forgets the mark": {"marks", func(b *bentIndex) {
			b.marked = func(ctx context.Context, run string) (store.Mark, error) {
				m, err := b.Index.Marked(ctx, run)
				for e := range b.Read(ctx, run, m.Seq+1) {
					if m.Seq > 0 && e.Seq > m.Seq {
						return store.Mark{Run: run}, nil
					}
				}
				return m, err
			}
		}, "returns {Run:\"run 1\" Seq:0"},
		"marks in spite of the conflict": {"late marks", func(b *bentIndex) {
			b.appendMarked = func(ctx context.Context, run string, after int64, mark store.Mark, records [][]byte) error {
				err := b.Index.AppendMarked(ctx, run, after, mark, records...)
				if conflict, ok := errors.AsType[*store.ConflictError](err); ok {
					_ = b.Index.AppendMarked(ctx, run, conflict.Last, mark)
				}
				return err
			}
		}, `Stage:"ended"`},
		"does not compare for a mark alone": {"late marks", func(b *bentIndex) {
			b.appendMarked = func(ctx context.Context, run string, after int64, mark store.Mark, records [][]byte) error {
				if after == 1 && len(records) == 0 {
					return nil
				}
				return b.Index.AppendMarked(ctx, run, after, mark, records...)
			}
		}, "AppendMarked of 0 records after record 1 of run \"run 1\", which has 2, succeeds"},
		"lists in spite of the context": {"late marks", func(b *bentIndex) {
			b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
				return b.Index.Marks(context.WithoutCancel(ctx), q)
			}
		}, "Marks under a context that is done ends with <nil>"},
		"reads nothing behind a mark": {"marks", func(b *bentIndex) {
			b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
				if m, err := b.Index.Marked(ctx, run); err == nil && m.Seq > 0 && from > m.Seq {
					from = 1 << 40
				}
				return b.Index.Read(ctx, run, from)
			}
		}, "7"},
		"any id": {"late marks", func(b *bentIndex) {
			b.marked = func(ctx context.Context, run string) (store.Mark, error) {
				if store.CheckRun(run) != nil {
					return store.Mark{}, nil //nolint:nilerr // it is bent
				}
				return b.Index.Marked(ctx, run)
			}
		}, `Marked of run "" returns <nil> and not store.ErrRun`},
		"the first page": {"queries", listed(func(_ store.Query, marks []store.Mark) []store.Mark {
			return marks[:min(len(marks), 256)]
		}), "Marks of {Prefix:\"\" After:\"\""},
		"a prefix is a pattern": {"queries", func(b *bentIndex) {
			sound := b.marks
			b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
				q.Prefix = strings.ToValidUTF8(q.Prefix, "")
				return sound(ctx, q)
			}
		}, `Prefix:"\xc3"`},
		"behind includes": {"queries", func(b *bentIndex) {
			b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
				if strings.HasPrefix(q.After, "a") {
					q.After = ""
				}
				return b.Index.Marks(ctx, q)
			}
		}, `After:"a 300"`},
		"without what has no mark": {"queries", eachMark(func(q *store.Query, m *store.Mark) bool {
			return m.Seq != 0 || len(q.Stages) == 0
		}), `Stages:["waiting"]`},
		"due by the minute": {"queries", eachMark(func(q *store.Query, m *store.Mark) bool {
			return q.Due.IsZero() || m.Seq == 0 || m.At.After(q.Due) || !m.Due.After(q.Due.Truncate(time.Minute))
		}), "Due:2026-11-20 12:00:00.123456"},
		"never after the clock": {"queries", eachMark(func(q *store.Query, m *store.Mark) bool {
			return q.Due.IsZero() || m.Seq == 0 || !m.Due.After(q.Due)
		}), "Due:2026-11-20 12:00:00.123456"},
		"by their ids": {"queries", listed(func(_ store.Query, marks []store.Mark) []store.Mark {
			slices.SortFunc(marks, func(a, b store.Mark) int { return strings.Compare(a.Run, b.Run) })
			return marks
		}), "Due:2026-11-20 12:00:00.123456"},
		"locked while listed": {"used while listed", func(b *bentIndex) {
			var mu sync.Mutex
			b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
				return func(yield func(store.Mark, error) bool) {
					mu.Lock()
					defer mu.Unlock()
					b.Index.Marks(ctx, q)(yield)
				}
			}
			b.appendMarked = func(ctx context.Context, run string, after int64, mark store.Mark, records [][]byte) error {
				if !mu.TryLock() {
					return errOdd
				}
				defer mu.Unlock()
				return b.Index.AppendMarked(ctx, run, after, mark, records...)
			}
		}, "fails: odd"},
		"finds again what was changed": {"used while listed", func(b *bentIndex) {
			b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
				return func(yield func(store.Mark, error) bool) {
					stopped := false
					for range 2 {
						for m, err := range b.Index.Marks(ctx, q) {
							if stopped = stopped || !yield(m, err); stopped {
								return
							}
						}
						if q.Due.IsZero() {
							return
						}
					}
				}
			}
		}, "twice while it is driven"},
		"marks, then appends": {"one marks", func(b *bentIndex) {
			b.appendMarked = func(ctx context.Context, run string, after int64, mark store.Mark, records [][]byte) error {
				if err := b.Append(ctx, run, after, records...); err != nil {
					return err
				}
				pause := time.NewTimer(time.Millisecond)
				defer pause.Stop()
				<-pause.C
				mark.Stage = "racer of another race"
				return b.Index.AppendMarked(ctx, run, after+int64(len(records)), mark)
			}
		}, "and the mark is"},
	} {
		t.Run(name, func(t *testing.T) {
			found := inspectFor(t, c.check, indexBackend(c.bend), patience)
			require.Contains(t, found, c.check, "found: %q", found)
			assert.Contains(t, fmt.Sprint(found[c.check]), c.want)
		})
	}
}
