package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// watched is a disk whose test is told of each call of a file that is open for writing, before it is made.
type watched struct {
	disk
	call func(name string)
}

type watchedFile struct {
	lockedFile
	call func(name string)
}

func (d watched) lock(ctx context.Context, name string, m lockMode) (lockedFile, stamp, error) {
	d.call("open")
	f, now, err := d.disk.lock(ctx, name, m)
	if err != nil {
		return nil, now, err
	}
	return watchedFile{f, d.call}, now, nil
}

func (f watchedFile) ReadAt(p []byte, at int64) (int, error) {
	f.call("read")
	return f.lockedFile.ReadAt(p, at)
}

func (f watchedFile) WriteAt(p []byte, at int64) (int, error) {
	f.call("write")
	return f.lockedFile.WriteAt(p, at)
}

func (f watchedFile) Truncate(size int64) error {
	f.call("truncate")
	return f.lockedFile.Truncate(size)
}
func (f watchedFile) Sync() error                 { f.call("sync"); return f.lockedFile.Sync() }
func (f watchedFile) syncData() error             { f.call("sync data"); return f.lockedFile.syncData() }
func (f watchedFile) there() (stamp, error)       { f.call("there"); return f.lockedFile.there() }
func (f watchedFile) relock() (stamp, error)      { f.call("lock, there"); return f.lockedFile.relock() }
func (f watchedFile) unlock() error               { f.call("unlock"); return f.lockedFile.unlock() }
func (f watchedFile) Close() error                { f.call("close"); return f.lockedFile.Close() }
func (f watchedFile) size() (size int64, _ error) { f.call("size"); return f.lockedFile.size() }

// watch has a test told of what a store does with files from now on.
func watch(s *FileStore, call func(name string)) { s.disk = watched{s.disk, call} }

// An Append of who drives a run makes these calls and no others. Each is one system call, and "lock,
// there" is two.
func TestAppendsOfADriver(t *testing.T) {
	s := filesOf(t, t.TempDir())
	counts := map[string]int{}
	watch(s, func(name string) { counts[name]++ })
	hold, err := s.Drive(t.Context(), "r", false)
	require.NoError(t, err)
	require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
	appends := func(after int64) map[string]int {
		clear(counts)
		for i := range int64(100) {
			require.NoError(t, s.Append(t.Context(), "r", after+i, []byte("more")))
		}
		return maps.Clone(counts)
	}
	few := map[string]int{"lock, there": 100, "write": 100, "sync data": 100, "there": 100, "unlock": 100}
	if !sharesOpen {
		few = map[string]int{"open": 100, "read": 100, "write": 100, "sync data": 100, "there": 100, "unlock": 100, "close": 100}
	}
	assert.Equal(t, few, appends(1))

	// Another process appends: that is found out.
	other := filesOf(t, string(s.disk.(watched).disk.(folder)))
	require.NoError(t, other.Append(t.Context(), "r", 101, []byte("an answer")))
	var conflict *ConflictError
	require.ErrorAs(t, s.Append(t.Context(), "r", 101, []byte("late")), &conflict)
	assert.EqualValues(t, 102, conflict.Last)
	require.NoError(t, s.Append(t.Context(), "r", 102, []byte("in time")))
	assert.Equal(t, few, appends(103))
	require.NoError(t, hold.Release(t.Context()))
	assert.Equal(t, 100, appends(203)["open"], "it drives the run no more")
}

// Whatever happens to the file of a driver, and whenever: it is told at the Append that is under way, or
// at the next one, and none after that gets anywhere.
func TestFileGoesFromItsDriver(t *testing.T) {
	name := fileName(crashRun)
	ways := map[string]func(d *simDisk){
		"deleted": func(d *simDisk) { delete(d.files, name) },
		"replaced by a new run": func(d *simDisk) {
			delete(d.files, name)
			require.NoError(t, newFileStore(d, nil).Append(t.Context(), crashRun, 0, []byte("new"), []byte("newer")))
		},
		"replaced by one as large": func(d *simDisk) {
			old := len(d.files[name].cache)
			delete(d.files, name)
			size := max(old-len(title(crashRun))-2*(lineSize+1), 0)
			require.NoError(t, newFileStore(d, nil).Append(t.Context(), crashRun, 0, nil, make([]byte, size)))
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
				s := newFileStore(d, nil)
				s.driving(crashRun, nothing{})
				d.fault = func(o *op) error {
					if o.n == n {
						d.fault = nil
						goes(d)
					}
					return nil
				}
				acked, err := batches.play(t, s, 0)
				require.ErrorIs(t, err, ErrConflict, "change %d", n)
				lost(t, s, d, acked)
			}
			for n := 1; n < len(batches); n++ { // between two
				d := newSim()
				s := newFileStore(d, nil)
				s.driving(crashRun, nothing{})
				_, err := batches[:n].play(t, s, 0)
				require.NoError(t, err)
				require.Equal(t, 1, d.inUse)
				goes(d)
				lost(t, s, d, n)
			}
		})
	}
}

// A driver that has its file open waits for who appends beside, as long as its context lets it.
func TestADriverWaits(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := filesOf(t, dir)
		hold, err := s.Drive(t.Context(), "r", false)
		require.NoError(t, err)
		require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		held, _, err := filesOf(t, dir).disk.lock(ctx, fileName("r"), forWriting)
		require.NoError(t, err)
		require.ErrorIs(t, s.Append(ctx, "r", 1, []byte("two")), context.DeadlineExceeded)
		time.AfterFunc(time.Second, func() { _ = held.Close() })
		require.NoError(t, s.Append(t.Context(), "r", 1, []byte("two")))
		require.NoError(t, hold.Release(t.Context()))
	})
}

// The process that drives a run is frozen within an Append, at each of its calls, and another one takes the
// run over. When the first one wakes up its Append fails, and what it writes nobody reads.
func TestTakenOverFromADriverThatHangs(t *testing.T) {
	for _, at := range []string{"write", "sync data", "there", "unlock"} {
		t.Run("before "+at, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				s, other := filesOf(t, dir), filesOf(t, dir)
				mine, err := s.Drive(t.Context(), "r", false)
				require.NoError(t, err)
				require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
				wakesUp, hangs := make(chan struct{}), at
				watch(s, func(call string) {
					if call == hangs {
						hangs = ""
						<-wakesUp
					}
				})
				s.runs["r"].kept = watchedFile{s.runs["r"].kept, s.disk.(watched).call}
				end := make(chan error)
				go func() { end <- s.Append(t.Context(), "r", 1, []byte("late")) }()
				synctest.Wait()

				theirs, err := other.Drive(t.Context(), "r", true)
				require.NoError(t, err)
				last := texts(t, other)
				require.NoError(t, other.Append(t.Context(), "r", int64(len(last)), []byte("two")))
				close(wakesUp)
				want := []string{"one", "two"}
				if err := <-end; at == "unlock" { // it was written before, and nothing is left to do
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, ErrConflict)
				}
				if at != "write" {
					want = []string{"one", "late", "two"}
				}
				require.ErrorIs(t, s.Append(t.Context(), "r", 1, []byte("later")), ErrConflict)
				assert.Equal(t, want, texts(t, filesOf(t, dir)))
				require.NoError(t, mine.Release(t.Context()))
				require.NoError(t, theirs.Release(t.Context()))
			})
		})
	}
}

// The file of a driver is moved because somebody else hangs, who appends beside. The driver, which has it
// open, writes to what has its name by now, or not at all.
func TestMovedFromADriver(t *testing.T) {
	for name, dies := range map[string]bool{"the other one hangs": false, "the other one died": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				s, other := filesOf(t, dir), filesOf(t, dir)
				hold, err := s.Drive(t.Context(), "r", false)
				require.NoError(t, err)
				require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
				h, _, err := filesOf(t, dir).disk.lock(t.Context(), fileName("r"), forWriting)
				require.NoError(t, err)
				theirs, err := other.Drive(t.Context(), "r", true)
				require.NoError(t, err)
				if dies {
					require.NoError(t, h.Close())
				} else {
					defer func() { require.NoError(t, h.Close()) }()
				}
				require.NoError(t, s.Append(t.Context(), "r", 1, []byte("two")), "nobody has appended")
				require.NoError(t, other.Append(t.Context(), "r", 2, []byte("three")))
				require.ErrorIs(t, s.Append(t.Context(), "r", 2, []byte("late")), ErrConflict)
				assert.Equal(t, []string{"one", "two", "three"}, texts(t, filesOf(t, dir)))
				info, err := os.Stat(moved(s.File("r")))
				require.NoError(t, err)
				assert.Zero(t, info.Size())
				require.NoError(t, hold.Release(t.Context()))
				require.NoError(t, theirs.Release(t.Context()))
			})
		})
	}
}

// The file is open as long as the run is driven by this store, and an Append does not fail. Nothing is left open.
func TestKeptFileIsClosed(t *testing.T) {
	for name, do := range map[string]func(t *testing.T, s *FileStore, h Hold){
		"released": func(t *testing.T, _ *FileStore, h Hold) { require.NoError(t, h.Release(t.Context())) },
		"released twice": func(t *testing.T, _ *FileStore, h Hold) {
			require.NoError(t, h.Release(t.Context()))
			require.NoError(t, h.Release(t.Context()))
		},
		"a conflict": func(t *testing.T, s *FileStore, _ Hold) {
			require.ErrorIs(t, s.Append(t.Context(), "r", 0, []byte("x")), ErrConflict)
		},
		"an error": func(t *testing.T, s *FileStore, _ Hold) {
			s.disk.(*simDisk).fault = func(*op) error { return os.ErrPermission }
			require.ErrorIs(t, s.Append(t.Context(), "r", 1, []byte("x")), os.ErrPermission)
		},
		"taken over, and released by both": func(t *testing.T, s *FileStore, h Hold) {
			again := s.driving("r", nothing{})
			require.NoError(t, h.Release(t.Context()), "who lost it closes nothing")
			assert.Equal(t, 1, s.disk.(*simDisk).inUse)
			require.NoError(t, s.Append(t.Context(), "r", 1, []byte("two")))
			require.NoError(t, again.Release(t.Context()))
		},
		"released while it appends": func(t *testing.T, s *FileStore, h Hold) {
			s.disk.(*simDisk).fault = func(o *op) error {
				if o.kind == "sync" {
					require.NoError(t, h.Release(t.Context()))
					assert.Equal(t, 1, s.disk.(*simDisk).inUse, "it is needed")
				}
				return nil
			}
			require.NoError(t, s.Append(t.Context(), "r", 1, []byte("two")))
		},
		"released when it has appended": func(t *testing.T, s *FileStore, h Hold) {
			watch(s, func(call string) {
				if call == "unlock" {
					require.NoError(t, h.Release(t.Context()))
				}
			})
			s.runs["r"].kept = watchedFile{s.runs["r"].kept, s.disk.(watched).call}
			require.NoError(t, s.Append(t.Context(), "r", 1, []byte("two")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newSim()
			s := newFileStore(d, nil)
			h := s.driving("r", nothing{})
			assert.Zero(t, d.inUse)
			require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
			assert.Equal(t, 1, d.inUse)
			do(t, s, h)
			assert.Zero(t, d.inUse)
			if s.runs["r"].hold == nil {
				assert.Zero(t, s.driven)
			}
		})
	}
}

// Who has a run is not forgotten, however many others are.
func TestManyRunsBesideADriver(t *testing.T) {
	d := newSim()
	s := newFileStore(d, nil)
	h := s.driving("driven", nothing{})
	require.NoError(t, s.Append(t.Context(), "driven", 0, []byte("one")))
	for i := range maxTails + 50 {
		require.NoError(t, s.Append(t.Context(), fmt.Sprint(i), 0, []byte("one")))
	}
	assert.Len(t, s.runs, maxTails+1)
	assert.Equal(t, 1, d.inUse)
	require.NoError(t, h.Release(t.Context()))
	assert.Zero(t, d.inUse)
	assert.Len(t, s.runs, maxTails)

	// One that never appended leaves nothing behind, either.
	before := len(s.runs)
	require.NoError(t, s.driving("nothing", nothing{}).Release(t.Context()))
	assert.Len(t, s.runs, before)
}

// A file that cannot be unlocked, as on Windows, is not kept.
func TestSystemThatCannotKeep(t *testing.T) {
	d := newSim()
	s := newFileStore(d, nil)
	s.disk = unshared{d}
	s.driving("r", nothing{})
	require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
	require.NoError(t, s.Append(t.Context(), "r", 1, []byte("two")))
	assert.Zero(t, d.inUse)
	assert.Equal(t, "one two", content(t, d))
}

type unshared struct{ disk }

type unsharedFile struct{ lockedFile }

func (d unshared) lock(ctx context.Context, name string, m lockMode) (lockedFile, stamp, error) {
	f, now, err := d.disk.lock(ctx, name, m)
	return unsharedFile{f}, now, err
}

func (unsharedFile) unlock() error { return errors.ErrUnsupported }
