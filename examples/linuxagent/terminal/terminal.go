package terminal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// Config describes a shell. Dir is required.
type Config struct {
	Dir     string        // the working directory of every command line
	Timeout time.Duration // how long one command line may take; 0: 30 seconds
}

// maxOutput is how many bytes of each of the two outputs are kept.
const maxOutput = 64 << 10

// Output is the result of run_shell.
type Output struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr,omitempty"`
	Exit   int    `json:"exit"`           // the exit status; -1: killed
	Note   string `json:"note,omitempty"` // what is missing here, in words of this package
}

// shell is a Config that has been checked. It never changes.
type shell struct {
	program, dir string
	env          []string
	timeout      time.Duration
}

// New returns the desktop.
func New(cfg Config) (desktop.Desktop, error) {
	s := &shell{timeout: cmp.Or(cfg.Timeout, 30*time.Second)}
	// What a policy judges must be what the shell works in, so links are followed.
	dir, err := filepath.Abs(cfg.Dir)
	if err == nil {
		s.dir, err = filepath.EvalSymlinks(dir)
	}
	info, failed := os.Stat(s.dir)
	if err = errors.Join(err, failed); err != nil || cfg.Dir == "" || !info.IsDir() {
		return nil, fmt.Errorf("terminal: Config.Dir is %q, and must be a directory: %w", cfg.Dir, errors.Join(err, fs.ErrInvalid))
	}
	if s.program, err = exec.LookPath("bash"); err != nil {
		return nil, fmt.Errorf("terminal: bash is needed: %w", err)
	}
	// In the locale C a byte is a byte and a decimal point a point, on every machine.
	s.env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "HOME=" + s.dir, "PWD=" + s.dir}
	for _, name := range []string{"SystemRoot", "ComSpec"} { // programs of Windows need them
		if value, found := os.LookupEnv(name); found {
			s.env = append(s.env, name+"="+value)
		}
	}
	tool, _ := desktop.ToolNamed(desktop.RunShell)
	return desktop.New(desktop.Func(desktop.RunShell, tool.Description, s.run, &desktop.Annotations{DestructiveHint: true, OpenWorldHint: true}))
}

// input are the parameters of run_shell.
type input struct {
	Line string `json:"bash_command" desc:"the command line"`
}
