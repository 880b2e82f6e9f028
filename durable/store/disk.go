package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/agentfsm/agentfsm/internal/ownfile"
)

// disk is where the files of a FileStore are. Tests have one that breaks.
type disk interface {
	// open opens a file for reading, whoever writes to it. It is an fs.ErrNotExist when there is none.
	open(name string) (file, error)
	// lock opens a file for writing, creates it if it may, and keeps out everybody else who does until it is
	// closed. It waits for them as long as its context lets it.
	lock(ctx context.Context, name string, create bool) (lockedFile, error)
	// list returns the names of the files.
	list() ([]string, error)
	// syncFolder makes it last that files were created.
	syncFolder() error
	// replace makes a file be as data is, with newlines behind it up to the length that it had. A reader at the same time
	// and a power cut may leave a mixture, which a checksum in data has to tell.
	replace(name string, data []byte) error
	// readAll reads a small file, of at most maxMark bytes.
	readAll(name string) ([]byte, error)
	// stat describes a file, and follows no link.
	stat(name string) (fs.FileInfo, error)
	// path is how a file is named in errors.
	path(name string) string
}

// file is one that others may write to.
type file interface {
	io.ReaderAt
	io.Closer
	size() (int64, error)
}

// lockedFile is one that nobody else writes to, until it is closed.
type lockedFile interface {
	file
	io.WriterAt
	Truncate(size int64) error
	Sync() error
}

// folder is a disk that is a folder of the system.
type folder string

// makeFolder creates a folder, for nobody else, and makes it last that it was.
func makeFolder(dir string) (folder, error) {
	dir, err := filepath.Abs(dir) // a program may change its folder later
	if err != nil {
		return "", err
	}
	var made []string
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil && info.IsDir() {
			if err := ownfile.Folder(at, info); at == dir && err != nil {
				return "", err
			}
			break
		}
		if err == nil {
			return "", &fs.PathError{Op: "mkdir", Path: at, Err: syscall.ENOTDIR}
		}
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return "", err
		}
		made = append(made, at)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for _, m := range made {
		if err := syncFolder(filepath.Dir(m)); err != nil {
			return "", err
		}
	}
	return folder(dir), nil
}

func (d folder) path(name string) string { return filepath.Join(string(d), name) }

func (d folder) open(name string) (file, error) {
	f, err := ownfile.Open(d.path(name), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

// errLocked is what lockFile returns while somebody else has the lock.
var errLocked = errors.New("store: somebody else has the file")

// How long lock waits before it tries again. No system has a lock that both waits and
// heeds a context, without a thread for each that waits.
const (
	firstPause = 500 * time.Microsecond
	lastPause  = 8 * time.Millisecond
)

func (d folder) lock(ctx context.Context, name string, create bool) (lockedFile, error) {
	path := d.path(name)
	for wait := firstPause; ; wait = min(2*wait, lastPause) {
		f, _, err := lockFile(path, create)
		if err == nil {
			return osFile{f}, nil
		}
		if !errors.Is(err, errLocked) {
			return nil, err
		}
		if err := pause(ctx, wait); err != nil {
			return nil, fmt.Errorf("waiting for %s: %w", path, err)
		}
	}
}

// delete removes the files that have records of a run. The caller drives it. Who appends beside comes before, or after.
func (d folder) delete(ctx context.Context, run string) error {
	f, err := d.lock(ctx, fileName(run), false)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case sharesOpen:
		defer func() { _ = f.Close() }() // nothing was written
	default: // what is open stays on such a system
		if err := f.Close(); err != nil {
			return err
		}
	}
	for _, name := range []string{markName(run), fileName(run)} {
		if err := os.Remove(d.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return d.syncFolder()
}

func (d folder) list() ([]string, error) {
	entries, err := os.ReadDir(string(d))
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

func (d folder) syncFolder() error { return syncFolder(string(d)) }

func (d folder) replace(name string, data []byte) error {
	path := d.path(name)
	f, err := ownfile.Open(path, os.O_WRONLY|os.O_CREATE)
	if errors.Is(err, ownfile.ErrForeign) {
		if err = os.Remove(path); err == nil {
			f, err = ownfile.Open(path, os.O_WRONLY|os.O_CREATE)
		}
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // a mark is not sure to last
	info, err := f.Stat()
	if err != nil {
		return err
	}
	rest := max(info.Size()-int64(len(data)), 0)
	if rest > maxMark {
		if err := f.Truncate(0); err != nil {
			return err
		}
		rest = 0
	}
	_, err = f.Write(append(data, bytes.Repeat([]byte("\n"), int(rest))...)) // a rename takes several times as long
	return err
}

func (d folder) readAll(name string) ([]byte, error) {
	f, err := ownfile.Open(d.path(name), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, maxMark+1))
	if err == nil && len(data) > maxMark {
		err = ErrTooLarge
	}
	return data, err
}

func (d folder) stat(name string) (fs.FileInfo, error) { return os.Lstat(d.path(name)) }

type osFile struct{ *os.File }

func (f osFile) size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
