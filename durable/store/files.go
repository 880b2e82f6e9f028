package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxRecord is how large a record may be, in bytes.
const maxRecord = 64 << 20

// FileStore is a Store with a file for each run. Between calls it has only the locks of its [Hold]s open. Several
// FileStores, in several processes of one machine, may have one folder.
type FileStore struct {
	disk  disk
	locks *locks

	mu    sync.Mutex
	runs  map[string]*tail
	undue undue
}

// Files returns a Store of the files in a folder. It creates the folder. Folder and files are for their owner only: a
// journal may have secrets. On a system without locks for files the error is errors.ErrUnsupported.
//
// A folder that exists keeps its rights. Files refuses one to which every user may write, unless it has the sticky bit.
// A file of a run that is a link, has a second name, is a pipe or another user's is a [*DamageError]. So other users who
// may write to the folder can delete runs and block ids, but not read or change a run.
func Files(dir string) (*FileStore, error) {
	if !lockable {
		return nil, errNoLocks
	}
	d, err := makeFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s := newFileStore(d)
	s.locks = &locks{dir: string(d)}
	return s, nil
}

func newFileStore(d disk) *FileStore { return &FileStore{disk: d, runs: map[string]*tail{}} }

// File returns the path of a run's file, which may not be there yet.
func (s *FileStore) File(run string) string { return s.disk.path(fileName(run)) }

// Read implements [Store]. It checks the file from its start or its mark on, and holds one record at a time. It takes no
// lock: a process that hangs within an Append keeps no reader waiting.
func (s *FileStore) Read(ctx context.Context, run string, from int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if err := s.read(ctx, run, from, func(e Entry) bool { return yield(e, nil) }); err != nil {
			yield(Entry{}, err)
		}
	}
}

func (s *FileStore) read(ctx context.Context, run string, from int64, yield func(Entry) bool) error {
	if err := errors.Join(CheckRun(run), ended(ctx, run)); err != nil {
		return err
	}
	m := s.readMark(run) // before the journal, which has all that the mark is of
	f, err := s.disk.open(fileName(run))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return inFile(run, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	sc := &scanner{run: run, path: s.File(run), from: f}
	if sc.end, err = f.size(); err != nil || sc.end == 0 {
		return unread(run, err)
	}
	sc.begin(m, f, from)
	for {
		b, err := steady(ctx, sc, f)
		if errors.Is(err, io.EOF) || errors.Is(err, errTorn) {
			if err := ended(ctx, run); err != nil {
				return err
			}
			return m.lost(s.File(run), f, sc.at)
		}
		if err != nil {
			return err
		}
		at := b.start
		for _, h := range b.heads {
			if err := ended(ctx, run); err != nil {
				return err
			}
			if h.seq >= from {
				data, err := sc.data(at, h)
				if err != nil {
					return err
				}
				if !yield(Entry{Seq: h.seq, Data: data}) {
					return nil
				}
			}
			at += h.size()
		}
	}
}

// How often what looks damaged is looked at again while it changes, and after which pause for the
// first time; each is twice as long as the one before.
const (
	secondLooks = 8
	secondPause = time.Millisecond
)

// steady is next of the scanner, of a file that others write to. What looks damaged may be the torn end of an Append
// that was cut off and written over within this look. So it counts when it is the same at the next look.
func steady(ctx context.Context, sc *scanner, f file) (batch, error) {
	b, err := sc.next()
	var seen DamageError
	for look, wait := 0, secondPause; look < secondLooks; look++ {
		damage, ok := errors.AsType[*DamageError](err)
		if !ok || *damage == seen {
			break
		}
		if look > 0 {
			if err := pause(ctx, wait); err != nil {
				return batch{}, unread(sc.run, err)
			}
			wait *= 2
		}
		seen = *damage
		sc.forget()
		if sc.end, err = f.size(); err != nil {
			return batch{}, unread(sc.run, err)
		}
		b, err = sc.next()
	}
	return b, err
}

func unread(run string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("store: run %q: %w", run, err)
}

// Drive implements [Store]: see [DrivesIn]. If a process hangs within an Append, the first Append after a take-over
// waits for it: end that process.
func (s *FileStore) Drive(ctx context.Context, run string, takeOver bool) (Hold, error) {
	h, err := s.locks.drive(ctx, run, takeOver)
	if err != nil {
		return nil, err
	}
	return s.driving(run, h), nil
}

// Delete implements [Store]. It waits for an Append that is under way. A Read goes on to the end of the run as it was.
// On Windows Delete fails while the run is being read, and the empty .lock file stays.
func (s *FileStore) Delete(ctx context.Context, run string) error {
	hold, err := s.locks.drive(ctx, run, false)
	if err != nil {
		return err
	}
	if err = folder(s.locks.dir).delete(ctx, run); err == nil {
		hold.forget(s.locks.file(run))
	}
	if err = errors.Join(err, hold.Release(ctx)); err != nil {
		return fmt.Errorf("store: delete run %q: %w", run, err)
	}
	return nil
}

// Runs implements [Store]. It opens no file: a run whose first Append was interrupted is among them.
func (s *FileStore) Runs(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for run, err := range s.sizes(ctx, Query{}) {
			if err != nil {
				yield("", err)
				return
			}
			if !yield(run.id, nil) {
				return
			}
		}
	}
}

// sized is a run, and the size of its journal.
type sized struct {
	id   string
	size int64
}

// sizes yields the runs of a query in the order of their ids, by the names of their files. It looks at a file when the
// run is yielded.
func (s *FileStore) sizes(ctx context.Context, q Query) iter.Seq2[sized, error] {
	return func(yield func(sized, error) bool) {
		names, err := s.disk.list()
		if err = errors.Join(ended(ctx, ""), err); err != nil {
			yield(sized{}, fmt.Errorf("store: %w", err))
			return
		}
		var runs []string
		for _, name := range names {
			run, ok := runOfFile(name)
			if ok && strings.HasPrefix(run, q.Prefix) && (q.After == "" || run > q.After) {
				runs = append(runs, run)
			}
		}
		slices.Sort(runs)
		for _, run := range runs {
			info, err := s.disk.stat(fileName(run))
			switch err = errors.Join(ended(ctx, ""), err); {
			case errors.Is(err, fs.ErrNotExist): // it has just been deleted
			case err != nil:
				yield(sized{}, fmt.Errorf("store: %w", err))
				return
			case !info.Mode().IsRegular() || info.Size() <= int64(len(title(run))):
			case !yield(sized{run, info.Size()}, nil):
				return
			}
		}
	}
}
