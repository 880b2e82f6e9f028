//go:build unix

package linuxdesktop

import (
	"os/exec"
	"syscall"
)

// ownGroup has a program start in a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// signalGroup signals the processes of a program's group, and reports whether there are some.
func signalGroup(cmd *exec.Cmd, s syscall.Signal) bool {
	return syscall.Kill(-cmd.Process.Pid, s) == nil
}
