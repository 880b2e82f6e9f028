package postgres

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the system end the server when our process ends without Stop.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT }
