package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// tail is what a FileStore knows of the end of a file.
type tail struct {
	turn  chan struct{} // held by the Append whose turn it is
	users int           // that hold it or wait for it

	hold *driving   // by which this store drives the run; nil: it does not
	by   *driving   // hold, when the last Append succeeded
	kept lockedFile // the file, which is open and not locked between the Appends of who drives
	seen stamp      // of kept, when known was found out; zero: same has to look

	known bool
	end   int64  // of the file, as far as it is whole
	last  int64  // the last seq
	head  []byte // the line of the last record, and where it is: whether the file is still that one
	at    int64
	// origin is the line of the first record.
	origin []byte
	text   []byte // what was appended last, whose room is used again
	batch  int    // how many records were appended with the last one, itself included

	// safe says that all up to end is on the disk. What others have written, or
	// left, can be read and not be there after a power cut: after a failed fsync the
	// system takes pages for written that are not. So the last batch, from start on, is
	// written once more before anything is put behind it. Before that it was safe, for the
	// same reason.
	safe  bool
	start int64
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
		s.mu.Lock()
		defer s.mu.Unlock()
		s.leave(run, t)
		return nil, ended(ctx, run)
	}
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

func (s *FileStore) endTurn(run string, t *tail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.closeUndriven()
	<-t.turn
	s.leave(run, t)
}

// leave forgets what need not be known. s.mu is held.
func (s *FileStore) leave(run string, t *tail) {
	t.users--
	if t.unused() && !t.known {
		delete(s.runs, run)
	}
	for other, u := range s.runs { // any will do
		if len(s.runs)-s.driven <= maxTails {
			break
		}
		if u.unused() {
			delete(s.runs, other)
		}
	}
}

func (t *tail) unused() bool { return t.users == 0 && t.hold == nil }

// Append implements [Store]. A record larger than FilesOptions.MaxRecord is a
// [*SizeError], and a file that is damaged a [*DamageError].
func (s *FileStore) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	return s.appendMarked(ctx, run, after, nil, records)
}

func (s *FileStore) appendMarked(ctx context.Context, run string, after int64, mark *Mark, records [][]byte) error {
	if err := errors.Join(CheckRun(run), ended(ctx, run)); err != nil {
		return err
	}
	for i, data := range records {
		if size := int64(len(data)); size > s.max {
			return &SizeError{Index: i, Size: size, Max: s.max}
		}
	}
	t, err := s.takeTurn(ctx, run)
	if err != nil {
		return err
	}
	defer s.endTurn(run, t)
	cut, err := s.append(ctx, run, t, after, records)
	if cut.size > 0 && s.torn != nil {
		s.torn(ctx, cut)
	}
	if err == nil && mark != nil {
		s.putMark(run, t, mark)
	}
	return err
}

func (s *FileStore) append(ctx context.Context, run string, t *tail, after int64, records [][]byte) (cut torn, _ error) {
	mode := forWriting
	if after == 0 && len(records) > 0 {
		mode = forCreating
	}
	f, now, err := s.lock(ctx, run, t, mode)
	if errors.Is(err, fs.ErrNotExist) && mode == forWriting {
		t.known = false
		if after == 0 {
			return cut, nil
		}
		return cut, &ConflictError{Run: run, After: after}
	}
	if err != nil {
		return cut, inFile(run, err)
	}
	kept := false
	defer func() {
		if !kept {
			_ = f.Close() // what is written is synced before that
		}
	}()
	w := &writer{lockedFile: f, tail: t, store: s, run: run, hold: s.holdOf(t)}
	if cut, err = w.append(ctx, s.disk, now, after, records); err != nil {
		return cut, err
	}
	if t.by = w.hold; t.by != nil {
		kept = t.keep(f)
	}
	return cut, nil
}

func (w *writer) append(ctx context.Context, d disk, now stamp, after int64, records [][]byte) (cut torn, _ error) {
	if err := w.find(ctx, now); err != nil {
		w.known = false
		return cut, err
	}
	if w.last != after {
		return cut, &ConflictError{Run: w.run, After: after, Last: w.last}
	}
	if w.replaced {
		// It has come to as many records, and is not the run that this process drives.
		w.known = false
		return cut, fmt.Errorf("store: run %q: %s is not the file that it was: %w", w.run, w.path(), ErrConflict)
	}
	if err := ended(ctx, w.run); err != nil || len(records) == 0 {
		return cut, err
	}
	if after > maxSeq-int64(len(records)) {
		return cut, fmt.Errorf("%w: run %q: a journal has room for %d records", ErrTooLarge, w.run, int64(maxSeq))
	}
	cut, err := w.secure(d)
	if err != nil {
		w.known = false
		return cut, unwritten(w.run, w.path(), err)
	}
	return cut, w.write(records)
}
