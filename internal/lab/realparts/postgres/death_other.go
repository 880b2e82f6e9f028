//go:build !linux

package postgres

import "os/exec"

// dieWithParent does nothing here: a server that is not stopped goes on.
func dieWithParent(*exec.Cmd) {}
