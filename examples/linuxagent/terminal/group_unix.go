//go:build unix

package terminal

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the shell the first of a process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// fate tells what happens to the processes that a shell leaves behind.
const fate = "its process group was killed, and what is in another one goes on"

// killGroup kills the shell and everything in its group.
func killGroup(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
