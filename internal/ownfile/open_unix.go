//go:build unix

package ownfile

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"syscall"
)

// user returns the user of this process. Tests replace it.
var user = sync.OnceValue(os.Geteuid)

func mine(info os.FileInfo) bool {
	stat, known := info.Sys().(*syscall.Stat_t)
	return !known || int(stat.Uid) == user()
}

// named reports whether a file has further names: to write to it would change another file.
func named(info os.FileInfo) bool {
	stat, known := info.Sys().(*syscall.Stat_t)
	return known && stat.Nlink > 1
}

func public(info os.FileInfo) bool {
	return info.Mode().Perm()&0o002 != 0 && info.Mode()&os.ModeSticky == 0
}

// Open opens a file, and returns an error over [ErrForeign] if it is not ours. It never waits for another process.
func Open(path string, flags int) (*os.File, error) {
	// os.OpenFile makes five more calls, to find out whether a file can be polled.
	fd, err := syscall.Open(path, flags|syscall.O_CLOEXEC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	for errors.Is(err, syscall.EINTR) {
		fd, err = syscall.Open(path, flags|syscall.O_CLOEXEC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // most files that cannot be opened are not there
		if foreign := Check(path, 0); errors.Is(foreign, ErrForeign) {
			return nil, foreign // a link, say: systems have several errors for that
		}
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || !mine(info) || named(info)) {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrForeign}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
