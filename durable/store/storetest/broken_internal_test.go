package storetest

import (
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

func TestStraightStore(t *testing.T) {
	assert.Empty(t, inspect(t, backend(func(*bent) {}), patience))
}

func TestBrokenStores(t *testing.T) {
	var buffer [64]byte
	errOdd := errors.New("odd")
	for name, c := range map[string]struct {
		check string
		bend  func(*bent)
		want  string
	}{
		"an unknown run is an error": {"empty", reads(func(ctx context.Context, b *bent, run string, from int64) iter.Seq2[store.Entry, error] {
			if b.last(ctx, run) == 0 {
				return func(yield func(store.Entry, error) bool) { yield(store.Entry{}, errOdd) }
			}
			return b.sound.Read(ctx, run, from)
		}), `Read of run "run 1" fails: odd`},
		"a run without records": {"empty", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			if len(records) == 0 {
				records = [][]byte{nil}
			}
			return b.sound.Append(ctx, run, after, records...)
		}), `Runs yields ["run 1"], and the runs with records are []`},
		"no iterator": {"empty", func(b *bent) { b.runs = func(context.Context) iter.Seq2[string, error] { return nil } }, "Runs returns nil"},
		"a panic":     {"empty", func(b *bent) { b.runs = nil }, "the code under test panicked: runtime error"},
		"appends one of many": {"order", onAppend(func(run string, _ int64, records [][]byte) (string, [][]byte) {
			return run, records[:min(1, len(records))]
		}),
			"yields 2 records, not 4"},
		"counts from 0": {"order", onRead(func(_ *bent, _ string, e store.Entry) store.Entry { e.Seq--; return e }), "yields record 0 where 1 comes next"},
		"goes on after an error": {"order", reads(func(ctx context.Context, b *bent, run string, from int64) iter.Seq2[store.Entry, error] {
			return func(yield func(store.Entry, error) bool) {
				if b.last(ctx, run) > 0 && !yield(store.Entry{}, errOdd) {
					return
				}
				for e, err := range b.sound.Read(ctx, run, from) {
					if !yield(e, err) {
						return
					}
				}
			}
		}), "goes on behind an error"},
		"an entry with an error": {"order", reads(func(ctx context.Context, b *bent, run string, from int64) iter.Seq2[store.Entry, error] {
			if b.last(ctx, run) == 0 {
				return b.sound.Read(ctx, run, from)
			}
			return func(yield func(store.Entry, error) bool) { yield(store.Entry{Seq: 1}, errOdd) }
		}), "yields an Entry with an error"},
		"keeps texts": {"bytes", onAppend(func(run string, _ int64, records [][]byte) (string, [][]byte) {
			records = slices.Clone(records)
			for i := range records {
				records[i] = []byte(strings.ToValidUTF8(string(records[i]), "?"))
			}
			return run, records
		}), `is "?", and "\xff\xfe" was appended`},
		"cuts what is long": {"large", onAppend(func(run string, _ int64, records [][]byte) (string, [][]byte) {
			records = slices.Clone(records)
			for i := range records {
				records[i] = records[i][:min(len(records[i]), 64<<10)]
			}
			return run, records
		}), `(65536 bytes), and "0123456789abcdef0123456789abcdef01234567"… (4194304 bytes) was appended`},
		"takes a hundred": {"large", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			if len(records) > 100 {
				return errOdd
			}
			return b.sound.Append(ctx, run, after, records...)
		}), `Append of 500 records to run "many" after record 0 fails: odd`},
		"one buffer for all": {"order", onRead(func(_ *bent, _ string, e store.Entry) store.Entry {
			e.Data = buffer[:copy(buffer[:], e.Data)]
			return e
		}), `record 1 of run "run 1" is "{\"n\":4}", and "{\"n\":1}" was appended`},
		"clears what it was given": {"own bytes", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			err := b.sound.Append(ctx, run, after, records...)
			for _, data := range records {
				clear(data)
			}
			return err
		}), "Append changed the records of its caller"},
		"begins one too late": {"from", reads(func(ctx context.Context, b *bent, run string, from int64) iter.Seq2[store.Entry, error] {
			if from > 1 {
				from++
			}
			return b.sound.Read(ctx, run, from)
		}), "yields record 3 where 2 comes next"},
		"reads once": {"break off", reads(func(ctx context.Context, b *bent, run string, from int64) iter.Seq2[store.Entry, error] {
			used := false
			return func(yield func(store.Entry, error) bool) {
				if !used {
					used = true
					b.sound.Read(ctx, run, from)(yield)
				}
			}
		}), "was used a second time and yields 0 records, not 3"},
		"takes what is too late": {"conflict", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			if last := b.last(ctx, run); after < last && after >= 0 {
				after = last
			}
			return b.sound.Append(ctx, run, after, records...)
		}), `Append after record 0 of run "run 1", which has 3, succeeds`},
		"another conflict": {"conflict", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			if err := b.sound.Append(ctx, run, after, records...); err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrRun) {
				return store.ErrConflict
			}
			return nil
		}), "fails without a *store.ConflictError: "},
		"a conflict without numbers": {"conflict", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			err := b.sound.Append(ctx, run, after, records...)
			if _, ok := errors.AsType[*store.ConflictError](err); ok {
				return &store.ConflictError{Run: run}
			}
			return err
		}), "fails with {Run:run 1 After:0 Last:0}"},
		"appends in spite of the conflict": {"conflict", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			err := b.sound.Append(ctx, run, after, records...)
			if last := b.last(ctx, run); errors.Is(err, store.ErrConflict) && after < last {
				_ = b.sound.Append(ctx, run, last, records...)
			}
			return err
		}), "fails with {Run:run 1 After:0 Last:5}"},
		"a folder for everybody": {"run ids", as(strings.ToLower), `to run "a" after record 0 fails`},
		"sorts by letters": {"run ids", func(b *bent) {
			b.runs = func(ctx context.Context) iter.Seq2[string, error] {
				return func(yield func(string, error) bool) {
					var ids []string
					for id, err := range b.sound.Runs(ctx) {
						if err != nil {
							yield("", err)
							return
						}
						ids = append(ids, id)
					}
					slices.SortFunc(ids, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
					for _, id := range ids {
						if !yield(id, nil) {
							return
						}
					}
				}
			}
		}, "which is not the order of their bytes"},
		"any id": {"bad run ids", anyID, `Append to run "" returns <nil> and not store.ErrRun`},
		"does not heed the context": {"context", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			return b.sound.Append(context.WithoutCancel(ctx), run, after, records...)
		}), "something was appended under a context that was done"},
		"reads in spite of the context": {"context", reads(func(ctx context.Context, b *bent, run string, from int64) iter.Seq2[store.Entry, error] {
			return b.sound.Read(context.WithoutCancel(ctx), run, from)
		}), "Read under a context that is done ends with <nil>"},
		"lists in spite of the context": {"context", func(b *bent) {
			b.runs = func(ctx context.Context) iter.Seq2[string, error] { return b.sound.Runs(context.WithoutCancel(ctx)) }
		}, "Runs under a context that is done ends with <nil>"},
		"compares, then appends": {"one wins", func(b *bent) {
			var mu sync.Mutex
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				last := b.last(ctx, run)
				if err := b.sound.Append(ctx, run, after); err != nil {
					return err
				}
				pause := time.NewTimer(time.Millisecond) // until the others have compared as well
				defer pause.Stop()
				<-pause.C
				mu.Lock()
				defer mu.Unlock()
				if now := b.last(ctx, run); now > last {
					last = now
				}
				return b.sound.Append(ctx, run, last, records...)
			}
		}, "Appends after record 0 succeed, and one should"},
		"busy": {"one wins", func(b *bent) {
			var mu sync.Mutex
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				if !mu.TryLock() {
					return errOdd
				}
				defer mu.Unlock()
				pause := time.NewTimer(time.Millisecond)
				defer pause.Stop()
				<-pause.C
				return b.sound.Append(ctx, run, after, records...)
			}
		}, "one fails without a conflict: odd"},
		"one record after another": {"while writing", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			if len(records) == 0 || after < 0 {
				return b.sound.Append(ctx, run, after, records...)
			}
			for i, data := range records {
				if err := b.sound.Append(ctx, run, after+int64(i), data); err != nil {
					return err
				}
				pause := time.NewTimer(20 * time.Microsecond)
				<-pause.C
			}
			return nil
		}), "Read ends in the middle of an Append"},
		"fails while others write": {"while writing", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			if run == "run 2" && after > 0 {
				return errOdd
			}
			return b.sound.Append(ctx, run, after, records...)
		}), "Append fails while others read and append to other runs: odd"},
		"anybody drives": {"driven", func(b *bent) {
			b.drive = func(ctx context.Context, run string, _ bool) (store.Hold, error) {
				var own store.Drives
				return own.Drive(ctx, run, false)
			}
		}, `Drive of run "run 1" succeeds while somebody has it`},
		"one drives everything": {"driven", func(b *bent) {
			b.drive = func(ctx context.Context, _ string, takeOver bool) (store.Hold, error) {
				return b.sound.Drive(ctx, "any", takeOver)
			}
		}, `fails with an error that does not name it: store: somebody else drives the run: run "any"`},
		"driven, without saying so": {"driven", drives(func(ctx context.Context, b *bent, run string, takeOver bool) (store.Hold, error) {
			hold, err := b.sound.Drive(ctx, run, takeOver)
			if errors.Is(err, store.ErrDriven) {
				err = errOdd
			}
			return hold, err
		}), "fails without store.ErrDriven: odd"},
		"gives nothing back": {"driven", drives(func(ctx context.Context, b *bent, run string, takeOver bool) (store.Hold, error) {
			hold, err := b.sound.Drive(ctx, run, takeOver)
			if err != nil {
				return nil, err
			}
			return stuck{hold}, nil
		}), `Drive of run "run 2" fails: store: somebody else drives`},
		"by name": {"taken over", func(b *bent) {
			var mu sync.Mutex
			holds := map[string]store.Hold{}
			b.drive = func(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
				hold, err := b.sound.Drive(ctx, run, takeOver)
				if err != nil {
					return nil, err
				}
				mu.Lock()
				defer mu.Unlock()
				holds[run] = hold
				return byName{hold, func(ctx context.Context) error {
					mu.Lock()
					defer mu.Unlock()
					return holds[run].Release(ctx)
				}}, nil
			}
		}, `Drive of run "run 1" succeeds while somebody has it`},
		"takes nothing over": {"taken over", func(b *bent) {
			b.drive = func(ctx context.Context, run string, _ bool) (store.Hold, error) {
				return b.sound.Drive(ctx, run, false)
			}
		}, "which takes over, fails"},
		"takes over in silence": {"taken over", drives(func(ctx context.Context, b *bent, run string, takeOver bool) (store.Hold, error) {
			hold, err := b.sound.Drive(ctx, run, takeOver)
			if err != nil {
				return nil, err
			}
			return silent{hold}, nil
		}), "returns a Hold whose Took is false"},
		"looks, then takes": {"one drives", drives(func(ctx context.Context, b *bent, run string, takeOver bool) (store.Hold, error) {
			hold, err := b.sound.Drive(ctx, run, takeOver)
			if errors.Is(err, store.ErrDriven) && strings.HasSuffix(run, "1") {
				return b.sound.Drive(ctx, run, true)
			}
			return hold, err
		}), "Drives at once succeed, and one should"},
		"a lease of 5 ms": {"kept", func(b *bent) {
			var mu sync.Mutex
			var last store.Hold
			var began time.Time
			b.drive = func(ctx context.Context, run string, takeOver bool) (store.Hold, error) {
				mu.Lock()
				defer mu.Unlock()
				if last != nil && time.Since(began) >= 5*time.Millisecond {
					_ = last.Release(ctx)
				}
				hold, err := b.sound.Drive(ctx, run, takeOver)
				if err == nil {
					last, began = hold, time.Now()
				}
				return hold, err
			}
		}, `Drive of run "run 1" succeeds while somebody has it`},
		"drives what is no run": {"bad drives", drives(func(ctx context.Context, b *bent, run string, takeOver bool) (store.Hold, error) {
			if store.CheckRun(run) != nil {
				run = "any"
			}
			return b.sound.Drive(context.WithoutCancel(ctx), run, takeOver)
		}), `Drive of run "" returns <nil> and not store.ErrRun`},
		"deletes nothing": {"deleted", deletes(func(context.Context, *bent, string) error { return nil }), `Read of run "run 1" from 1 yields 3 records, not 0`},
		"deletes its last record only": {"deleted", deletes(func(ctx context.Context, b *bent, run string) error {
			var left [][]byte
			for e, err := range b.sound.Read(ctx, run, 1) {
				if err == nil && e.Seq < b.last(ctx, run) {
					left = append(left, e.Data)
				}
			}
			return errors.Join(b.sound.Delete(ctx, run), b.sound.Append(ctx, run, 0, left...))
		}), `Read of run "run 1" from 1 yields 2 records, not 0`},
		"deletes every run": {"deleted", deletes(func(ctx context.Context, b *bent, _ string) error {
			var errs []error
			for run, err := range b.sound.Runs(ctx) {
				errs = append(errs, err, b.sound.Delete(ctx, run))
			}
			return errors.Join(errs...)
		}), `Runs yields [], and the runs with records are ["run 2"]`},
		"deletes once": {"deleted", deletes(func(ctx context.Context, b *bent, run string) error {
			if b.last(ctx, run) == 0 {
				return errOdd
			}
			return b.sound.Delete(ctx, run)
		}), `Delete of run "run 1" fails: odd`},
		"an id for ever": {"deleted", func(b *bent) {
			var mu sync.Mutex
			deleted := map[string]bool{}
			b.delete = func(ctx context.Context, run string) error {
				mu.Lock()
				defer mu.Unlock()
				deleted[run] = deleted[run] || b.last(ctx, run) > 0
				return b.sound.Delete(ctx, run)
			}
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				mu.Lock()
				defer mu.Unlock()
				if deleted[run] && after == 0 {
					return store.ErrConflict
				}
				return b.sound.Append(ctx, run, after, records...)
			}
		}, `Append of 1 records to run "run 1" after record 0 fails`},
		"keeps a deleted run": {"deleted", deletes(func(ctx context.Context, b *bent, run string) error {
			err := b.sound.Delete(ctx, run)
			_, driven := b.sound.Drive(ctx, run, false)
			return errors.Join(err, driven)
		}), `fails: store: somebody else drives`},
		"deletes what is driven": {"not deleted", func(b *bent) {
			var own store.Drives
			b.drive = own.Drive
		}, `Delete of run "run 1" succeeds while somebody drives it`},
		"driven, without a reason": {"not deleted", deletes(func(ctx context.Context, b *bent, run string) error {
			err := b.sound.Delete(ctx, run)
			if errors.Is(err, store.ErrDriven) {
				err = errOdd
			}
			return err
		}), `Delete of run "run 1", which somebody drives, fails without store.ErrDriven: odd`},
		"deletes, then asks": {"not deleted", func(b *bent) {
			var own store.Drives
			b.drive = own.Drive
			b.delete = func(ctx context.Context, run string) error {
				err := b.sound.Delete(ctx, run)
				hold, driven := own.Drive(ctx, run, false)
				if driven != nil {
					return driven
				}
				return errors.Join(err, hold.Release(ctx))
			}
		}, `Read of run "run 1" from 1 yields 0 records, not 2`},
		"reads the next run":         {"deleted while read", rereads(nil), `Read of run "run 1" yields record 2, "newer", after it was deleted`},
		"what is deleted is damaged": {"deleted while read", rereads(&store.DamageError{Run: run, Seq: 2, Reason: "it is missing"}), "Read of a run that is deleted meanwhile says that it is damaged"},
		"stops where it is deleted": {"deleted while read", reads(func(ctx context.Context, b *bent, run string, from int64) iter.Seq2[store.Entry, error] {
			return func(yield func(store.Entry, error) bool) {
				for e, err := range b.sound.Read(ctx, run, from) {
					if !yield(e, err) || b.last(ctx, run) == 0 {
						return
					}
				}
			}
		}), "ends in the middle of an Append: it yields 1 records"},
		"revives what is deleted": {"deleted while written", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			err := b.sound.Append(ctx, run, after, records...)
			if after == 1 && b.last(ctx, run) == 0 {
				return b.sound.Append(ctx, run, 0, records...)
			}
			return err
		}), "records, not 0"},
		"gone, and no conflict": {"deleted while written", appends(func(ctx context.Context, b *bent, run string, after int64, records [][]byte) error {
			if err := b.sound.Append(ctx, run, after, records...); err == nil || after != 1 {
				return err
			}
			return errOdd
		}), "fails without a *store.ConflictError: odd"},
		"too busy to delete": {"deleted while written", func(b *bent) {
			var busy sync.Mutex
			b.append = func(ctx context.Context, run string, after int64, records ...[]byte) error {
				busy.Lock()
				defer busy.Unlock()
				pause := time.NewTimer(time.Millisecond)
				defer pause.Stop()
				<-pause.C
				return b.sound.Append(ctx, run, after, records...)
			}
			b.delete = func(ctx context.Context, run string) error {
				if !busy.TryLock() {
					return errOdd
				}
				defer busy.Unlock()
				return b.sound.Delete(ctx, run)
			}
		}, "Delete while others append fails: odd"},
		"deletes what is no run": {"bad deletes", deletes(func(ctx context.Context, b *bent, run string) error {
			if store.CheckRun(run) != nil {
				run = "any"
			}
			return b.sound.Delete(ctx, run)
		}), `Delete of run "" returns <nil> and not store.ErrRun`},
		"deletes in spite of the context": {"bad deletes", deletes(func(ctx context.Context, b *bent, run string) error {
			return b.sound.Delete(context.WithoutCancel(ctx), run)
		}), "something was deleted under a context that was done"},
		"leaves a goroutine": {"goroutines", func(b *bent) {
			b.runs = func(ctx context.Context) iter.Seq2[string, error] {
				stop := t.Context().Done()
				go func() { <-stop }()
				return b.sound.Runs(ctx)
			}
		}, "goroutines after 180 calls, and were"},
	} {
		t.Run(name, func(t *testing.T) {
			found := inspectFor(t, c.check, backend(c.bend), patience)
			require.Contains(t, found, c.check, "found: %q", found)
			assert.Contains(t, fmt.Sprint(found[c.check]), c.want)
		})
	}
}

// rereads makes a store whose Read takes what has the id by now for the run, or ends with an error.
func rereads(end error) func(*bent) {
	return reads(func(ctx context.Context, b *bent, run string, from int64) iter.Seq2[store.Entry, error] {
		return func(yield func(store.Entry, error) bool) {
			was := b.last(ctx, run)
			for from := max(from, 1); from <= was; from++ {
				now := b.last(ctx, run)
				if now < was && end != nil {
					yield(store.Entry{}, end)
					return
				}
				for e, err := range b.sound.Read(ctx, run, from) {
					if !yield(e, err) || err != nil {
						return
					}
					break
				}
			}
		}
	})
}

// stuck is a hold that is never given back.
type stuck struct{ store.Hold }

func (stuck) Release(context.Context) error { return nil }

// byName is a hold that gives the run back, whoever has it by now.
type byName struct {
	store.Hold
	release func(context.Context) error
}

func (h byName) Release(ctx context.Context) error { return h.release(ctx) }

// silent is a hold that does not say that it was taken.
type silent struct{ store.Hold }

func (silent) Took() bool { return false }
