//go:build !unix

package linuxdesktop

import (
	"os/exec"
	"syscall"
)

// A system without process groups has no X display to launch programs on, either.
func ownGroup(*exec.Cmd) {}

func signalGroup(cmd *exec.Cmd, s syscall.Signal) bool { return cmd.Process.Signal(s) == nil }
