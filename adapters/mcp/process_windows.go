package mcp

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// prepare keeps a Ctrl-C in the own console from the process.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// group is a job object with a process and what it started since it is in it.
// The job ends with its last handle, so that nothing outlives this program either.
type group struct{ job *job }

type job struct {
	handle windows.Handle
	once   sync.Once
}

func newGroup(p *os.Process) group {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return group{} // the process alone is killed then
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))) //nolint:gosec // the call wants it so
	if err == nil {
		err = assign(handle, p)
	}
	if err != nil {
		_ = windows.CloseHandle(handle)
		return group{}
	}
	return group{&job{handle: handle}}
}

func assign(handle windows.Handle, p *os.Process) error {
	var assigned error
	err := p.WithHandle(func(process uintptr) {
		assigned = windows.AssignProcessToJobObject(handle, windows.Handle(process))
	})
	if err != nil {
		return err
	}
	return assigned
}

// terminate does nothing: a process without a window cannot be asked.
func (g group) terminate() {}

// kill ends all of them.
func (g group) kill() {
	if g.job != nil {
		g.job.once.Do(func() {
			_ = windows.TerminateJobObject(g.job.handle, 1)
			_ = windows.CloseHandle(g.job.handle)
		})
	}
}
