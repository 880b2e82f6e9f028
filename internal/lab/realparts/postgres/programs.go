package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// ErrMissing says that PostgreSQL is not installed.
var ErrMissing = errors.New("postgres: there is no PostgreSQL: run internal/lab/realparts/install.sh, or name the folder of its programs in AGENTFSM_POSTGRES")

// programs is the folder of the server's programs: the one that AGENTFSM_POSTGRES names, that
// of Debian's newest package, or one of the PATH.
func programs() (string, error) {
	if named := os.Getenv("AGENTFSM_POSTGRES"); named != "" {
		if !complete(named) {
			return "", fmt.Errorf("%w (it names %s, which has not both initdb and postgres)", ErrMissing, named)
		}
		return named, nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", fmt.Errorf("postgres: %w", err)
	}
	version := func(bin string) int {
		n, err := strconv.Atoi(filepath.Base(filepath.Dir(bin)))
		if err != nil {
			return 0 // before those with a number
		}
		return n
	}
	slices.SortFunc(found, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	if path, err := exec.LookPath("initdb"); err == nil {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			found = append(found, filepath.Dir(target))
		}
	}
	for _, bin := range found {
		if complete(bin) {
			return bin, nil
		}
	}
	return "", ErrMissing
}

// complete reports whether a folder has what is needed to make and start a server.
func complete(bin string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		if _, err := exec.LookPath(filepath.Join(bin, name)); err != nil {
			return false
		}
	}
	return true
}
