//go:build !unix

package ownfile

import (
	"errors"
	"io/fs"
	"os"
)

func mine(os.FileInfo) bool { return true }

// public has nothing to say: rights are in lists, which a file inherits from its folder.
func public(os.FileInfo) bool { return false }

// Open opens a file, and returns an error over [ErrForeign] if it is not a regular one.
func Open(path string, flags int) (*os.File, error) {
	if err := Check(path, 0); err != nil && (flags&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	return os.OpenFile(path, flags, 0o600)
}
