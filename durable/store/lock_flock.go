//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package store

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// lockFile opens a file with a lock that goes when it is closed, or its process ends.
func lockFile(path string, m lockMode) (*os.File, error) {
	flags := os.O_RDWR | syscall.O_NOFOLLOW
	if m == forCreating {
		flags |= os.O_CREATE
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	if err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		err = stillThere(f, path)
	}
	if err == nil {
		err = makePrivate(f)
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

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// makePrivate takes the rights of others from a file that somebody else has created.
func makePrivate(f *os.File) error {
	info, err := f.Stat()
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = f.Chmod(0o600)
	}
	return err
}

// unlockFile ends a lock before its file is closed: a process that is being started may have
// the file for a moment longer.
func unlockFile(f *os.File) { _ = flock(f, syscall.LOCK_UN) }

// openFile opens a file that is there, and no link to another one.
func openFile(path string, flags int) (*os.File, error) {
	return os.OpenFile(path, flags|syscall.O_NOFOLLOW, 0)
}

// checkFolder refuses a folder in which everybody can put another file in the place of one. In
// one with the sticky bit, such as /tmp, only its owner can.
func checkFolder(path string, info os.FileInfo) error {
	if info.Mode().Perm()&0o002 != 0 && info.Mode()&os.ModeSticky == 0 {
		return &os.PathError{Op: "use", Path: path, Err: errPublic}
	}
	return nil
}

// newLocked creates a file with a lock, in the folder of another one and with any name.
func newLocked(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return nil, err
	}
	if err = flock(f, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// replaceLock puts a file that is locked in the place of one that somebody else has locked.
func replaceLock(path string) (*os.File, error) {
	f, err := newLocked(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// canMove says whether a file can be renamed while somebody has it open.
const canMove = true

// stillThere finds out whether the path still leads to the file: it may have been
// deleted before it was locked, and what is written to it is lost then.
func stillThere(f *os.File, path string) error {
	mine, err := f.Stat()
	if err != nil {
		return err
	}
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
