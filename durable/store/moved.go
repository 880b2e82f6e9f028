package store

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/internal/ownfile"
)

// A process that hangs within an Append has the lock of the file, for as long as it
// hangs. Who takes its run over does not wait for that: the file gets another name, and a
// copy of it has its place. What the process still writes goes to the file of the other name,
// and it finds out before its Append returns nil (writer.write).
//
//  1. run-x.journal is renamed to run-x.moved. From here on no Append to it is acknowledged;
//     all that were before are in it. Readers read it under that name.
//  2. Its records are copied to a new file, and synced.
//  3. That one gets the name run-x.journal, unless another one has it by now.
//
// Whoever wants to append and finds only run-x.moved does 2 and 3, so that nothing depends on
// the process that began. run-x.moved stays, empty.

// stuckAfter is how long somebody who has taken a run over waits for the file of an Append that is
// under way.
const stuckAfter = time.Second

// copyPrefix begins the first name of a copy.
const copyPrefix = ".new-"

func moved(path string) string { return strings.TrimSuffix(path, fileSuffix) + movedSuffix }

// openMoved opens a file that was moved and not replaced yet.
func openMoved(path string, flags int) (*os.File, error) {
	f, err := ownfile.Open(path, flags)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() == 0 {
		err = fs.ErrNotExist // it was replaced
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// free sees to it that a file can be locked that a process has which hangs.
func (d folder) free(ctx context.Context, name string) error {
	limited, cancel := context.WithTimeout(ctx, stuckAfter)
	defer cancel()
	f, _, err := d.lock(limited, name, forWriting)
	switch {
	case err == nil:
		return f.Close()
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case ctx.Err() != nil || limited.Err() == nil || !sharesOpen:
		return err
	}
	path := d.path(name)
	if err := os.Rename(path, moved(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, err = d.finishMove(ctx, path)
	return err
}

// finishMove puts a copy in the place of a file that was moved. It does nothing, and says so,
// where none was.
func (d folder) finishMove(ctx context.Context, path string) (finished bool, err error) {
	from, err := openMoved(moved(path), os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = from.Close() }() // what it has is copied
	to, err := os.CreateTemp(string(d), copyPrefix+"*")
	if err != nil {
		return false, err
	}
	defer func(name string) { _ = os.Remove(name) }(to.Name()) // it has another one then
	err = copyRecords(ctx, &osFile{File: from, path: moved(path)}, to, path)
	if err = errors.Join(err, to.Sync(), to.Close()); err == nil {
		err = nameOnce(to.Name(), path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	if err != nil {
		return false, err
	}
	return true, from.Truncate(0) // this file, whatever the name leads to by now
}

// copyRecords copies what is whole of the file of a run. A process that comes to itself may write
// behind that, and truncate it.
func copyRecords(ctx context.Context, from file, to *os.File, path string) error {
	run, _ := runOfFile(filepath.Base(path))
	size, err := from.size()
	if err != nil {
		return err
	}
	sc := &scanner{run: run, path: path, from: from, end: size}
	for err == nil {
		_, err = steady(ctx, sc, from)
	}
	end := sc.at
	switch {
	case errors.Is(err, ErrDamaged) || errors.Is(err, ErrVersion):
		end = sc.end // whoever reads the copy says so
	case !errors.Is(err, io.EOF) && !errors.Is(err, errTorn):
		return err
	}
	_, err = io.Copy(to, io.NewSectionReader(from, 0, end))
	return err
}

// openOwn opens a file of the folder. Between two steps of nameOnce, or after a crash there, a copy has two names.
func openOwn(path string, flags int) (*os.File, error) {
	f, err := ownfile.Open(path, flags)
	if !errors.Is(err, ownfile.ErrForeign) {
		return f, err
	}
	if mine, err := os.Lstat(path); err == nil && mine.Mode().IsRegular() {
		names, _ := os.ReadDir(filepath.Dir(path)) // without them, it stays refused
		for _, name := range names {
			other, err := name.Info()
			if err == nil && strings.HasPrefix(name.Name(), copyPrefix) && os.SameFile(mine, other) {
				_ = os.Remove(filepath.Join(filepath.Dir(path), name.Name())) // or its mover does
			}
		}
	}
	return ownfile.Open(path, flags)
}

// nameOnce gives a file a name unless another one has it.
func nameOnce(name, path string) error {
	err := os.Link(name, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	if _, there := os.Lstat(path); errors.Is(there, fs.ErrNotExist) {
		return os.Rename(name, path) // a file system without links
	}
	return err
}
