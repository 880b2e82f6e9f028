package store

import "context"

// Whoever drives a run appends to it again and again. So its file stays open between the Appends, and each
// of them makes six system calls:
//
//	flock      keeps out who appends beside, such as the answer of a person
//	lstat      the name leads to this file, and nobody has written to it since
//	pwrite
//	fdatasync
//	lstat      the name still leads to this file
//	flock      lets others append
//
// None of them can be left out:
//
//   - The lock, and the first lstat under it. Nobody asks the driver before they append, so only the size of
//     the file tells that somebody did. Without the lock two could find one size, and write to one place.
//   - The second lstat. The process may hang after the first one, for longer than a take-over waits. Then the
//     file is moved in spite of the lock (moved.go), and nobody reads what is written to it. If the name still
//     leads to the file after the write, the write came before the move, and the copy has it.
//   - fdatasync. A file that was opened with O_DSYNC would need none, but not every file system heeds that.
//   - The second flock. If the driver kept the lock, an answer would wait until the driver is done.

// driving is the hold of a run whose file stays open.
type driving struct {
	Hold
	store *FileStore
	run   string
	tail  *tail
}

// driving has the file of a run stay open until the hold is released.
func (s *FileStore) driving(run string, h Hold) *driving {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &driving{Hold: h, store: s, run: run, tail: s.tailOf(run)}
	if d.tail.hold == nil {
		s.driven++
	}
	d.tail.hold = d // an earlier one was taken over
	return d
}

// Release closes the file before it gives the run back.
func (h *driving) Release(ctx context.Context) error {
	h.store.endDriving(h)
	return h.Hold.Release(ctx)
}

func (s *FileStore) endDriving(h *driving) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := h.tail
	if t.hold != h {
		return
	}
	t.hold = nil
	s.driven--
	select {
	case t.turn <- struct{}{}:
		t.closeUndriven()
		<-t.turn
	default: // an Append is under way, and closes it
	}
	t.users++
	s.leave(h.run, t)
}

// holdOf returns the hold by which this store drives a run.
func (s *FileStore) holdOf(t *tail) *driving {
	s.mu.Lock()
	defer s.mu.Unlock()
	return t.hold
}

// closeUndriven closes the file of a run that this store does not drive. The caller has the turn, and s.mu.
func (t *tail) closeUndriven() {
	if t.hold != nil {
		return
	}
	if t.text = nil; t.kept != nil {
		_ = t.kept.Close() // nothing was written since it was synced
		t.kept = nil
	}
}

// lock locks the file of a run, and opens it where it is not open.
func (s *FileStore) lock(ctx context.Context, run string, t *tail, m lockMode) (lockedFile, stamp, error) {
	if f := t.kept; f != nil {
		t.kept = nil
		now, err := f.relock()
		if err == nil {
			return f, now, nil
		}
		// Another one has it, or it was moved or deleted: what has the name by now is opened.
		_ = f.Close()
	}
	t.seen = stamp{}
	return s.disk.lock(ctx, fileName(run), m)
}

// keep ends the lock of a file and leaves it open for the next Append, where a system can do that.
func (t *tail) keep(f lockedFile) bool {
	if f.unlock() != nil {
		return false
	}
	t.kept = f
	return true
}
