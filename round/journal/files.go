package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"sync"
)

// DefaultMaxRecord is how large a record may be, in bytes, where FilesOptions do not
// say it.
const DefaultMaxRecord = 64 << 20

// FilesOptions are options of [Files]. The zero value has the defaults.
type FilesOptions struct {
	// MaxRecord is how large a record may be that is appended, in bytes. 0:
	// DefaultMaxRecord; negative: as large as a file can have, 2 GiB.
	MaxRecord int64
	// Torn is told of what Append cut off, see [Torn]. It is called by the goroutine of
	// that Append before it returns, by several at once where several append. Nil: nobody
	// is told.
	Torn func(Torn)
}

// Torn is the end of a file that an Append left which did not come to its end: its
// process was killed, or the power failed. Nobody was told that its records are there.
// The next Append cuts it off.
type Torn struct {
	Run    string
	File   string
	After  int64 // the last seq before it
	Offset int64 // where it began, in bytes
	Size   int64 // how much was cut off, in bytes
}

func (t Torn) String() string {
	return fmt.Sprintf("journal: run %q: cut %d bytes at byte %d of %s, behind record %d: an append that did not come to its end",
		t.Run, t.Size, t.Offset, t.File, t.After)
}

// FileStore is a Store with a file for each run. It has no file open between calls, so
// that there is nothing to close, and suspended runs cost nothing. Several FileStores, of
// several processes as well, may have one folder, on a disk of the same machine.
type FileStore struct {
	disk disk
	max  int64
	torn func(Torn)

	mu   sync.Mutex
	runs map[string]*tail
}

// maxTails is how many runs a FileStore remembers the end of. Of another one the next
// Append reads the file.
const maxTails = 4096

// Files returns a Store of the files in a folder, which is created when it is not
// there, also for a caller who only wants to read. Folder and files are for their owner only: what is in a journal may be
// secret. opts may be nil. It fails where the folder cannot be used, and with
// errors.ErrUnsupported on a system without locks for files.
func Files(dir string, opts *FilesOptions) (*FileStore, error) {
	if !lockable {
		return nil, fmt.Errorf("journal: no locks for files on this system: %w", errors.ErrUnsupported)
	}
	d, err := makeFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return newFileStore(d, opts), nil
}

func newFileStore(d disk, opts *FilesOptions) *FileStore {
	s := &FileStore{disk: d, max: DefaultMaxRecord, runs: map[string]*tail{}}
	if opts != nil {
		s.torn = opts.Torn
		switch {
		case opts.MaxRecord < 0 || opts.MaxRecord > maxLength:
			s.max = maxLength
		case opts.MaxRecord > 0:
			s.max = opts.MaxRecord
		}
	}
	return s
}

// File returns the path of a run's file, which may not be there yet.
func (s *FileStore) File(run string) string { return s.disk.path(fileName(run)) }

// Read implements [Store]. It reads a file from its start and checks all of it up to the
// last record that it yields, but holds no more of it than one record. What is behind
// from and damaged is a [*DamageError], after the records before it.
//
// It waits for an Append that is under way, and then yields what was there at that
// moment. While its records are used, others may append.
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
	sc := &scanner{run: run, path: s.File(run)}
	err := s.still(ctx, run, func(_ file, size int64) error { sc.end = size; return nil })
	if err != nil || sc.end == 0 {
		return err
	}
	f, err := s.disk.open(fileName(run))
	if errors.Is(err, fs.ErrNotExist) { // deleted since
		return nil
	}
	if err != nil {
		return fmt.Errorf("journal: run %q: %w", run, err)
	}
	defer func() { _ = f.Close() }()
	sc.from = f
	for {
		b, err := s.nextBatch(ctx, sc)
		if errors.Is(err, io.EOF) || errors.Is(err, errTorn) {
			return ended(ctx, run)
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

// nextBatch is next of the scanner. What looks torn or damaged may have been cut off and
// written anew since the size was taken, so it is looked at again while nobody writes.
func (s *FileStore) nextBatch(ctx context.Context, sc *scanner) (batch, error) {
	b, err := sc.next()
	if err == nil || errors.Is(err, io.EOF) {
		return b, err
	}
	sc.forget()
	free := sc.from
	again := s.still(ctx, sc.run, func(f file, size int64) error {
		sc.from, sc.end = f, size
		b, err = sc.next()
		return nil
	})
	sc.from = free
	sc.forget()
	if again != nil {
		return batch{}, again
	}
	return b, err
}

// still calls f with the file of a run while nobody writes to it. It does not call it
// when there is no file.
func (s *FileStore) still(ctx context.Context, run string, f func(file, int64) error) error {
	locked, err := s.disk.lock(ctx, fileName(run), forReading)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("journal: run %q: %w", run, err)
	}
	defer func() { _ = locked.Close() }()
	size, err := locked.size()
	if err != nil {
		return fmt.Errorf("journal: run %q: %w", run, err)
	}
	return f(locked, size)
}

// Runs implements [Store]. It goes by names and sizes, and opens no file: a run
// whose very first Append was torn is among them. Files that are no journals are left
// alone.
func (s *FileStore) Runs(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err := ended(ctx, ""); err != nil {
			yield("", err)
			return
		}
		files, err := s.disk.list()
		if err != nil {
			yield("", fmt.Errorf("journal: %w", err))
			return
		}
		var runs []string
		for name, size := range files {
			if run, ok := runOfFile(name); ok && size > int64(len(title(run))) {
				runs = append(runs, run)
			}
		}
		slices.Sort(runs)
		for _, run := range runs {
			if err := ended(ctx, ""); err != nil {
				yield("", err)
				return
			}
			if !yield(run, nil) {
				return
			}
		}
	}
}
