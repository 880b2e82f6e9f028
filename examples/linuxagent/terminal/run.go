package terminal

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
)

// maxTotal is how many bytes a command line may print before it is stopped.
const maxTotal = 64 << 20

// grace is how long what the shell left behind may hold its output open.
const grace = time.Second

var (
	errTimeout = errors.New("the time is up")
	errTooMuch = errors.New("too much output")
)

// run executes one command line to its end.
func (s *shell) run(ctx context.Context, in input) (desktop.Result, error) {
	limited, cancel := context.WithTimeoutCause(ctx, s.timeout, errTimeout)
	defer cancel()
	cmd := exec.CommandContext(limited, s.program, "-c", "--", in.Line) // behind -- a line may begin with a hyphen
	cmd.Dir, cmd.Env = s.dir, s.env
	stdout, stderr := &head{}, &head{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	// A program in the background holds the pipes open after the shell has ended. Wait gives up on it then, and it is
	// killed below.
	cmd.WaitDelay = grace
	if err := cmd.Start(); err != nil && ctx.Err() == nil {
		return desktop.Result{}, &desktop.CallError{Err: fmt.Errorf("terminal: the shell does not start: %w", err)}
	}
	var err error
	if cmd.Process != nil {
		err = cmd.Wait()
		// Mostly nothing is left of the group, which is an error. While something is, nobody else can have its number.
		_ = killGroup(cmd)
	}
	if ctx.Err() != nil {
		return desktop.Result{}, context.Cause(ctx)
	}
	if stdout.full || stderr.full {
		err = errTooMuch // how the shell took that does not matter
	}
	out := Output{Stdout: stdout.String(), Stderr: stderr.String(), Exit: cmd.ProcessState.ExitCode(), Note: notes(stdout, stderr)}
	result, failed := desktop.JSONResult(out)
	if failed != nil {
		return desktop.Result{}, failed
	}
	if err != nil {
		result.Status, result.Error = desktop.Failure, s.problem(limited, err, out.Stderr)
	}
	return result, nil
}

// problem says why an execution was no success.
func (s *shell) problem(ctx context.Context, err error, stderr string) string {
	var exit *exec.ExitError
	switch {
	case errors.Is(context.Cause(ctx), errTimeout):
		return fmt.Sprintf("it took longer than %v and was killed", s.timeout)
	case errors.Is(err, errTooMuch):
		return fmt.Sprintf("it printed more than %d MiB and was stopped", maxTotal>>20)
	case errors.Is(err, exec.ErrWaitDelay):
		return "it left a program in the background; " + fate
	}
	text := err.Error() // exit status 2, signal: killed
	if first, _, _ := strings.Cut(strings.TrimSpace(stderr), "\n"); first != "" && errors.As(err, &exit) {
		text += ": " + first
	}
	return text
}

// notes says what the output does not have.
func notes(stdout, stderr *head) string {
	var list []string
	for _, o := range []struct {
		name string
		*head
	}{{"stdout", stdout}, {"stderr", stderr}} {
		if o.left > 0 {
			list = append(list, fmt.Sprintf("%d more bytes of %s are left out", o.left, o.name))
		}
		if !utf8.Valid(o.kept) {
			list = append(list, o.name+" is not UTF-8; what is not stands as "+string(utf8.RuneError))
		}
	}
	return strings.Join(list, "; ")
}

// head is a writer that keeps the beginning of what it is given.
type head struct {
	left int // bytes that are not kept
	kept []byte
	full bool // it took no more
}

func (h *head) Write(p []byte) (int, error) {
	if len(h.kept)+h.left+len(p) > maxTotal {
		h.left, h.full = h.left+len(p), true
		return 0, errTooMuch // the reader goes, and the writer gets a SIGPIPE
	}
	keep := 0
	if h.left == 0 {
		keep = min(len(p), maxOutput-len(h.kept))
		for n := keep; n < len(p) && n > 0 && n > keep-utf8.UTFMax; n-- { // not inside a character
			if utf8.RuneStart(p[n]) {
				keep = n
				break
			}
		}
	}
	h.kept, h.left = append(h.kept, p[:keep]...), h.left+len(p)-keep
	return len(p), nil
}

func (h *head) String() string { return strings.ToValidUTF8(string(h.kept), string(utf8.RuneError)) }
