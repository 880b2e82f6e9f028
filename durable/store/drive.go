package store

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"
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
