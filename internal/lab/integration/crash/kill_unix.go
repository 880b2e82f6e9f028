//go:build unix

package main

import (
	"os"
	"syscall"
)

// killable says whether a process can be killed here as a crash does it.
const killable = true

// die ends this process as kill -9 does: nothing more of it runs.
func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// stop has a process stand still, and proceed has it go on as if nothing had been.
func stop(p *os.Process) error    { return p.Signal(syscall.SIGSTOP) }
func proceed(p *os.Process) error { return p.Signal(syscall.SIGCONT) }

// wasKilled reports whether that is how a process ended.
func wasKilled(p *os.ProcessState) bool {
	status, ok := p.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
