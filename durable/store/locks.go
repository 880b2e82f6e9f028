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
