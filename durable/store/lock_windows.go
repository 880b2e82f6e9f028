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
func lockFile(path string, create bool) (*os.File, os.FileInfo, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	access, how := uint32(syscall.GENERIC_READ|syscall.GENERIC_WRITE), uint32(syscall.OPEN_EXISTING)
	if create {
		how = syscall.OPEN_ALWAYS
	}
	h, err := syscall.CreateFile(name, access, syscall.FILE_SHARE_READ, nil, how, syscall.FILE_ATTRIBUTE_NORMAL, 0)
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

func unlockFile(*os.File) error { return nil } // closing it does

// stillThere has nothing to find out: a file that is open stays where it is.
func stillThere(os.FileInfo, string) error { return nil }

// replaceLock cannot: nobody else can rename the file while it is open.
func replaceLock(path string) (*os.File, error) {
	return nil, &os.PathError{Op: "take over", Path: path, Err: errors.ErrUnsupported}
}

// sharesOpen says that nobody else can delete a file while it is open.
const sharesOpen = false

// syncFolder has nothing to do: NTFS keeps a log of which files there are, and Windows
// refuses to flush a folder to who is no administrator.
func syncFolder(string) error { return nil }

const lockable = true
