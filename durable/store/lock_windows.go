package store

import (
	"errors"
	"os"
	"syscall"
)

// What Windows says of a file that somebody else has open, and does not share.
const (
	errorSharingViolation = syscall.Errno(32)
	errorLockViolation    = syscall.Errno(33)
)

// lockFile opens a file and shares it for reading only. While it is open nobody
// else can open it for writing, delete it or rename it.
func lockFile(path string, m lockMode) (*os.File, os.FileInfo, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	access, create := uint32(syscall.GENERIC_READ|syscall.GENERIC_WRITE), uint32(syscall.OPEN_EXISTING)
	if m == forCreating {
		create = syscall.OPEN_ALWAYS
	}
	h, err := syscall.CreateFile(name, access, syscall.FILE_SHARE_READ, nil, create, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case errors.Is(err, errorSharingViolation), errors.Is(err, errorLockViolation):
		return nil, nil, errLocked
	case err != nil:
		return nil, nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(h), path)
	mine, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, mine, nil
}

func relockFile(*os.File) error { return errors.ErrUnsupported }

func unlockFile(*os.File) error { return nil } // closing it does

func syncData(f *os.File) error { return f.Sync() }

// stillThere has nothing to find out: a file that is open stays where it is.
func stillThere(f *os.File, _ os.FileInfo, _ string) (os.FileInfo, error) { return f.Stat() }

// replaceLock cannot: nobody else can rename the file while it is open.
func replaceLock(path string) (*os.File, error) {
	return nil, &os.PathError{Op: "take over", Path: path, Err: errors.ErrUnsupported}
}

// sharesOpen says that nobody else can write to a file, rename or delete it while it is open.
const sharesOpen = false

// syncFolder has nothing to do: NTFS keeps a log of which files there are, and Windows
// refuses to flush a folder to who is no administrator.
func syncFolder(string) error { return nil }

const lockable = true
