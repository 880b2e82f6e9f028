//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package store

import (
	"errors"
	"os"
)

// Files refuses a system on which two processes could write one file at a time.
const lockable = false

func lockFile(string, bool) (*os.File, os.FileInfo, error) {
	return nil, nil, errors.ErrUnsupported
}

func unlockFile(*os.File) error { return errors.ErrUnsupported }

func stillThere(os.FileInfo, string) error { return errors.ErrUnsupported }

func replaceLock(string) (*os.File, error) { return nil, errors.ErrUnsupported }

const sharesOpen = false

func syncFolder(string) error { return errors.ErrUnsupported }
