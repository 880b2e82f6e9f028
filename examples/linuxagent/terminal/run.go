package terminal

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"
)

// maxTotal is how many bytes a command line may print before it is stopped.
const maxTotal = 64 << 20

// grace is how long what the shell left behind may hold its output open.
const grace = time.Second

var (
	errTimeout = errors.New("the time is up")
	errTooMuch = errors.New("too much output")
	errStart   = errors.New("terminal: the shell does not start")
)

// execute runs a command line to its end and returns what it printed. The error says why that is no success.
func (s *shell) execute(ctx context.Context, line string) (Output, error) {
	// Behind -- a line that begins with a hyphen is still the line.
	cmd := exec.CommandContext(ctx, s.program, "-c", "--", line)
	cmd.Dir, cmd.Env = s.dir, s.env
	stdout, stderr := &head{}, &head{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	// A program in the background holds the pipes open after the shell has ended.
	// Wait gives up on it then, and it is killed below.
	cmd.WaitDelay = grace

	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return Output{Exit: -1}, context.Cause(ctx)
		}
		return Output{Exit: -1}, fmt.Errorf("%w: %w", errStart, err)
	}
	err := cmd.Wait()
	// What is left of the group; mostly nothing is, which is an error. While something
	// is, nobody else can have its number.
	_ = killGroup(cmd)
	out := Output{Stdout: stdout.String(), Stderr: stderr.String(), Exit: cmd.ProcessState.ExitCode()}
	out.Note = notes(stdout, stderr)
	if stdout.full || stderr.full {
		err = errTooMuch // how the shell took that does not matter
	}
	return out, s.problem(ctx, err, out)
}

// problem says why an execution was no success, nil if it was.
func (s *shell) problem(ctx context.Context, err error, out Output) error {
	var exit *exec.ExitError
	switch {
	case errors.Is(context.Cause(ctx), errTimeout) && err != nil:
		return fmt.Errorf("it took longer than %v and was killed", s.timeout)
	case err == nil:
		return nil
	case errors.Is(err, errTooMuch):
		return fmt.Errorf("it printed more than %d MiB and was stopped", maxTotal>>20)
	case errors.Is(err, exec.ErrWaitDelay):
		return errors.New("it left a program in the background; " + fate)
	case !errors.As(err, &exit):
		return err
	}
	text := exit.String() // exit status 2, signal: killed
	if first, _, _ := strings.Cut(strings.TrimSpace(out.Stderr), "\n"); first != "" {
		text += ": " + first
	}
	return errors.New(text)
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
