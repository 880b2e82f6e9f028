package headless

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// part is a process that Start has started.
type part struct {
	name string
	cmd  *exec.Cmd
	log  string        // path of the file with what it writes
	over chan struct{} // closed when it has ended
}

// launch starts a process in a session of its own: an interrupt of the terminal is for our
// process, which may want to close programs in its own order.
func (r *running) launch(cmd *exec.Cmd, log string) (*part, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("headless: %w", err)
	}
	p := &part{name: filepath.Base(cmd.Path), cmd: cmd, log: log, over: make(chan struct{})}
	go func() {
		defer close(p.over)
		_ = cmd.Wait()            // how it ended is in ProcessState
		runtime.KeepAlive(r.hold) // a Session that is not used any more runs until Close
	}()
	return p, nil
}

// run starts a part of the session. Extra becomes its file 3.
func (r *running) run(extra []*os.File, name string, args ...string) (*part, error) {
	log := filepath.Join(r.Dir, "log", name)
	file, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("headless: %w", err)
	}
	defer func() { _ = file.Close() }()
	cmd := exec.Command(name, args...) //nolint:noctx // it outlives the context of Start
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = r.Env, r.Dir, file, file, extra
	p, err := r.launch(cmd, log)
	if err == nil {
		r.parts = append(r.parts, p)
		_, _ = fmt.Fprintln(r.hold, cmd.Process.Pid) // to the reaper
	}
	return p, err
}

// said runs a part that writes a line into its file 3 when it can be used, and returns the
// line.
func (r *running) said(ctx context.Context, name string, args ...string) (string, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return "", fmt.Errorf("headless: %w", err)
	}
	defer func() { _ = out.Close() }()
	p, err := r.run([]*os.File{in}, name, args...)
	_ = in.Close() // the part has its own, which is closed when it ends
	if err != nil {
		return "", err
	}
	defer context.AfterFunc(ctx, func() { _ = out.SetReadDeadline(time.Now()) })()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", r.failed(ctx, p, err)
	}
	return strings.TrimSpace(line), nil
}

// failed says why a part cannot be used. If it or one before it has ended, that is the reason.
func (r *running) failed(ctx context.Context, p *part, err error) error {
	if ctx.Err() == nil {
		select { // who lost a connection learns it before the end of the process is seen
		case <-p.over:
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	if i := slices.IndexFunc(r.parts, (*part).hasEnded); i >= 0 {
		return errors.New(r.parts[i].ended())
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return fmt.Errorf("headless: %s does not answer: %w%s", p.name, err, p.lines())
}

// hasEnded reports whether the part has ended.
func (p *part) hasEnded() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

// wait reports whether the part ends within patience.
func (p *part) wait() bool {
	select {
	case <-p.over:
		return true
	case <-time.After(patience):
		return false
	}
}

// ended says how a part ended that should not have.
func (p *part) ended() string {
	return fmt.Sprintf("headless: %s has ended (%v)%s", p.name, p.cmd.ProcessState, p.lines())
}

// lines are the last that the part has written.
func (p *part) lines() string {
	text, _ := os.ReadFile(p.log)
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(all) == 1 && all[0] == "" {
		return ""
	}
	return ":\n" + strings.Join(all[max(0, len(all)-10):], "\n")
}
