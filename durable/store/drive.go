package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/ownfile"
)

// Hold says that its holder drives a run, and nobody else does. It ends by Release, when
// somebody takes the run over, and with the process.
type Hold interface {
	// Took reports whether the run was taken from a holder who had not released it, by a take-over or because nothing
	// was heard of that one any more. It may be alive and know nothing of it. So the next thing that is done in the run
	// is an Append: from then on that holder is refused by a [ConflictError].
	Took() bool

	// Release gives the run back. After that, and after another one has taken the run over, it does nothing.
	Release(ctx context.Context) error
}

// Drives are the holds of a [Store]. The zero value is for runs that no other process can have;
// [DrivesIn] is for those of several processes. A Store embeds it, or calls it by its own method Drive.
type Drives struct {
	locks *locks // nil: in this process

	mu    sync.Mutex
	holds map[string]*drivesHold
}

// DrivesIn returns the holds of runs that are of several processes of one machine: it locks a file in dir
// for each run that somebody drives. The first Drive creates dir, for its owner only. The error is
// errors.ErrUnsupported on a system without locks for files.
func DrivesIn(dir string) (*Drives, error) {
	l, err := newLocks(dir)
	if err != nil {
		return nil, err
	}
	return &Drives{locks: l}, nil
}

// File returns the path of the file that Drive locks, which may not be there yet. "": it locks none.
// A file stays, empty, when the run is released. Delete it only while you drive the run.
func (d *Drives) File(run string) string {
	if d.locks == nil {
		return ""
	}
	return d.locks.file(run)
}

type drivesHold struct {
	of   *Drives
	run  string
	by   string
	took bool
}

// Drive implements [Store]. On Windows nobody can take a run over from another process that has it: end that process.
func (d *Drives) Drive(ctx context.Context, run string, takeOver bool) (Hold, error) {
	if d.locks != nil {
		h, err := d.locks.drive(ctx, run, takeOver)
		if err != nil {
			return nil, err
		}
		return h, nil
	}
	if err := CheckRun(run); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := ended(ctx, run); err != nil {
		return nil, err
	}
	held := d.holds[run]
	if held != nil && !takeOver {
		return nil, driven(run, held.by)
	}
	if d.holds == nil {
		d.holds = map[string]*drivesHold{}
	}
	h := &drivesHold{of: d, run: run, by: me(), took: held != nil}
	d.holds[run] = h
	return h, nil
}

func (h *drivesHold) Took() bool { return h.took }

func (h *drivesHold) Release(context.Context) error {
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	if h.of.holds[h.run] == h {
		delete(h.of.holds, h.run)
	}
	return nil
}

// me names this process, and the time, to people who read an [ErrDriven].
func me() string {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	return fmt.Sprintf("process %d of %s since %s", os.Getpid(), host, time.Now().UTC().Format(time.RFC3339))
}

// locks are the holds of runs that are of several processes of one machine: a file for each run in a folder, which is
// locked while somebody drives the run. The lock goes with its process, whatever ends it.
//
// A file stays when the run is released, empty. Only who has the lock may delete it: who opened the file
// before that finds, with the lock, that it has gone.
type locks struct{ dir string }

// newLocks returns the locks of a folder, which the first drive creates, for its owner
// only. There are none on a system without locks for files: errors.ErrUnsupported.
func newLocks(dir string) (*locks, error) {
	if !lockable {
		return nil, fmt.Errorf("store: no locks for files on this system: %w", errors.ErrUnsupported)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return &locks{dir: dir}, nil
}

// file returns the path of a run's lock, which may not be there yet.
func (l *locks) file(run string) string { return filepath.Join(l.dir, otherName(run, lockSuffix)) }

// How often, and how long apart, drive looks again: who gives a run up, or takes it over, has two files for a moment.
const (
	lockTries = 5
	lockPause = time.Millisecond
)

// drive is [Drives.Drive]. On Windows nobody can take a run over from a process that has it: end that process.
func (l *locks) drive(ctx context.Context, run string, takeOver bool) (*lock, error) {
	if err := errors.Join(CheckRun(run), ended(ctx, run)); err != nil {
		return nil, err
	}
	if _, err := makeFolder(l.dir); err != nil {
		return nil, fmt.Errorf("store: run %q: %w", run, err)
	}
	path := l.file(run)
	f, mine, err := lockFile(path, true)
	for try := 1; errors.Is(err, errLocked) && try < lockTries; try++ {
		if err := pause(ctx, lockPause); err != nil {
			return nil, fmt.Errorf("store: run %q: %w", run, err)
		}
		f, mine, err = lockFile(path, true)
	}
	h := &lock{mine: mine}
	if errors.Is(err, errLocked) {
		if !takeOver {
			return nil, driven(run, holder(path))
		}
		h.took = true
		f, err = replaceLock(path)
	}
	if err != nil {
		return nil, inFile(run, err)
	}
	h.file = f
	heldFiles.Store(h, nil)
	_ = f.Truncate(0)                 // what a process left that died
	_, _ = f.WriteAt([]byte(me()), 0) // it only tells people who has the run
	return h, nil
}

// lock is the hold of a locked file.
type lock struct {
	file *os.File
	mine os.FileInfo // which file it is, unless it took the place of another one
	took bool
}

// heldFiles keeps locks that their holders no longer refer to: the garbage collector would close
// the file, and so give the run to the next who asks.
var heldFiles sync.Map

func (h *lock) Took() bool { return h.took }

func (h *lock) Release(context.Context) error {
	heldFiles.Delete(h)
	_ = h.file.Truncate(0)
	_ = unlockFile(h.file)
	if err := h.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// forget deletes the file, unless somebody has taken the run over and has another one in its place.
func (h *lock) forget(path string) {
	if h.mine != nil && stillThere(h.mine, path) == nil {
		_ = os.Remove(path) // it is empty, and may stay
	}
}

// holder says who has a lock, as that one wrote it down.
func holder(path string) string {
	f, err := ownfile.Open(path, os.O_RDONLY)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()              // it was only read
	text, _ := io.ReadAll(io.LimitReader(f, 200)) // what there is of it will do
	return strings.TrimSpace(legible.Text(string(text)))
}

// pause waits, unless the context ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
