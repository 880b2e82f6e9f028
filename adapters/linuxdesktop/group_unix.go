//go:build unix

package linuxdesktop

import (
	"os/exec"
	"syscall"
)

// ownGroup has a program start in a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// groupLives reports whether a process of a program's group is there.
func groupLives(cmd *exec.Cmd) bool { return syscall.Kill(-cmd.Process.Pid, 0) == nil }

// endGroup asks the processes of a program's group to end, or ends them.
func endGroup(cmd *exec.Cmd, hard bool) {
	signal := syscall.SIGTERM
	if hard {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-cmd.Process.Pid, signal) // they may have ended
}
