//go:build unix

package mcp

import (
	"os"
	"os/exec"
	"syscall"
)

// prepare gives the process a group of its own, of which it is the leader.
func prepare(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// group is a process and what it started, but for what left the group.
type group struct{ id int }

func newGroup(p *os.Process) group { return group{p.Pid} }

// terminate asks all of them to end.
func (g group) terminate() { _ = syscall.Kill(-g.id, syscall.SIGTERM) }

// kill ends all of them. The number belongs to the group as long as one of it is
// left.
func (g group) kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }
