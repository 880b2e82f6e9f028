//go:build !unix

package postgres

import (
	"errors"
	"fmt"
	"os/exec"
)

func own(string) error {
	return fmt.Errorf("postgres: servers are started on Unix only: %w", errors.ErrUnsupported)
}

func as(*exec.Cmd) error { return own("") }
