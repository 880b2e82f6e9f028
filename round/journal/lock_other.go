//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package journal

import (
	"errors"
	"os"
)

// Files refuses a system on which two processes could write one file at a time.
const lockable = false

func lockFile(string, lockMode) (*os.File, error) { return nil, errors.ErrUnsupported }

func syncFolder(string) error { return errors.ErrUnsupported }
