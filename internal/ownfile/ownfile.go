// Package ownfile opens files in folders to which other users of the machine may write. Such a user can give a
// name to a link, to a pipe that keeps its reader waiting, or to a file that the user can read or change.
package ownfile

import (
	"errors"
	"io/fs"
	"os"
)

// ErrForeign says that a name does not lead to a file, or folder, of the user of this process, or that a file that was to be
// opened has other names, too.
var ErrForeign = errors.New("it is a link, has several names, is of another kind, or another user's")

// errPublic says that every user can rename the files of a folder.
var errPublic = errors.New("others may write to the folder")

// Check returns an error over [ErrForeign] if a file is not of this user and of the kind, 0 for a regular one, or
// fs.ModeDir. Other errors are those of finding out, such as fs.ErrNotExist.
func Check(path string, kind fs.FileMode) error {
	info, err := os.Lstat(path)
	if err == nil && (info.Mode().Type() != kind || !mine(info)) {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrForeign}
	}
	return err
}

// Folder refuses a folder in which every user can put another file in the place of one. In a folder with the
// sticky bit, such as /tmp, only the owner of a file can.
func Folder(path string, info os.FileInfo) error {
	if public(info) {
		return &fs.PathError{Op: "use", Path: path, Err: errPublic}
	}
	return nil
}
