package storetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// recorder is a test that notes its failures.
type recorder struct {
	testing.TB
	failures strings.Builder
}

func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(&r.failures, format, args...) }
func (r *recorder) FailNow()                          { runtime.Goexit() }

// failures runs a check and returns what it finds.
func failures(t *testing.T, name string, b Backend) string {
	t.Helper()
	all := slices.Concat(checks, indexChecks)
	at := slices.IndexFunc(all, func(c check) bool { return c.name == name })
	require.GreaterOrEqual(t, at, 0, name)
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		all[at].test(r, b)
	}()
	<-done
	return r.failures.String()
}

// bent is a sound store with one broken method.
type bent struct {
	store.Index
	append func(ctx context.Context, run string, after int64, records ...[]byte) error
	read   func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error]
	runs   func(ctx context.Context) iter.Seq2[string, error]
	drive  func(ctx context.Context, run string, takeOver bool) (store.Hold, error)
	delete func(ctx context.Context, run string) error
	mark   func(ctx context.Context, run string, after int64, mark store.Mark, records ...[]byte) error
	marked func(ctx context.Context, run string) (store.Mark, error)
	marks  func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error]
}

func (b *bent) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	return b.append(ctx, run, after, records...)
}

func (b *bent) Read(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
	return b.read(ctx, run, from)
}

func (b *bent) Drive(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
	return b.drive(ctx, run, takeOver)
}

func (b *bent) AppendMarked(ctx context.Context, run string, after int64, m store.Mark, records ...[]byte) error {
	return b.mark(ctx, run, after, m, records...)
}

func (b *bent) Runs(ctx context.Context) iter.Seq2[string, error]          { return b.runs(ctx) }
func (b *bent) Delete(ctx context.Context, run string) error               { return b.delete(ctx, run) }
func (b *bent) Marked(ctx context.Context, run string) (store.Mark, error) { return b.marked(ctx, run) }
func (b *bent) Marks(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
	return b.marks(ctx, q)
}

// last is the last seq of a run.
func (b *bent) last(ctx context.Context, run string) (last int64) {
	for e := range b.Index.Read(ctx, run, 1) {
		last = e.Seq
	}
	return last
}

func backend(bend func(*bent)) Backend {
	return Backend{
		New: func(testing.TB) store.Store {
			m := store.Memory()
			b := &bent{Index: m, append: m.Append, read: m.Read, runs: m.Runs, drive: m.Drive, delete: m.Delete, mark: m.AppendMarked, marked: m.Marked, marks: m.Marks}
			bend(b)
			return b
		},
		Reopen: func(_ testing.TB, s store.Store) store.Store { return s },
	}
}

// changed is a sequence of other values.
func changed[T any](sequence iter.Seq2[T, error], change func(T) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for value, err := range sequence {
			if !yield(change(value), err) {
				return
			}
		}
	}
}

// pause lets other goroutines go on.
func pause() { <-time.After(time.Millisecond) }

var errOdd = errors.New("odd")

// bentHold is a hold that is released in another way.
type bentHold struct {
	store.Hold
	release func(context.Context) error
}

func (h bentHold) Release(ctx context.Context) error { return h.release(ctx) }

// rereads makes a store whose Read looks again for each record. If there are none, it ends with an error.
func rereads(end error) func(*bent) {
	return func(b *bent) {
		b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
			return func(yield func(store.Entry, error) bool) {
				was := b.last(ctx, run)
				for from := max(from, 1); from <= was; from++ {
					if b.last(ctx, run) == 0 {
						yield(store.Entry{}, end)
						return
					}
					for e, err := range b.Index.Read(ctx, run, from) {
						if !yield(e, err) {
							return
						}
						break
					}
				}
			}
		}
	}
}
