//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package store

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"

	"github.com/agentfsm/agentfsm/internal/ownfile"
)

// lockFile opens a file with a lock that goes when it is closed, or its process ends. It
// also returns which file that is, and how it was when it was locked.
func lockFile(path string, create bool) (*os.File, os.FileInfo, error) {
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
	}
	f, err := ownfile.Open(path, flags)
	if err != nil {
		return nil, nil, err
	}
	mine, err := lockOpen(f, path)
	if err == nil {
		return f, mine, nil
	}
	_ = f.Close()
	if !errors.Is(err, errLocked) {
		err = &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return nil, nil, err
}

func lockOpen(f *os.File, path string) (os.FileInfo, error) {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errLocked
	}
	if err != nil {
		return nil, err
	}
	mine, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := stillThere(mine, path); err != nil {
		return nil, err
	}
	if mine.Mode().Perm()&0o077 != 0 { // somebody else has created it
		err = f.Chmod(0o600)
	}
	return mine, err
}

func flock(f *os.File, how int) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	called := conn.Control(func(fd uintptr) {
		for {
			if err = syscall.Flock(int(fd), how); !errors.Is(err, syscall.EINTR) {
				return
			}
		}
	})
	return errors.Join(called, err)
}

// unlockFile ends a lock before its file is closed: a process that is being started may have
// the file for a moment longer.
func unlockFile(f *os.File) error { return flock(f, syscall.LOCK_UN) }

// replaceLock puts a file that is locked in the place of one that somebody else has locked.
func replaceLock(path string) (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return nil, err
	}
	if err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// sharesOpen says whether others can delete a file that somebody has open.
const sharesOpen = true

// stillThere finds out whether the path still leads to the file: it may have been deleted before it was locked, and
// what is written to it is lost then.
func stillThere(mine os.FileInfo, path string) error {
	now, err := os.Lstat(path)
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
