package journal

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
// else can open it for writing, and it cannot be opened like this while somebody writes.
func lockFile(path string, m lockMode) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	access, create := uint32(syscall.GENERIC_READ|syscall.GENERIC_WRITE), uint32(syscall.OPEN_EXISTING)
	switch m {
	case forReading:
		access = syscall.GENERIC_READ
	case forCreating:
		create = syscall.OPEN_ALWAYS
	case forWriting:
	}
	h, err := syscall.CreateFile(name, access, syscall.FILE_SHARE_READ, nil, create, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case errors.Is(err, errorSharingViolation), errors.Is(err, errorLockViolation):
		return nil, errLocked
	case err != nil:
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// syncFolder has nothing to do: NTFS keeps a log of which files there are, and Windows
// refuses to flush a folder to who is no administrator.
func syncFolder(string) error { return nil }

const lockable = true
