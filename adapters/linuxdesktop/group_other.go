//go:build !unix

package linuxdesktop

import "os/exec"

// A system without process groups has no X display to launch programs on, either.
func ownGroup(*exec.Cmd) {}

func groupLives(*exec.Cmd) bool { return false }

func endGroup(cmd *exec.Cmd, _ bool) { _ = cmd.Process.Kill() }
