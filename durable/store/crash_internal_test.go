package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const crashRun = "Run 1"

// bulk is data of some sectors, without a zero.
func bulk(name string, sectors int) []byte {
	return bytes.Repeat([]byte(name), sectors*sectorSize/len(name))
}

// script is what is appended, one batch after another.
type script [][][]byte

// batches are what the tests append, one after another: small ones, one of several
// records, some that span sectors.
var batches = script{
	{[]byte(`{"kind":"round"}`)},
	{[]byte(`{"kind":"call"}`), bulk("call", 3), []byte(`{"kind":"intent"}`)},
	{bulk("result", 2)},
	{[]byte("a"), nil, bulk("step", 5), bulk("step", 1)},
}

// others returns a script that begins with the first n batches, and goes on otherwise.
func others(n int) script {
	more := script{{bulk("other", 1)}, {[]byte("b"), bulk("other", 3)}, {[]byte("other")}, {bulk("other", 4), []byte("c")}}
	return append(slices.Clone(batches[:n]), more[n:]...)
}

// flat is what the first n batches have.
func (s script) flat(n int) [][]byte { return slices.Concat(s[:n]...) }

// starter opens a disk as a process does that has just been started.
type starter func(d *simDisk, run string) *FileStore

// eachWay tests processes that append to the run beside who drives it, and such that drive it, so that its
// file stays open.
func eachWay(t *testing.T, test func(t *testing.T, start starter)) {
	t.Helper()
	beside := func(d *simDisk, _ string) *FileStore { return newFileStore(d) }
	t.Run("beside", func(t *testing.T) { test(t, beside) })
	t.Run("driven", func(t *testing.T) {
		test(t, func(d *simDisk, run string) *FileStore {
			s := beside(d, run)
			s.driving(run, nothing{})
			return s
		})
	})
}

// nothing is a hold that keeps nobody out.
type nothing struct{}

func (nothing) Took() bool { return false }

func (nothing) Release(context.Context) error { return nil }

// play appends batches from the first one on that the run does not have, and returns
// how many it has as far as it was told.
func (s script) play(t *testing.T, store *FileStore, from int) (int, error) {
	t.Helper()
	for i := from; i < len(s); i++ {
		if err := store.Append(t.Context(), crashRun, int64(len(s.flat(i))), s[i]...); err != nil {
			return i, err
		}
	}
	return len(s), nil
}

// whole asserts that the run has the first n batches, or one more, and returns how many.
func (s script) whole(t *testing.T, d *simDisk, n int, what string) int {
	t.Helper()
	var got [][]byte
	for e, err := range newFileStore(d).Read(t.Context(), crashRun, 1) {
		require.NoError(t, err, what)
		got = append(got, e.Data)
		require.Equal(t, int64(len(got)), e.Seq, what)
	}
	if n < len(s) && equal(got, s.flat(n+1)) {
		return n + 1
	}
	require.True(t, equal(got, s.flat(n)), "%s: %d records, and %d were acknowledged", what, len(got), len(s.flat(n)))
	return n
}

func equal(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }

// off makes all changes fail from the nth on. The nth itself, when it is a write, writes
// something.
func off(n int) func(*op) error {
	return func(o *op) error {
		if o.n < n {
			return nil
		}
		if o.n == n {
			o.short = 1 << 20
		}
		return errCrash
	}
}

// changes is how many there are when nothing goes wrong.
func changes(t *testing.T) int {
	t.Helper()
	d := newSim()
	_, err := batches.play(t, newFileStore(d), 0)
	require.NoError(t, err)
	return d.ops
}

// The power is cut at every change, with each of several outcomes, and once more while
// the journal is taken up again. What was acknowledged is there, and of an Append that
// was under way all or nothing.
func TestPowerCutAtEveryChange(t *testing.T) {
	eachWay(t, func(t *testing.T, start starter) {
		const outcomes = 12
		total := changes(t)
		require.Greater(t, total, 10)
		seen := map[string]int{}
		for n := 1; n <= total; n++ {
			for seed := range uint64(outcomes) {
				d := newSim()
				d.fault = off(n)
				acked, err := batches.play(t, start(d, crashRun), 0)
				require.ErrorIs(t, err, errCrash)
				what := fmt.Sprintf("cut at change %d, outcome %d", n, seed)
				left := d.after(seed)
				has := batches.whole(t, left, acked, what)
				next := others(has)
				seen[fmt.Sprintf("%+d", has-acked)]++

				for again := 1; ; again++ { // at each change of who takes it up
					d := left.after(1)
					d.fault = off(again)
					s := start(d, crashRun)
					acked, err := next.play(t, s, has)
					if err == nil {
						break
					}
					require.ErrorIs(t, err, errCrash, what)
					what := fmt.Sprintf("%s; then at change %d", what, again)
					d = d.after(seed)
					has := next.whole(t, d, acked, what)
					_, err = next.play(t, start(d, crashRun), has)
					require.NoError(t, err, what)
					next.whole(t, d.after(0), len(next), what)
				}
			}
		}
		for _, kind := range []string{"+0", "+1"} {
			assert.Positive(t, seen[kind], kind)
		}
	})
}

// The process is killed at every change, so that the cache stays; another one goes on,
// and then the power fails.
func TestKilledAtEveryChange(t *testing.T) {
	eachWay(t, func(t *testing.T, start starter) {
		for n := 1; n <= changes(t); n++ {
			for _, short := range []int{0, 1, lineSize - 1, lineSize, 700, 1 << 20} {
				d := newSim()
				d.fault = func(o *op) error { err := off(n)(o); o.short = short; return err }
				acked, err := batches.play(t, start(d, crashRun), 0)
				require.ErrorIs(t, err, errCrash)
				d.fault = nil
				what := fmt.Sprintf("killed at change %d after %d bytes", n, short)
				has := batches.whole(t, d, acked, what)
				store, next := start(d, crashRun), others(has)
				for i := has; i < len(next); i++ {
					require.NoError(t, store.Append(t.Context(), crashRun, int64(len(next.flat(i))), next[i]...), what)
					next.whole(t, d.after(0), i+1, what)
				}
			}
		}
	})
}

// After a failed fsync the system takes for written what is not. The batch is taken back;
// where that cannot be done either, whoever goes on writes it once more.
func TestFailedSync(t *testing.T) {
	eachWay(t, func(t *testing.T, start starter) {
		errDisk := errors.New("input/output error")
		for n := 1; n <= changes(t); n++ {
			for _, dies := range []bool{false, true} {
				d := newSim()
				failed := false
				d.fault = func(o *op) error {
					switch {
					case o.n == n && o.kind == "sync":
						failed = true
						return errDisk
					case failed && dies:
						return errCrash
					}
					return nil
				}
				s := start(d, crashRun)
				acked, err := batches.play(t, s, 0)
				if !failed {
					continue
				}
				d.fault = nil
				what := fmt.Sprintf("failed at change %d, dies: %t", n, dies)
				require.ErrorIs(t, err, errDisk, what)
				has := batches.whole(t, d, acked, what)
				if !errors.Is(err, ErrUncertain) {
					require.Equal(t, acked, has, what)
				}
				if dies {
					s = start(d, crashRun) // another process
				}
				next := others(has)
				for i := has; i < len(next); i++ {
					require.NoError(t, s.Append(t.Context(), crashRun, int64(len(next.flat(i))), next[i]...), what)
					next.whole(t, d.after(0), i+1, what)
				}
			}
		}
	})
}
