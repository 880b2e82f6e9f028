package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// defaultMaxRecord is how large a record may be, in bytes, where FilesOptions do not
// say it.
const defaultMaxRecord = 64 << 20

// FilesOptions are options of [Files]. The zero value has the defaults.
type FilesOptions struct {
	// MaxRecord is how large a record may be that is appended, in bytes. 0:
	// 64 MiB; negative: as large as a file can have, 2 GiB.
	MaxRecord int64
	// Logger is told when an Append cuts off what an earlier one left half written, because its
	// process was killed or the power failed: the attributes run, file, after (the last whole
	// record), offset and bytes. Nobody was told that those records were there. Nil: no log.
	Logger *slog.Logger
}

// torn is the end of a file that an Append left half written.
type torn struct {
	run    string
	file   string
	after  int64 // the last seq before it
	offset int64 // where it began, in bytes
	size   int64 // how much was cut off, in bytes
}

func (t torn) log(ctx context.Context, to *slog.Logger) {
	to.LogAttrs(ctx, slog.LevelWarn, "store: cut off an append that was left half written",
		slog.String("agentfsm.run.id", t.run), slog.String("file", t.file), slog.Int64("after", t.after),
		slog.Int64("offset", t.offset), slog.Int64("bytes", t.size))
}

// FileStore is a Store with a file for each run. Between calls it has open only the files of runs that
// it drives, so that there is nothing to close but a [Hold], and suspended runs cost nothing. Several
// FileStores, of several processes as well, may have one folder, on a disk of the same machine.
type FileStore struct {
	disk  disk
	locks *locks
	max   int64
	torn  func(context.Context, torn)

	mu     sync.Mutex
	runs   map[string]*tail
	driven int // how many of runs have a hold
}

// maxTails is how many runs a FileStore remembers the end of. Of another one the next
// Append reads the file.
const maxTails = 4096

// Files returns a Store of the files in a folder, which is created when it is not
// there, also for a caller who only wants to read. Folder and files are for their owner only: what is in a journal may be
// secret. opts may be nil. It fails where the folder cannot be used, and with
// errors.ErrUnsupported on a system without locks for files.
//
// A folder that is there keeps its rights. Files refuses one to which every user may write, unless it has the
// sticky bit. A run whose file is a link, has a second name, is a pipe or another user's is a [*DamageError], and its id cannot be used. So
// other users who may write to the folder, such as its group, can delete runs and block ids. They
// cannot read or change a run.
func Files(dir string, opts *FilesOptions) (*FileStore, error) {
	if !lockable {
		return nil, fmt.Errorf("store: no locks for files on this system: %w", errors.ErrUnsupported)
	}
	d, err := makeFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s := newFileStore(d, opts)
	s.locks = &locks{dir: string(d)}
	return s, nil
}

func newFileStore(d disk, opts *FilesOptions) *FileStore {
	s := &FileStore{disk: d, max: defaultMaxRecord, runs: map[string]*tail{}}
	if opts != nil {
		if log := opts.Logger; log != nil {
			s.torn = func(ctx context.Context, cut torn) { cut.log(ctx, log) }
		}
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
// It takes no lock and waits for nobody, so that a process that hangs within an Append
// keeps no reader waiting. While its records are used, others may append.
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

// steady is next of the scanner, of a file that others write to. What looks damaged may be the
// torn end of an Append that was cut off and written over within this look. So it counts when
// it is the same at the next look.
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

// Drive implements [Store], by a lock of a file beside that of the run: see [DrivesIn]. Where a
// process hangs within an Append, a take-over waits a second for it and then gives the run
// another file, with the same records.
//
// Until the Hold is released the file of the run stays open after the first Append.
func (s *FileStore) Drive(ctx context.Context, run string, takeOver bool) (Hold, error) {
	h, err := s.locks.drive(ctx, run, takeOver)
	if err != nil {
		return nil, err
	}
	if h.Took() {
		if err := folder(s.locks.dir).free(ctx, fileName(run)); err != nil {
			return nil, errors.Join(inFile(run, err), h.Release(ctx))
		}
	}
	return s.driving(run, h), nil
}

// Runs implements [Store]. It goes by names and sizes, and opens no file: a run
// whose very first Append was torn is among them. Files that are no journals are left
// alone.
func (s *FileStore) Runs(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		sizes, err := s.sizes(ctx)
		if err != nil {
			yield("", err)
			return
		}
		runs := slices.Sorted(maps.Keys(sizes))
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

// sizes are those of the journals. One that is about to be moved has two files for a moment.
func (s *FileStore) sizes(ctx context.Context) (map[string]int64, error) {
	if err := ended(ctx, ""); err != nil {
		return nil, err
	}
	files, err := s.disk.list()
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	sizes := map[string]int64{}
	for name, size := range files {
		if before, isMoved := strings.CutSuffix(name, movedSuffix); isMoved {
			name = before + fileSuffix
		}
		if run, ok := runOfFile(name); ok && size > int64(len(title(run))) {
			sizes[run] = max(sizes[run], size)
		}
	}
	return sizes, nil
}
