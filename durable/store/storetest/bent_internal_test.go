package storetest

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
)

type (
	appendFunc func(ctx context.Context, run string, after int64, records ...[]byte) error
	readFunc   func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error]
	runsFunc   func(ctx context.Context) iter.Seq2[string, error]
	driveFunc  func(ctx context.Context, run string, takeOver bool) (store.Hold, error)
	deleteFunc func(ctx context.Context, run string) error
)

// bent is a sound store that a test bends in one place.
type bent struct {
	sound  store.Store
	append appendFunc
	read   readFunc
	runs   runsFunc
	drive  driveFunc
	delete deleteFunc
}

func straight() *bent {
	m := store.Memory()
	return &bent{sound: m, append: m.Append, read: m.Read, runs: m.Runs, drive: m.Drive, delete: m.Delete}
}

func (b *bent) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	return b.append(ctx, run, after, records...)
}

func (b *bent) Read(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
	return b.read(ctx, run, from)
}

func (b *bent) Runs(ctx context.Context) iter.Seq2[string, error] { return b.runs(ctx) }

func (b *bent) Drive(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
	return b.drive(ctx, run, takeOver)
}

func (b *bent) Delete(ctx context.Context, run string) error { return b.delete(ctx, run) }

// last is the last seq of a run.
func (b *bent) last(ctx context.Context, run string) int64 {
	last := int64(0)
	for e, err := range b.sound.Read(ctx, run, 1) {
		if err == nil {
			last = e.Seq
		}
	}
	return last
}

// appends makes a store with that Append, reads with that Read, drives with that Drive, and deletes with that Delete.
func appends(do func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error) func(*bent) {
	return func(b *bent) {
		b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
			return do(ctx, b, run, after, records)
		}
	}
}

func reads(do func(ctx context.Context, b *bent, run string, from int64) iter.Seq2[store.Entry, error]) func(*bent) {
	return func(b *bent) {
		b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
			return do(ctx, b, run, from)
		}
	}
}

func drives(do func(ctx context.Context, b *bent, run string, takeOver bool) (store.Hold, error)) func(*bent) {
	return func(b *bent) {
		b.drive = func(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
			return do(ctx, b, run, takeOver)
		}
	}
}

func deletes(do func(ctx context.Context, b *bent, run string) error) func(*bent) {
	return func(b *bent) {
		b.delete = func(ctx context.Context, run string) error { return do(ctx, b, run) }
	}
}

// onRead makes a store whose Read yields something else for each record.
func onRead(change func(b *bent, run string, e store.Entry) store.Entry) func(*bent) {
	return func(b *bent) {
		b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
			return func(yield func(store.Entry, error) bool) {
				for e, err := range b.sound.Read(ctx, run, from) {
					if err == nil {
						e = change(b, run, e)
					}
					if !yield(e, err) {
						return
					}
				}
			}
		}
	}
}

// onAppend makes a store whose Append appends something else.
func onAppend(change func(run string, after int64, records [][]byte) (string, [][]byte)) func(*bent) {
	return func(b *bent) {
		b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
			run, records = change(run, after, records)
			return b.sound.Append(ctx, run, after, records...)
		}
	}
}

// as makes a store that takes runs for one whose ids become the same text.
func as(change func(string) string) func(*bent) {
	return func(b *bent) {
		b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
			if store.CheckRun(run) != nil {
				return store.ErrRun
			}
			return b.sound.Append(ctx, change(run), after, records...)
		}
		b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
			if store.CheckRun(run) != nil {
				return b.sound.Read(ctx, run, from)
			}
			return b.sound.Read(ctx, change(run), from)
		}
	}
}

// inspect makes every check and returns the problems by the name of the check.
func inspect(t *testing.T, b Backend, limit time.Duration) map[string][]string {
	t.Helper()
	return inspectFor(t, "", b, limit)
}

// inspectFor makes one check, "" for all of them, and those that it builds on.
func inspectFor(t *testing.T, only string, b Backend, limit time.Duration) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	runStore(t, b, limit, shortLease, func(c check, find func(testing.TB) []string) bool {
		if only != "" && c.name != only && !c.base {
			return true
		}
		problems := find(t)
		if len(problems) > 0 {
			found[c.name] = problems
		}
		return len(problems) == 0
	})
	return found
}

// backend is one whose stores are bent, and the same for everybody who opens them.
func backend(bend func(*bent)) Backend {
	return Backend{
		New:    func(testing.TB) store.Store { b := straight(); bend(b); return b },
		Reopen: func(_ testing.TB, s store.Store) store.Store { return s },
	}
}

// anyID takes every text for an id.
func anyID(b *bent) {
	key := func(id string) string {
		if store.CheckRun(id) != nil {
			return "any"
		}
		return id
	}
	b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
		return b.sound.Append(ctx, key(run), after, records...)
	}
	b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
		return b.sound.Read(ctx, key(run), from)
	}
}
