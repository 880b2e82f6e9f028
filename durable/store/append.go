package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// tail is what a FileStore knows of the end of a file.
type tail struct {
	turn  chan struct{} // held by the Append whose turn it is
	users int           // Appends that hold the turn or wait for it

	hold *fileHold // by which this store drives the run; nil: it does not
	by   *fileHold // hold, when the last Append succeeded

	known  bool
	end    int64  // of the records that are whole
	last   int64  // the last seq
	head   []byte // the line of the last record: a file without it there is another file
	at     int64  // where that line is
	origin []byte // the line of the first record

	// safe says that all up to end is on the disk. What others have written can be read and not be there after
	// a power cut: after a failed fsync the system takes pages for written that are not. So the last Append of
	// others, from start on, is written once more before anything is put behind it.
	safe  bool
	start int64
}

// maxTails is how many runs a FileStore remembers the end of. Of another one the next Append reads the file.
const maxTails = 4096

// fileHold is the hold of a run whose file must stay the same one.
type fileHold struct {
	Hold
	store *FileStore
	run   string
	tail  *tail
}

func (s *FileStore) driving(run string, h Hold) *fileHold {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tailOf(run)
	t.hold = &fileHold{Hold: h, store: s, run: run, tail: t} // an earlier one was taken over
	return t.hold
}

// Release implements [Hold].
func (h *fileHold) Release(ctx context.Context) error {
	h.store.mu.Lock()
	if h.tail.hold == h {
		h.tail.hold = nil
		h.store.forget(h.run, h.tail)
	}
	h.store.mu.Unlock()
	return h.Hold.Release(ctx)
}

// takeTurn waits for the other Appends of this store to a run.
func (s *FileStore) takeTurn(ctx context.Context, run string) (*tail, error) {
	s.mu.Lock()
	t := s.tailOf(run)
	t.users++
	s.mu.Unlock()
	select {
	case t.turn <- struct{}{}:
		return t, nil
	case <-ctx.Done():
		s.leave(run, t)
		return nil, ended(ctx, run)
	}
}

func (s *FileStore) leave(run string, t *tail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.users--
	s.forget(run, t)
}

// tailOf returns what is known of a run. s.mu is held.
func (s *FileStore) tailOf(run string) *tail {
	t := s.runs[run]
	if t == nil {
		t = &tail{turn: make(chan struct{}, 1)}
		s.runs[run] = t
	}
	return t
}

// forget drops what need not be known. s.mu is held.
func (s *FileStore) forget(run string, t *tail) {
	unused := func(t *tail) bool { return t.users == 0 && t.hold == nil }
	if unused(t) && !t.known {
		delete(s.runs, run)
	}
	for other, u := range s.runs { // any will do
		if len(s.runs) <= maxTails {
			break
		}
		if unused(u) {
			delete(s.runs, other)
		}
	}
}

// Append implements [Store]. A record larger than 64 MiB is a [*SizeError], and a file that is
// damaged a [*DamageError].
func (s *FileStore) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	return s.append(ctx, run, after, nil, records)
}

// AppendMarked implements [Index]. The mark may be lost, or be late, when the process dies between the two writes;
// then the store says that it is Behind.
func (s *FileStore) AppendMarked(ctx context.Context, run string, after int64, mark Mark, records ...[]byte) error {
	return s.append(ctx, run, after, &mark, records)
}

func (s *FileStore) append(ctx context.Context, run string, after int64, mark *Mark, records [][]byte) error {
	if err := errors.Join(CheckRun(run), ended(ctx, run)); err != nil {
		return err
	}
	for i, data := range records {
		if size := int64(len(data)); size > maxRecord {
			return &SizeError{Index: i, Size: size, Max: maxRecord}
		}
	}
	t, err := s.takeTurn(ctx, run)
	if err != nil {
		return err
	}
	defer func() {
		<-t.turn
		s.leave(run, t)
	}()
	f, err := s.disk.lock(ctx, fileName(run), after == 0 && len(records) > 0)
	if errors.Is(err, fs.ErrNotExist) {
		t.known = false
		if after == 0 {
			return nil
		}
		return &ConflictError{Run: run, After: after}
	}
	if err != nil {
		return inFile(run, err)
	}
	defer func() { _ = f.Close() }() // what is written is synced
	s.mu.Lock()
	w := &writer{lockedFile: f, tail: t, store: s, run: run, hold: t.hold}
	s.mu.Unlock()
	if err := w.append(ctx, after, records); err != nil {
		return err
	}
	if t.by = w.hold; mark != nil {
		s.putMark(run, t, mark)
	}
	return nil
}

// writer appends to the file of a run while it has the lock.
type writer struct {
	lockedFile
	*tail
	store  *FileStore
	run    string
	hold   *fileHold
	length int64 // of the file; more than end if its end is torn
}

func (w *writer) path() string { return w.store.File(w.run) }

func (w *writer) append(ctx context.Context, after int64, records [][]byte) error {
	replaced, err := w.find(ctx)
	switch {
	case err != nil:
		w.known = false
		return err
	case w.last != after:
		return &ConflictError{Run: w.run, After: after, Last: w.last}
	case replaced: // it has come to as many records, and is not the run that this process drives
		w.known = false
		return fmt.Errorf("store: run %q: %s is not the file that it was: %w", w.run, w.path(), ErrConflict)
	case ctx.Err() != nil || len(records) == 0:
		return ended(ctx, w.run)
	case after > maxSeq-int64(len(records)):
		return fmt.Errorf("%w: run %q: a journal has room for %d records", ErrTooLarge, w.run, int64(maxSeq))
	}
	if err := w.secure(); err != nil {
		w.known = false
		return unwritten(w.run, w.path(), err)
	}
	return w.write(records)
}

// find looks where the file ends: where it did the last time, or else it reads what it does not know. replaced says
// that this is not the file to which the driver has appended.
func (w *writer) find(ctx context.Context) (replaced bool, err error) {
	if w.length, err = w.size(); err != nil {
		return false, unread(w.run, err)
	}
	sc := scanner{run: w.run, path: w.path(), from: w.lockedFile, end: w.length}
	switch {
	case w.known && w.same():
		if w.length == w.end {
			return false, nil
		}
		sc.at, sc.last = w.end, w.last
	case w.known && w.last > 0 && w.hold != nil:
		replaced = w.by == w.hold
	}
	for {
		if err := ended(ctx, w.run); err != nil {
			return replaced, err
		}
		b, err := sc.next()
		if errors.Is(err, io.EOF) || errors.Is(err, errTorn) {
			break
		}
		if err != nil {
			return replaced, err
		}
		if b.heads[0].seq == 1 {
			w.origin = b.heads[0].line()
		}
	}
	// Before anything is cut off. The lock keeps the journal as it is.
	if err := w.store.readMark(w.run).lost(w.path(), w.lockedFile, sc.at); err != nil {
		return replaced, err
	}
	w.known = true
	if len(sc.kept.heads) > 0 {
		w.safe, w.start, w.end = false, sc.kept.start, sc.at
		w.keep(sc.kept.heads[len(sc.kept.heads)-1])
	} else if sc.last == 0 {
		w.safe, w.start, w.end, w.last, w.head = false, 0, sc.at, 0, nil
	}
	return replaced, nil
}

// same reports whether what is known is of this file. It may have been deleted, and another one may have its name.
func (w *writer) same() bool {
	if w.length < w.end || w.head == nil {
		return false
	}
	text := make([]byte, lineSize)
	_, err := w.ReadAt(text, w.at)
	return err == nil && string(text) == string(w.head)
}

// keep notes which record is the last one, before end.
func (w *writer) keep(h head) { w.last, w.at, w.head = h.seq, w.end-h.size(), h.line() }

// secure sees to it that all before the end is on the disk, and nothing behind it.
func (w *writer) secure() error {
	if w.safe && w.length == w.end {
		return nil
	}
	if w.length > w.end {
		if err := w.Truncate(w.end); err != nil {
			return fmt.Errorf("cutting off an append that did not come to its end: %w", err)
		}
	}
	line := title(w.run)
	var err error
	if w.last > 0 {
		err = w.again(w.start, w.end)
	} else {
		_, err = w.WriteAt(line, 0)
	}
	// Not together with what comes next: it could be there without what it follows.
	if err == nil {
		err = w.Sync()
	}
	if err == nil && w.last == 0 {
		w.end = int64(len(line))
		err = w.store.disk.syncFolder()
	}
	if err == nil {
		w.safe, w.length = true, w.end
	}
	return err
}

// again writes a part of the file once more, as it is.
func (w *writer) again(from, to int64) error {
	buf := make([]byte, min(to-from, windowSize))
	for ; from < to; from += int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), to-from)]
		if n, err := w.ReadAt(buf, from); n < len(buf) {
			return err
		}
		if _, err := w.WriteAt(buf, from); err != nil {
			return err
		}
	}
	return nil
}

// write puts records at the end, with one write, and takes them back if that fails.
func (w *writer) write(records [][]byte) error {
	text, last := appendRecords(nil, w.last, records)
	_, err := w.WriteAt(text, w.end)
	if err == nil {
		err = w.Sync()
	}
	if err != nil {
		// What Sync has failed to write may be there or not, and would be believed to be.
		back := w.Truncate(w.end)
		if back == nil {
			back = w.Sync()
		}
		w.known = false
		if back != nil {
			return fmt.Errorf("%w: run %q in %s: %w", ErrUncertain, w.run, w.path(), errors.Join(err, back))
		}
		return unwritten(w.run, w.path(), err)
	}
	if w.last == 0 {
		w.origin = append([]byte(nil), text[:lineSize]...)
	}
	w.start, w.end = w.end, w.end+int64(len(text))
	w.keep(last)
	return nil
}
