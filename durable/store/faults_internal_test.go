package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What cannot be written is taken back, such as a part of it on a full disk. Where that fails as well, it may be
// there or not, and is said to be so.
func TestWritesThatFail(t *testing.T) { eachWay(t, writesThatFail) }

func writesThatFail(t *testing.T, start starter) {
	for name, c := range map[string]struct {
		short int // bytes that are written
		stays bool
		want  string // what can be read
	}{
		"nothing of it":                  {0, false, "one"},
		"a byte of it":                   {1, false, "one"},
		"a part of it":                   {90, false, "one"},
		"nothing, and it stays":          {0, true, "one"},
		"a part, and it stays":           {60, true, "one"},
		"all of it, although it says no": {1000, true, "one two"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newSim()
			s := start(d, "r")
			require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
			before := string(d.files[fileName("r")].cache)
			d.fault = func(o *op) error {
				if o.short = c.short; c.stays || o.kind == "write" {
					return syscall.ENOSPC
				}
				return nil
			}
			err := s.Append(t.Context(), "r", 1, []byte("two"))
			require.ErrorIs(t, err, syscall.ENOSPC)
			assert.Equal(t, c.stays, errors.Is(err, ErrUncertain))
			if !c.stays {
				assert.ErrorContains(t, err, `store: run "r": nothing was appended to `)
				assert.Equal(t, before, string(d.files[fileName("r")].cache))
				assert.Equal(t, before, string(d.after(0).files[fileName("r")].cache))
			}
			d.fault = nil
			assert.Equal(t, c.want, content(t, d))
			if again := s.Append(t.Context(), "r", 1, []byte("two")); c.want == "one" {
				require.NoError(t, again)
			} else {
				require.ErrorIs(t, again, ErrConflict, "it was there")
			}
			assert.Equal(t, "one two", content(t, d))
		})
	}
}

// Each change that fails makes the Append fail, and the next one works.
func TestEveryChangeFails(t *testing.T) { eachWay(t, everyChangeFails) }

func everyChangeFails(t *testing.T, start starter) {
	errDisk := errors.New("no")
	kinds := map[string]bool{}
	for n := 1; n <= 7; n++ {
		d := newSim()
		d.files[fileName("r")] = &simFile{d: d}
		half := d.files[fileName("r")]
		half.grow(20) // of a file that was being created
		d.fault = func(o *op) error {
			if o.n == n {
				kinds[o.kind] = true
				return errDisk
			}
			return nil
		}
		s := start(d, "r")
		err := s.Append(t.Context(), "r", 0, []byte("one"))
		if n == 7 {
			require.NoError(t, err)
			assert.Equal(t, 6, d.ops)
			break
		}
		require.ErrorIs(t, err, errDisk, "change %d", n)
		require.NotErrorIs(t, err, ErrUncertain)
		require.ErrorContains(t, err, "nothing was appended to")
		require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
		assert.Equal(t, "one", content(t, d.after(0)))
	}
	assert.Equal(t, map[string]bool{"truncate": true, "write": true, "sync": true, "folder": true}, kinds)

	d := newSim()
	d.fault = func(*op) error { return errDisk }
	require.ErrorIs(t, start(d, "r").Append(t.Context(), "r", 0, []byte("one")), errDisk, "the file cannot be created")
}

func TestUnreadable(t *testing.T) {
	d := newSim()
	require.NoError(t, newFileStore(d).Append(t.Context(), "r", 0, []byte("one"), bulk("two", 400)))
	errDisk := errors.New("no")
	for _, from := range []int64{0, windowSize} {
		d.read = func(at int64) error {
			if at >= from {
				return errDisk
			}
			return nil
		}
		for _, err := range newFileStore(d).Read(t.Context(), "r", 1) {
			require.ErrorIs(t, err, errDisk)
			assert.NotErrorIs(t, err, ErrDamaged)
		}
		err := newFileStore(d).Append(t.Context(), "r", 2, []byte("x"))
		require.ErrorIs(t, err, errDisk)
		assert.Contains(t, err.Error(), `store: run "r": `)
	}
}

// Whatever a store believes of a file is looked up before it writes.
func TestFileIsAnotherOne(t *testing.T) { eachWay(t, fileIsAnotherOne) }

func fileIsAnotherOne(t *testing.T, start starter) {
	d := newSim()
	s, other := start(d, "r"), newFileStore(d)
	require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one"), []byte("two")))

	delete(d.files, fileName("r"))
	require.ErrorIs(t, s.Append(t.Context(), "r", 2, []byte("x")), ErrConflict)
	require.NoError(t, other.Append(t.Context(), "r", 0, []byte("uno"), []byte("due")))
	require.NoError(t, other.Append(t.Context(), "r", 2, []byte("tre")))
	require.ErrorIs(t, s.Append(t.Context(), "r", 2, []byte("x")), ErrConflict)
	require.NoError(t, s.Append(t.Context(), "r", 3, []byte("four")))

	delete(d.files, fileName("r")) // and one of the same size
	require.NoError(t, other.Append(t.Context(), "r", 0, []byte("1st"), []byte("2nd"), []byte("3rd"), []byte("last")))
	if s.runs["r"].hold != nil { // this is not the run that it drives
		err := s.Append(t.Context(), "r", 4, []byte("five"))
		require.ErrorIs(t, err, ErrConflict)
		require.EqualError(t, err, `store: run "r": run-r.journal is not the file that it was: store: another one appended to the run`)
	}
	require.NoError(t, s.Append(t.Context(), "r", 4, []byte("five")))
	assert.Equal(t, "1st 2nd 3rd last five", content(t, d))

	// One that somebody copied over it.
	f, copied := d.files[fileName("r")], newSim()
	require.NoError(t, newFileStore(copied).Append(t.Context(), "r", 0, []byte("new"), []byte("newer"), bulk("newest", 3)))
	before := *f
	f.cache = copied.files[fileName("r")].cache
	var conflict *ConflictError
	require.ErrorAs(t, s.Append(t.Context(), "r", 5, []byte("x")), &conflict)
	assert.Equal(t, ConflictError{Run: "r", After: 5, Last: 3}, *conflict)
	*f = before

	d.files[fileName("r")].cache = d.files[fileName("r")].cache[:100] // somebody shortened it
	err := s.Append(t.Context(), "r", 5, []byte("x"))
	require.ErrorIs(t, err, ErrConflict)
	assert.Equal(t, `store: run "r" ends with record 0, not with 5: another one appended to it`, err.Error())
}

// Who drives a run goes on with what it is by now, whatever the same store has appended before.
func TestDrivenAfterItWasAnotherOne(t *testing.T) {
	d := newSim()
	s, other := newFileStore(d), newFileStore(d)
	for _, before := range []func() Hold{
		func() Hold { return nothing{} },                 // as one that answers
		func() Hold { return s.driving("r", nothing{}) }, // as the driver of the old one
	} {
		h := before()
		require.NoError(t, s.Append(t.Context(), "r", 0, []byte("old")))
		require.NoError(t, h.Release(t.Context()))
		delete(d.files, fileName("r"))
		require.NoError(t, other.Append(t.Context(), "r", 0, []byte("new")))
		h = s.driving("r", nothing{})
		require.NoError(t, s.Append(t.Context(), "r", 1, []byte("newer")))
		require.NoError(t, h.Release(t.Context()))
		assert.Equal(t, "new newer", content(t, d))
		delete(d.files, fileName("r"))
	}
}

// Whatever happens to the file of a driver, and whenever: it is told at the next Append, and none after
// that gets anywhere.
func TestFileGoesFromItsDriver(t *testing.T) {
	name := fileName(crashRun)
	ways := map[string]func(d *simDisk){
		"deleted": func(d *simDisk) { delete(d.files, name) },
		"replaced by a new run": func(d *simDisk) {
			delete(d.files, name)
			require.NoError(t, newFileStore(d).Append(t.Context(), crashRun, 0, []byte("new"), []byte("newer")))
		},
		"replaced by one as large": func(d *simDisk) {
			old := len(d.files[name].cache)
			delete(d.files, name)
			size := max(old-len(title(crashRun))-2*(lineSize+1), 0)
			require.NoError(t, newFileStore(d).Append(t.Context(), crashRun, 0, nil, make([]byte, size)))
		},
	}
	lost := func(t *testing.T, s *FileStore, d *simDisk, acked int) {
		t.Helper()
		before := d.ops
		for from := acked; from > 0 && from < len(batches); from++ {
			_, err := batches.play(t, s, from)
			require.ErrorIs(t, err, ErrConflict)
			require.NotErrorIs(t, err, ErrUncertain)
		}
		require.Equal(t, before, d.ops, "nothing is changed")
		require.Zero(t, d.inUse)
	}
	for what, goes := range ways {
		t.Run(what, func(t *testing.T) {
			for n := 2; n <= changes(t); n++ { // within an Append
				d := newSim()
				s := newFileStore(d)
				s.driving(crashRun, nothing{})
				d.fault = func(o *op) error {
					if o.n == n {
						d.fault = nil
						goes(d)
					}
					return nil
				}
				acked, err := batches.play(t, s, 0)
				if acked < len(batches) { // else it was the last one, and there is no next one
					require.ErrorIs(t, err, ErrConflict, "change %d", n)
				}
				lost(t, s, d, acked)
			}
			for n := 1; n < len(batches); n++ { // between two
				d := newSim()
				s := newFileStore(d)
				s.driving(crashRun, nothing{})
				_, err := batches[:n].play(t, s, 0)
				require.NoError(t, err)
				goes(d)
				lost(t, s, d, n)
			}
		})
	}
}

// Who has a run is not forgotten, however many others are.
func TestManyRunsBesideADriver(t *testing.T) {
	d := newSim()
	s := newFileStore(d)
	h := s.driving("driven", nothing{})
	require.NoError(t, s.Append(t.Context(), "driven", 0, []byte("one")))
	for i := range maxTails + 50 {
		require.NoError(t, s.Append(t.Context(), fmt.Sprint(i), 0, []byte("one")))
	}
	assert.Len(t, s.runs, maxTails)
	assert.NotNil(t, s.runs["driven"])
	require.NoError(t, h.Release(t.Context()))
	assert.Len(t, s.runs, maxTails)

	// One that never appended leaves nothing behind, either.
	before := len(s.runs)
	require.NoError(t, s.driving("nothing", nothing{}).Release(t.Context()))
	assert.Len(t, s.runs, before)
}

// What a store remembers has a bound, and is forgotten without harm.
func TestManyRuns(t *testing.T) {
	d := newSim()
	s := newFileStore(d)
	for i := range maxTails + 50 {
		require.NoError(t, s.Append(t.Context(), fmt.Sprint(i), 0, []byte("one")))
	}
	assert.Len(t, s.runs, maxTails)
	for i := range maxTails + 50 {
		require.NoError(t, s.Append(t.Context(), fmt.Sprint(i), 1, []byte("two")))
	}
	for i := range 50 {
		require.Error(t, s.Append(t.Context(), fmt.Sprint("none", i), 1, []byte("x")))
	}
	assert.Len(t, s.runs, maxTails)
}

// A file is read through a window, however large it is.
func TestReadingHoldsAWindow(t *testing.T) {
	d := newSim()
	s := newFileStore(d)
	for i := range int64(20) {
		require.NoError(t, s.Append(t.Context(), "r", 2*i, bulk("data", 100), bulk("more", 300)))
	}
	f := d.files[fileName("r")]
	sc := &scanner{run: "r", from: f, end: int64(len(f.cache))}
	n := 0
	for ; n < 20; n++ {
		b, err := sc.next()
		require.NoError(t, err)
		at := b.start
		for _, h := range b.heads {
			data, err := sc.data(at, h)
			require.NoError(t, err)
			require.Len(t, data, int(h.length))
			at += h.size()
		}
	}
	assert.LessOrEqual(t, cap(sc.window), windowSize)

	// What changes between the two looks at a record is not yielded.
	sc = &scanner{run: "r", from: f, end: int64(len(f.cache))}
	b, err := sc.next()
	require.NoError(t, err)
	f.cache[b.end-100] ^= 1
	sc.forget()
	_, err = sc.data(b.start+b.heads[0].size(), b.heads[1])
	require.ErrorIs(t, err, ErrDamaged)
	f.cache = f.cache[:1000]
	_, err = sc.data(b.start, b.heads[0])
	require.Error(t, err)
}

// Waiting for another process, and for another goroutine, ends with the context. Who reads
// waits for nobody.
func TestWaitingForTheLock(t *testing.T) {
	dir := t.TempDir()
	errEnough := errors.New("enough")
	synctest.Test(t, func(t *testing.T) {
		s, err := Files(dir)
		require.NoError(t, err)
		require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
		held, err := s.disk.lock(t.Context(), fileName("r"), false)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Second, errEnough)
		defer cancel()
		ends := make(chan error, 2)
		for range 2 { // the second one waits for its turn
			go func() { ends <- s.Append(ctx, "r", 1, []byte("two")) }()
		}
		n := 0
		for e, err := range s.Read(ctx, "r", 1) {
			require.NoError(t, err)
			assert.Equal(t, "one", string(e.Data))
			n++
		}
		assert.Equal(t, 1, n)
		for range 2 {
			err := <-ends
			require.ErrorIs(t, err, errEnough)
			assert.True(t, strings.HasPrefix(err.Error(), `store: run "r": `), err)
		}
		time.AfterFunc(time.Second, func() { _ = held.Close() })
		require.NoError(t, s.Append(t.Context(), "r", 1, []byte("two")))
	})
}

// The seqs of a file have ten digits.
func TestNoRoomForMore(t *testing.T) {
	d := newSim()
	s := newFileStore(d)
	require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
	s.runs["r"].last = maxSeq - 1
	require.ErrorIs(t, s.Append(t.Context(), "r", maxSeq-1, nil, nil), ErrTooLarge)
	require.NoError(t, s.Append(t.Context(), "r", maxSeq-1, nil))
	require.ErrorIs(t, s.Append(t.Context(), "r", maxSeq, nil), ErrTooLarge)
}

// content is what can be read of the run r.
func content(t *testing.T, d *simDisk) string {
	t.Helper()
	var texts []string
	for e, err := range newFileStore(d).Read(t.Context(), "r", 1) {
		require.NoError(t, err)
		texts = append(texts, string(e.Data))
	}
	return strings.Join(texts, " ")
}
