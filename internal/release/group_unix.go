//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// endGroup makes the end of the context that of the command's children too: go
// has compilers, and git has helpers.
func endGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
