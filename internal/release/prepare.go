package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// A versionError is a version that the core cannot have.
type versionError struct {
	Version string
	Err     error // nil when it is no version at all
}

func (e *versionError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("release: %q is no version such as v0.2.0 or v0.2.0-rc.1", e.Version)
	}
	return fmt.Sprintf("release: %v", e.Err)
}

func (e *versionError) Unwrap() error { return e.Err }

// checkVersion refuses what is no version, and one of another major version than
// the path of the core says.
func checkVersion(core *ours, version string) error {
	if semver.Canonical(version) != version {
		return &versionError{Version: version}
	}
	if err := module.Check(core.path(), version); err != nil {
		return &versionError{version, err}
	}
	return nil
}

// prepare writes the version into what modules require of each other, and says
// which files it changed. Nothing else in them changes, so that a release is one commit.
func prepare(root, version string, out io.Writer) error {
	r, err := load(root)
	if err != nil {
		return err
	}
	if err := checkVersion(r.core(), version); err != nil {
		return err
	}
	for _, m := range r.modules {
		changed := false
		for _, q := range r.requires(m) {
			if q.Version == version {
				continue
			}
			changed = true
			if err := m.file.AddRequire(q.Path, version); err != nil {
				return fmt.Errorf("release: %s: %w", m.name(), err)
			}
		}
		if !changed {
			continue
		}
		text, err := m.file.Format()
		if err != nil {
			return fmt.Errorf("release: %s: %w", m.name(), err)
		}
		name := filepath.FromSlash(m.name())
		if err := os.WriteFile(filepath.Join(root, name), text, 0o644); err != nil {
			return fmt.Errorf("release: %w", err)
		}
		fmt.Fprintln(out, m.name())
	}
	_, err = planOf(root)
	return err
}
