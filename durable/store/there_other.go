//go:build !linux

package store

func (f *osFile) there() (stamp, error) { return f.thereByInfo() }
