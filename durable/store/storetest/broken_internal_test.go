package storetest

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/durable/store"
)

func TestSoundStore(t *testing.T) {
	Run(t, backend(func(*bent) {}))
}

// A store that keeps no marks is not asked for them.
func TestNoIndex(t *testing.T) {
	Run(t, Backend{
		New:    func(testing.TB) store.Store { return struct{ store.Store }{store.Memory()} },
		Reopen: func(_ testing.TB, s store.Store) store.Store { return s },
	})
}

func TestForgetfulStore(t *testing.T) {
	forgetful := Backend{
		New:    func(testing.TB) store.Store { return store.Memory() },
		Reopen: func(testing.TB, store.Store) store.Store { return store.Memory() },
	}
	for check, want := range map[string]string{
		"conflict":    "Last:0",
		"one appends": "should have 1 item(s), but has 2",
		"one drives":  "should have 1 item(s), but has 2",
		"one marks":   "should have 1 item(s), but has 2",
	} {
		t.Run(check, func(t *testing.T) { assert.Contains(t, failures(t, check, forgetful), want) })
	}
}

func TestBrokenStores(t *testing.T) {
	for name, c := range map[string]struct {
		check string
		bend  func(*bent)
		want  string
	}{
		"an unknown run is an error": {"records", func(b *bent) {
			b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
				if b.last(ctx, run) == 0 {
					return func(yield func(store.Entry, error) bool) { yield(store.Entry{}, errOdd) }
				}
				return b.Index.Read(ctx, run, from)
			}
		}, "odd"},
		"a run without records": {"records", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				return b.Index.Append(ctx, run, after, append(records, nil)...)
			}
		}, `Runs yields ["run 1"], not []`},
		"appends one of many": {"records", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				return b.Index.Append(ctx, run, after, records[:min(1, len(records))]...)
			}
		}, "should have 4 item(s), but has 2"},
		"counts from 0": {"records", func(b *bent) {
			b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
				return changed(b.Index.Read(ctx, run, from), func(e store.Entry) store.Entry { e.Seq--; return e })
			}
		}, "the seq of what Read of run"},
		"goes on after an error": {"records", func(b *bent) {
			b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
				return func(yield func(store.Entry, error) bool) {
					for range 2 {
						if !yield(store.Entry{}, errOdd) {
							return
						}
					}
				}
			}
		}, "the sequence goes on behind an error"},
		"an entry with an error": {"records", func(b *bent) {
			b.read = func(context.Context, string, int64) iter.Seq2[store.Entry, error] {
				return func(yield func(store.Entry, error) bool) { yield(store.Entry{Seq: 1}, errOdd) }
			}
		}, "the sequence yields something with an error"},
		"keeps texts": {"records", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				for i := range records {
					records[i] = bytes.ToValidUTF8(records[i], []byte("?"))
				}
				return b.Index.Append(ctx, run, after, records...)
			}
		}, `has 1 bytes, "?", not "\xff\xfe"`},
		"cuts what is long": {"records", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				for i := range records {
					records[i] = records[i][:min(len(records[i]), 64<<10)]
				}
				return b.Index.Append(ctx, run, after, records...)
			}
		}, "has 65536 bytes"},
		"clears what it was given": {"own bytes", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				err := b.Index.Append(ctx, run, after, records...)
				clear(records[0])
				return err
			}
		}, "Append changed the records of its caller"},
		"keeps the bytes of its caller": {"own bytes", func(b *bent) {
			var kept [][]byte
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				kept = slices.Clone(records)
				return b.Index.Append(ctx, run, after, records...)
			}
			b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
				return changed(b.Index.Read(ctx, run, from), func(e store.Entry) store.Entry { e.Data = kept[e.Seq-1]; return e })
			}
		}, `not "first"`},
		"gives its own bytes away": {"own bytes", func(b *bent) {
			kept := map[int64][]byte{}
			b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
				return changed(b.Index.Read(ctx, run, from), func(e store.Entry) store.Entry {
					if kept[e.Seq] == nil {
						kept[e.Seq] = e.Data
					}
					e.Data = kept[e.Seq]
					return e
				})
			}
		}, `not "first"`},
		"begins one too late": {"from", func(b *bent) {
			b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
				return b.Index.Read(ctx, run, max(from, from+1))
			}
		}, "the seq of what Read of run"},
		"reads once": {"from", func(b *bent) {
			b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
				used := false
				return func(yield func(store.Entry, error) bool) {
					if !used {
						used = true
						b.Index.Read(ctx, run, from)(yield)
					}
				}
			}
		}, "what Read returned is used a second time"},
		"takes what is too late": {"conflict", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				return b.Index.Append(ctx, run, b.last(ctx, run), records...)
			}
		}, "an Append after record -1 of run \"run 1\", which has 3"},
		"a conflict without numbers": {"conflict", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				err := b.Index.Append(ctx, run, after, records...)
				if errors.Is(err, store.ErrConflict) {
					return &store.ConflictError{Run: run}
				}
				return err
			}
		}, "Not equal"},
		"ids of any case": {"ids", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				return b.Index.Append(ctx, strings.ToLower(run), after, records...)
			}
		}, `to run "a" after record 0`},
		"sorts by letters": {"ids", func(b *bent) {
			b.runs = func(ctx context.Context) iter.Seq2[string, error] {
				ids, _ := collect(t, b.Index.Runs(ctx))
				slices.SortStableFunc(ids, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
				return func(yield func(string, error) bool) {
					for _, id := range ids {
						if !yield(id, nil) {
							return
						}
					}
				}
			}
		}, "Runs yields"},
		"drives what is no run": {"bad ids", func(b *bent) {
			b.drive = func(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
				return b.Index.Drive(ctx, "any", takeOver)
			}
		}, `Drive of run ""`},
		"appends in spite of the context": {"context", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				return b.Index.Append(context.WithoutCancel(ctx), run, after, records...)
			}
		}, "the first Append returns <nil>, and its context is done"},
		"lists in spite of the context": {"context", func(b *bent) {
			b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
				return b.Index.Marks(context.WithoutCancel(ctx), q)
			}
		}, "Marks returns <nil>, and its context is done"},
		"drives in spite of the context": {"context", func(b *bent) {
			b.drive = func(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
				return b.Index.Drive(context.WithoutCancel(ctx), run, takeOver)
			}
		}, "Drive returns <nil>, and its context is done"},
		"compares, then appends": {"one appends", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				if err := b.Index.Append(ctx, run, after); err != nil {
					return err
				}
				pause()
				var err error
				for err = store.ErrConflict; errors.Is(err, store.ErrConflict); {
					err = b.Index.Append(ctx, run, b.last(ctx, run), records...)
				}
				return err
			}
		}, "the calls that succeed, of several at once"},
		"busy": {"one appends", func(b *bent) {
			var mu sync.Mutex
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				if !mu.TryLock() {
					return errOdd
				}
				defer mu.Unlock()
				pause()
				return b.Index.Append(ctx, run, after, records...)
			}
		}, "one has another error"},
		"one record after another": {"while appending", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				for i, data := range records {
					if err := b.Index.Append(ctx, run, after+int64(i), data); err != nil {
						return err
					}
					pause()
				}
				return nil
			}
		}, "Read yields a part of an Append"},
		"fails while others append": {"while appending", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				if run == "run 2" && after > 0 {
					return errOdd
				}
				return b.Index.Append(ctx, run, after, records...)
			}
		}, "Append while others read and append to other runs"},
		"anybody drives": {"driven", func(b *bent) {
			b.drive = func(ctx context.Context, run string, _ bool) (store.Hold, error) {
				var own store.Drives
				return own.Drive(ctx, run, false)
			}
		}, `Drive of run "run 1", which is driven`},
		"gives nothing back": {"driven", func(b *bent) {
			b.drive = func(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
				hold, err := b.Index.Drive(ctx, run, takeOver)
				return bentHold{hold, func(context.Context) error { return nil }}, err
			}
		}, `Drive of run "run 2", takeOver: false`},
		"deletes what is driven": {"driven", func(b *bent) {
			var own store.Drives
			b.drive = own.Drive
		}, `Delete of run "run 1", which is driven`},
		"releases whoever holds": {"taken over", func(b *bent) {
			var newest store.Hold
			b.drive = func(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
				hold, err := b.Index.Drive(ctx, run, takeOver)
				if err == nil {
					newest = hold
				}
				return bentHold{hold, func(ctx context.Context) error { return newest.Release(ctx) }}, err
			}
		}, `Drive of run "run 1", which is driven`},
		"takes nothing over": {"taken over", func(b *bent) {
			b.drive = func(ctx context.Context, run string, _ bool) (store.Hold, error) {
				return b.Index.Drive(ctx, run, false)
			}
		}, "takeOver: true"},
		"looks, then takes": {"one drives", func(b *bent) {
			b.drive = func(ctx context.Context, run string, _ bool) (store.Hold, error) {
				return b.Index.Drive(ctx, run, true)
			}
		}, "the calls that succeed, of several at once"},
		"a lease of 5 ms": {"kept", func(b *bent) {
			var last store.Hold
			var since time.Time
			b.drive = func(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
				if last != nil && time.Since(since) > 5*time.Millisecond {
					_ = last.Release(ctx)
				}
				hold, err := b.Index.Drive(ctx, run, takeOver)
				if err == nil {
					last, since = hold, time.Now()
				}
				return hold, err
			}
		}, `Drive of run "run 1", which is driven`},
		"deletes nothing": {"deleted", func(b *bent) { b.delete = func(context.Context, string) error { return nil } },
			"should have 0 item(s), but has 3"},
		"deletes every run": {"deleted", func(b *bent) {
			b.delete = func(ctx context.Context, _ string) error {
				return errors.Join(b.Index.Delete(ctx, run), b.Index.Delete(ctx, "run 2"))
			}
		}, `Runs yields [], not ["run 2"]`},
		"keeps a deleted run": {"deleted", func(b *bent) {
			b.delete = func(ctx context.Context, run string) error {
				err := b.Index.Delete(ctx, run)
				_, driven := b.Index.Drive(ctx, run, false)
				return errors.Join(err, driven)
			}
		}, "somebody else drives"},
		"reads the next run": {"deleted while read", rereads(errOdd), "what Read yields of a run that was deleted meanwhile"},
		"what is deleted is damaged": {"deleted while read", rereads(&store.DamageError{Run: run, Seq: 2}),
			"Read of a run that was deleted meanwhile"},
		"stops where it is deleted": {"deleted while read", func(b *bent) {
			b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
				return func(yield func(store.Entry, error) bool) {
					for e, err := range b.Index.Read(ctx, run, from) {
						if !yield(e, err) || b.last(ctx, run) == 0 {
							return
						}
					}
				}
			}
		}, "yields 1 records, a part of an Append"},
		"revives what is deleted": {"deleted while appending", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				err := b.Index.Append(ctx, run, after, records...)
				if after == 1 && b.last(ctx, run) == 0 {
					return b.Index.Append(ctx, run, 0, records...)
				}
				return err
			}
		}, "should have 0 item(s)"},
		"gone, and no conflict": {"deleted while appending", func(b *bent) {
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				if err := b.Index.Append(ctx, run, after, records...); err == nil || after != 1 {
					return err
				}
				return errOdd
			}
		}, "Append while the run is deleted"},
		"leaves a goroutine": {"goroutines", func(b *bent) {
			b.runs = func(ctx context.Context) iter.Seq2[string, error] {
				stop := t.Context().Done()
				go func() { <-stop }()
				return b.Index.Runs(ctx)
			}
		}, "the goroutines after 140 calls"},
		"no mark": {"marks", func(b *bent) {
			b.marked = func(context.Context, string) (store.Mark, error) { return store.Mark{}, errOdd }
		}, "odd"},
		"seconds": {"marks", func(b *bent) {
			b.mark = func(ctx context.Context, run string, after int64, m store.Mark, records ...[]byte) error {
				m.Due = m.Due.Truncate(time.Second)
				return b.Index.AppendMarked(ctx, run, after, m, records...)
			}
		}, "Due:2026-11-20 12:00:00 +0000 UTC"},
		"keeps the bytes of a mark": {"marks", func(b *bent) {
			var kept []byte
			b.mark = func(ctx context.Context, run string, after int64, m store.Mark, records ...[]byte) error {
				kept = m.Data
				return b.Index.AppendMarked(ctx, run, after, m, records...)
			}
			b.marked = func(ctx context.Context, run string) (store.Mark, error) {
				m, err := b.Index.Marked(ctx, run)
				m.Data = kept
				return m, err
			}
		}, `\x00\x00\x00`},
		"reads nothing behind a mark": {"marks", func(b *bent) {
			b.read = func(ctx context.Context, run string, from int64) iter.Seq2[store.Entry, error] {
				if m, err := b.Index.Marked(ctx, run); err == nil && m.Seq > 0 && from > m.Seq {
					from = 1 << 40
				}
				return b.Index.Read(ctx, run, from)
			}
		}, `Read of run "run 1" from 7`},
		"marks in spite of the conflict": {"late marks", func(b *bent) {
			b.mark = func(ctx context.Context, run string, after int64, m store.Mark, records ...[]byte) error {
				err := b.Index.AppendMarked(ctx, run, after, m, records...)
				if conflict, ok := errors.AsType[*store.ConflictError](err); ok {
					_ = b.Index.AppendMarked(ctx, run, conflict.Last, m)
				}
				return err
			}
		}, `Stage:"ended"`},
		"does not compare for a mark alone": {"late marks", func(b *bent) {
			b.mark = func(ctx context.Context, run string, after int64, m store.Mark, records ...[]byte) error {
				if len(records) == 0 {
					return nil
				}
				return b.Index.AppendMarked(ctx, run, after, m, records...)
			}
		}, `an Append after record -1 of run "run 1", which has 2`},
		"behind includes": {"queries", func(b *bent) {
			b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
				q.After = ""
				return b.Index.Marks(ctx, q)
			}
		}, "a 300"},
		"never after the clock": {"queries", func(b *bent) {
			b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
				return func(yield func(store.Mark, error) bool) {
					for m, err := range b.Index.Marks(ctx, q) {
						if (q.Due.IsZero() || !m.Due.After(q.Due)) && !yield(m, err) {
							return
						}
					}
				}
			}
		}, "13:00:00.123457"},
		"locked while listed": {"marked while listed", func(b *bent) {
			var mu sync.Mutex
			b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
				return func(yield func(store.Mark, error) bool) {
					mu.Lock()
					defer mu.Unlock()
					b.Index.Marks(ctx, q)(yield)
				}
			}
			b.mark = func(ctx context.Context, run string, after int64, m store.Mark, records ...[]byte) error {
				if !mu.TryLock() {
					return errOdd
				}
				defer mu.Unlock()
				return b.Index.AppendMarked(ctx, run, after, m, records...)
			}
		}, "odd"},
		"finds again what was changed": {"marked while listed", func(b *bent) {
			b.marks = func(ctx context.Context, q store.Query) iter.Seq2[store.Mark, error] {
				return func(yield func(store.Mark, error) bool) {
					for m, err := range b.Index.Marks(ctx, q) {
						for range 2 {
							if !yield(m, err) {
								return
							}
						}
					}
				}
			}
		}, "twice"},
		"marks, then appends": {"one marks", func(b *bent) {
			b.mark = func(ctx context.Context, run string, after int64, m store.Mark, records ...[]byte) error {
				m.Stage = "racer of another race"
				return b.Index.AppendMarked(ctx, run, after, m, records...)
			}
		}, "racer of another race"},
	} {
		t.Run(name, func(t *testing.T) { assert.Contains(t, failures(t, c.check, backend(c.bend)), c.want) })
	}
}
