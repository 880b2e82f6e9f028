//go:build !unix

package terminal

import "os/exec"

// ownGroup does nothing: this system has no process groups that could be killed as one.
func ownGroup(*exec.Cmd) {}

// fate tells what happens to the processes that a shell leaves behind.
const fate = "it may go on"

// killGroup kills the shell.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
