package store

import (
	"os"
	"syscall"
)

// syncData leaves out what nobody needs to read the file, such as when it was written.
func syncData(f *os.File) error {
	if err := control(f, syscall.Fdatasync); err != nil {
		return &os.PathError{Op: "sync", Path: f.Name(), Err: err}
	}
	return nil
}
