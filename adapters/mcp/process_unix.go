//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// lead makes a command the leader of a process group. Its cancellation ends all of the group.
func lead(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// killGroup kills what a command left behind. The number belongs to the group as long as one of it is left.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
