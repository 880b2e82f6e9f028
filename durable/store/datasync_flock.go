//go:build darwin || dragonfly || freebsd || illumos || netbsd || openbsd

package store

import "os"

// syncData is Sync, which on macOS also empties the cache of the disk.
func syncData(f *os.File) error { return f.Sync() }
