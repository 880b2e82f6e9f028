package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
)

// writer appends to the file of a run while it has the lock.
type writer struct {
	lockedFile
	*tail
	store    *FileStore
	run      string
	length   int64 // of the file; more than end when its end is torn
	hold     *driving
	replaced bool // the file is not the one to which hold has appended
}

func (w *writer) path() string { return w.store.File(w.run) }

// find looks where the file ends: where it did the last time, or else it reads what
// it does not know.
func (w *writer) find(ctx context.Context, now stamp) error {
	w.length = now.size
	sc := scanner{}
	switch {
	case w.known && w.same(now):
		if w.length == w.end {
			return nil
		}
		sc.at, sc.last = w.end, w.last
	case w.known && w.last > 0 && w.hold != nil:
		w.replaced = w.by == w.hold
	}
	sc.run, sc.path, sc.from, sc.end = w.run, w.path(), w.lockedFile, w.length
	for {
		if err := ended(ctx, w.run); err != nil {
			return err
		}
		b, err := sc.next()
		if errors.Is(err, io.EOF) || errors.Is(err, errTorn) {
			break
		}
		if err != nil {
			return err
		}
		if b.heads[0].seq == 1 {
			w.origin = b.heads[0].append(w.origin[:0])
		}
	}
	// Before anything is cut off. The lock keeps the journal as it is.
	if err := w.store.readMark(w.run).lost(w.path(), w.lockedFile, sc.at); err != nil {
		return err
	}
	w.known, w.seen = true, stamp{}
	if len(sc.kept.heads) > 0 {
		last := sc.kept.heads[len(sc.kept.heads)-1]
		w.safe, w.start, w.end, w.batch = false, sc.kept.start, sc.at, len(sc.kept.heads)
		w.keep(last)
	} else if sc.last == 0 {
		w.safe, w.start, w.end, w.last, w.head = false, 0, sc.at, 0, nil
	}
	return nil
}

// same reports whether what is known is of this file. It may have been deleted, and
// another one may have its name.
func (w *writer) same(now stamp) bool {
	if w.length < w.end || w.head == nil {
		return false
	}
	if now == w.seen {
		return true
	}
	text := make([]byte, lineSize)
	_, err := w.ReadAt(text, w.at)
	return err == nil && string(text) == string(w.head)
}

// keep notes which record is the last one, before end.
func (w *writer) keep(h head) {
	w.last, w.at, w.head = h.seq, w.end-h.size(), h.append(w.head[:0])
}

// secure sees to it that all before the end is on the disk, and nothing behind it.
func (w *writer) secure(d disk) (cut torn, err error) {
	if w.safe && w.length == w.end {
		return cut, nil
	}
	if w.length > w.end {
		if err := w.Truncate(w.end); err != nil {
			return cut, fmt.Errorf("cutting off an append that did not come to its end: %w", err)
		}
		cut = torn{run: w.run, file: w.path(), after: w.last, offset: w.end, size: w.length - w.end}
	}
	line := title(w.run)
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
		err = d.syncFolder()
	}
	if err != nil {
		return cut, err
	}
	w.safe, w.length = true, w.end
	return cut, nil
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

// keptText is how large a text may be whose room is used again, in bytes.
const keptText = 16 << 10

// write puts records at the end, with one write, and takes them back when that fails.
func (w *writer) write(records [][]byte) error {
	size := 0
	for _, data := range records {
		size += lineSize + len(data) + 1
	}
	text, last := appendRecords(slices.Grow(w.text[:0], size), w.last, records)
	if w.last == 0 {
		w.origin = append(w.origin[:0], text[:lineSize]...)
	}
	w.text = nil
	if size <= keptText {
		w.text = text
	}
	_, err := w.WriteAt(text, w.end)
	if err == nil {
		err = w.syncData()
	}
	if err == nil {
		var moved error
		if w.seen, moved = w.there(); moved != nil {
			// Because this process hung, or it was deleted: nobody reads it any more.
			w.known = false
			return uncertain(w.run, w.path(), ErrConflict)
		}
	}
	if err != nil {
		// What Sync has failed to write may be there or not, and would be believed to be.
		back := w.Truncate(w.end)
		if back == nil {
			back = w.Sync()
		}
		w.known = false
		if back != nil {
			return uncertain(w.run, w.path(), errors.Join(err, back))
		}
		return unwritten(w.run, w.path(), err)
	}
	w.start, w.batch = w.end, len(records)
	w.end += int64(size)
	w.keep(last)
	return nil
}
