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

// Hold is the right to drive a run. It ends by Release, by a take-over, and with the process.
type Hold interface {
	// Took reports whether an earlier holder had not released the run. That one may be alive: append first, and it gets a
	// [ConflictError] from then on.
	Took() bool

	// Release gives the run back. After that, and after a take-over, it does nothing.
	Release(ctx context.Context) error
}

// Drives implements [Store].Drive. The zero value is for runs that no other process can have, [DrivesIn] for others.
type Drives struct {
	locks *locks // nil: in this process

	mu    sync.Mutex
	holds map[string]*drivesHold
}

// DrivesIn implements Drive for the processes of one machine: it locks a file in dir for each run that is driven. The
// first Drive creates dir. On a system without locks for files the error is errors.ErrUnsupported.
func DrivesIn(dir string) (*Drives, error) {
	if !lockable {
		return nil, errNoLocks
	}
	dir, err := filepath.Abs(dir) // a program may change its folder later
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return &Drives{locks: &locks{dir: dir}}, nil
}

var errNoLocks = fmt.Errorf("store: no locks for files on this system: %w", errors.ErrUnsupported)

// File returns the path of the file that Drive locks; "": none. The file stays, empty, after Release. Delete it only
// while you drive the run.
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

// locks has a file for each run in a folder. It is locked while a process drives the run, and stays after that. Only the
// holder deletes the file: a process that opened it before sees, once it has the lock, that the file is gone.
type locks struct{ dir string }

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

// heldFiles keeps the garbage collector from closing the files of holds, which would release their runs.
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
