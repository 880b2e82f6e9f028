//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lockFile opens a file with a lock that goes when it is closed, or its process ends.
func lockFile(path string, m lockMode) (*os.File, error) {
	flags, how := os.O_RDWR, syscall.LOCK_EX
	switch m {
	case forReading:
		flags, how = os.O_RDONLY, syscall.LOCK_SH
	case forCreating:
		flags |= os.O_CREATE
	case forWriting:
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		err = stillThere(f, path)
	}
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errLocked
	}
	if !errors.Is(err, errLocked) {
		err = &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return nil, err
}

// stillThere finds out whether the path still leads to the file: it may have been
// deleted before it was locked, and what is written to it is lost then.
func stillThere(f *os.File, path string) error {
	mine, err := f.Stat()
	if err != nil {
		return err
	}
	now, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(mine, now) {
		return errLocked // try again with what is there now
	}
	return err
}

// syncFolder makes it last that files of a folder were created.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

const lockable = true
