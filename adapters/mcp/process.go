package mcp

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// drain is how long what a process wrote before it ended may still be read.
// Only a process that left the group can keep its output open that long.
const drain = time.Second

// process is a server that was started here. It is a transport of its own,
// because that of the SDK knows nothing of the processes that a server starts,
// and reads for ever when one of them keeps the output open.
type process struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *os.File
	group group
	grace time.Duration
	most  int       // bytes of a message; negative: any
	drop  func(int) // is told of lines that are no messages

	done    chan struct{} // closed when the process has ended and its group is killed
	copied  chan struct{} // closed when its standard error is copied
	last    tail          // of its standard error
	closing chan struct{}
	once    sync.Once
}

// start starts the command of a server.
func start(s *Server, grace time.Duration) (*process, error) {
	cmd := exec.Command(s.Command[0], s.Command[1:]...) //nolint:gosec,noctx // the caller's own command; Close ends it
	cmd.Dir, cmd.Env = s.Dir, environment(s.Env)
	p := &process{
		cmd: cmd, grace: grace,
		done: make(chan struct{}), copied: make(chan struct{}), closing: make(chan struct{}),
	}
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, p.stdin.Close())
	}
	p.out, cmd.Stdout = out, theirs
	errs, w, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, p.stdin.Close(), out.Close(), theirs.Close())
	}
	cmd.Stderr = w
	prepare(cmd)
	err = cmd.Start()
	_, _ = theirs.Close(), w.Close() // the process has its own
	if err != nil {
		return nil, errors.Join(err, out.Close(), errs.Close())
	}
	p.group = newGroup(cmd.Process)
	go p.copy(s.Stderr, errs)
	go p.wait(errs)
	return p, nil
}

// copy hands on what the process says to its standard error.
func (p *process) copy(to io.Writer, from *os.File) {
	defer close(p.copied)
	if !nilcheck.IsNil(to) {
		if _, err := io.Copy(io.MultiWriter(&p.last, to), from); err == nil {
			return
		}
	}
	_, _ = io.Copy(&p.last, from) // or the process would wait
}

// wait waits for the end of the process, and ends what it leaves behind.
func (p *process) wait(errs *os.File) {
	_ = p.cmd.Wait()
	p.group.kill()
	close(p.done)
	timer := time.NewTimer(drain)
	defer timer.Stop()
	select {
	case <-p.closing:
	case <-timer.C:
	}
	_ = p.out.Close()
	timer.Reset(drain)
	select {
	case <-p.copied:
	case <-timer.C:
	}
	_ = errs.Close()
}

// exited returns how the process ended, once it has, or does so now, and what it
// said last.
func (p *process) exited(ctx context.Context, hidden secrets) error {
	timer := time.NewTimer(drain)
	defer timer.Stop()
	select {
	case <-p.done:
		select {
		case <-p.copied:
		case <-ctx.Done():
		case <-timer.C:
		}
		return &ExitError{State: p.cmd.ProcessState.String(), Stderr: p.last.words(hidden)}
	case <-ctx.Done():
	case <-timer.C:
	}
	return nil
}

// Close ends the process: by closing its input, then by telling it, then by
// killing it and its group.
func (p *process) Close() error {
	p.once.Do(func() {
		_ = p.stdin.Close()
		if !p.gone() {
			p.group.terminate()
			if !p.gone() {
				p.group.kill()
				_ = p.cmd.Process.Kill()
			}
		}
		<-p.done
		close(p.closing)
		<-p.copied
	})
	return nil
}

func (p *process) gone() bool {
	if p.grace <= 0 {
		return false
	}
	timer := time.NewTimer(p.grace)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
		return false
	}
}

// Connect makes p a transport.
func (p *process) Connect(ctx context.Context) (sdk.Connection, error) {
	out := io.NopCloser(newLines(p.out, p.most, p.drop))
	return (&sdk.IOTransport{Reader: out, Writer: inputOf{p}, MaxLineLength: -1}).Connect(ctx)
}

// inputOf is the standard input of a process. Closing it ends the process.
type inputOf struct{ *process }

func (i inputOf) Write(b []byte) (int, error) { return i.stdin.Write(b) }

// inherited are the variables that every server gets, as far as they are set.
var inherited = []string{"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"}

// inheritedOnWindows are the same there.
var inheritedOnWindows = []string{
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMDATA",
	"PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR",
}

// environment is what a server finds in its environment.
func environment(own []string) []string {
	names := inherited
	if runtime.GOOS == "windows" {
		names = inheritedOnWindows
	}
	env := []string{}
	for _, name := range names {
		// What begins with () is a function of an old shell, which would be run.
		if value, ok := os.LookupEnv(name); ok && !strings.HasPrefix(value, "()") {
			env = append(env, name+"="+value)
		}
	}
	return append(env, own...)
}
