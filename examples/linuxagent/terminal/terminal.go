package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// Defaults of [Config].
const (
	DefaultTimeout   = 30 * time.Second
	DefaultMaxOutput = 64 << 10
)

// Config describes a shell. Only Dir is required.
type Config struct {
	Dir string // the working directory of every command line
	// Shell is the program that executes command lines, with -c. "": bash, from the
	// PATH of this process, and an error if there is none. Another one is a decision:
	// a policy that judges a line as one of bash says nothing of what sh does with it.
	Shell string
	Path  string   // the variable PATH; "": that of this process
	Env   []string // more variables, as NAME=value
	// Timeout is how long one command line may take. 0: [DefaultTimeout], negative: as
	// long as the context allows; desktop.Execute gives each call a deadline too.
	Timeout time.Duration
	// MaxOutput is how many bytes of each of the two outputs are kept. 0:
	// [DefaultMaxOutput], negative: all, up to 64 MiB.
	MaxOutput int
}

// Output is the result of run_shell.
type Output struct {
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr,omitempty"`
	Exit   int    `json:"exit"`           // the exit status; -1: killed
	Note   string `json:"note,omitempty"` // what is missing here, in words of this package
}

// Error says what of a [Config] cannot be used.
type Error struct {
	Field string
	Value string
	Err   error
}

func (e *Error) Error() string { return fmt.Sprintf("terminal: %s %q: %v", e.Field, e.Value, e.Err) }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

var (
	errNotDir   = errors.New("is not a directory")
	errNoShell  = errors.New("bash is needed and not in PATH")
	errVariable = errors.New("is not NAME=value")
)

// shell is a Config that has been checked. It never changes.
type shell struct {
	program   string
	dir       string
	env       []string
	timeout   time.Duration
	maxOutput int
}

// New returns the desktop. The error is an [*Error].
func New(cfg Config) (desktop.Desktop, error) {
	s := &shell{timeout: cfg.Timeout, maxOutput: cfg.MaxOutput}
	if s.timeout == 0 {
		s.timeout = DefaultTimeout
	}
	if s.maxOutput == 0 {
		s.maxOutput = DefaultMaxOutput
	}
	var err error
	if s.dir, err = directory(cfg.Dir); err != nil {
		return nil, &Error{"Dir", cfg.Dir, err}
	}
	if s.program, err = program(cfg.Shell); err != nil {
		return nil, &Error{"Shell", cfg.Shell, err}
	}
	path := cfg.Path
	if path == "" {
		path = os.Getenv("PATH")
	}
	// In the locale C a byte is a byte and a decimal point a point, on every machine.
	s.env = append([]string{"PATH=" + path, "LC_ALL=C", "HOME=" + s.dir, "PWD=" + s.dir}, needed()...)
	for _, variable := range cfg.Env {
		if name, _, found := strings.Cut(variable, "="); !found || name == "" {
			return nil, &Error{"Env", name, errVariable} // without its value
		}
		s.env = append(s.env, variable)
	}
	tool, _ := desktop.ToolNamed(desktop.RunShell)
	d, err := desktop.New(desktop.Func(desktop.RunShell, tool.Description, s.run, &desktop.Annotations{DestructiveHint: true, OpenWorldHint: true}))
	if err != nil {
		return nil, fmt.Errorf("terminal: %w", err)
	}
	return d, nil
}

// input are the parameters of run_shell.
type input struct {
	Line string `json:"bash_command" desc:"the command line"`
}

// directory returns the absolute path of a directory, with links followed: what
// a policy judges must be what the shell works in.
func directory(name string) (string, error) {
	if name == "" {
		return "", errNotDir
	}
	path, err := filepath.Abs(name)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = errNotDir
	}
	return path, err
}

func program(name string) (string, error) {
	if name != "" {
		return exec.LookPath(name)
	}
	path, err := exec.LookPath("bash")
	if err != nil {
		return "", fmt.Errorf("%w: %w", errNoShell, err)
	}
	return path, nil
}

// needed are variables without which programs of some systems do not start.
func needed() []string {
	var list []string
	for _, name := range []string{"SystemRoot", "ComSpec"} {
		if value, found := os.LookupEnv(name); found {
			list = append(list, name+"="+value)
		}
	}
	return slices.Clip(list)
}

// run executes one command line.
func (s *shell) run(ctx context.Context, in input) (desktop.Result, error) {
	limited := ctx
	if s.timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, s.timeout, errTimeout)
		defer cancel()
	}
	out, problem := s.execute(limited, in.Line)
	if ctx.Err() != nil {
		return desktop.Result{}, context.Cause(ctx)
	}
	if errors.Is(problem, errStart) {
		return desktop.Result{}, &desktop.CallError{Err: problem}
	}
	result, err := desktop.JSONResult(out)
	if err != nil {
		return desktop.Result{}, err
	}
	if problem != nil {
		result.Status, result.Error = desktop.Failure, problem.Error()
	}
	return result, nil
}
