package mcp

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// drain is how long what a process wrote before it ended may still be read.
const drain = time.Second

// process is a server that was started here. The SDK's CommandTransport knows neither the processes that a
// server starts nor how a server ended.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	out    *os.File
	stderr lastWords
	grace  time.Duration
	end    context.CancelFunc // tells the group to end, and kills it after grace
	done   chan struct{}      // closed when the process has ended and its group is killed
	once   sync.Once
	closed chan struct{}
}

func start(s *Server, grace time.Duration) (*process, error) {
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{grace: grace, end: cancel, done: make(chan struct{}), closed: make(chan struct{})}
	if !nilcheck.IsNil(s.Stderr) {
		p.stderr.to = s.Stderr
	}
	p.cmd = exec.CommandContext(ctx, s.Command[0], s.Command[1:]...) //nolint:gosec // the caller's own command
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr, p.cmd.WaitDelay = s.Dir, environment(s.Env), &p.stderr, grace
	lead(p.cmd)
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	out, theirs, err := os.Pipe() // StdoutPipe would be closed before all is read
	if err != nil {
		cancel()
		return nil, errors.Join(err, stdin.Close())
	}
	p.stdin, p.out, p.cmd.Stdout = stdin, out, theirs
	err = p.cmd.Start()
	_ = theirs.Close() // the process has its own
	if err != nil {
		cancel()
		return nil, errors.Join(err, out.Close())
	}
	go p.wait()
	return p, nil
}

// wait waits for the end of the process. A process that left the group may keep the output open.
func (p *process) wait() {
	_ = p.cmd.Wait()
	killGroup(p.cmd)
	p.end()
	close(p.done)
	select {
	case <-p.closed:
	case <-time.After(drain):
	}
	_ = p.out.Close()
}

// exited returns how the process ended, if it has or does so now.
func (p *process) exited(ctx context.Context, hidden secrets) error {
	select {
	case <-p.done:
		return &ExitError{State: p.cmd.ProcessState.String(), Stderr: p.stderr.text(hidden)}
	case <-ctx.Done():
	case <-time.After(drain):
	}
	return nil
}

func (p *process) Read(b []byte) (int, error) { return p.out.Read(b) }

func (p *process) Write(b []byte) (int, error) { return p.stdin.Write(b) }

// Close ends the process: by closing its input, then by telling the group, then by killing it.
func (p *process) Close() error {
	p.once.Do(func() {
		close(p.closed)
		_ = p.stdin.Close()
		select {
		case <-p.done:
		case <-time.After(p.grace):
			p.end()
			<-p.done
		}
	})
	return nil
}

var inherited = map[bool][]string{
	false: {"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"},
	true: {"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMDATA",
		"PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"},
}

// environment is what a server finds in its environment.
func environment(own []string) []string {
	env := []string{}
	for _, name := range inherited[runtime.GOOS == "windows"] {
		// What begins with () is a function of an old shell, which would be run.
		if value, ok := os.LookupEnv(name); ok && !strings.HasPrefix(value, "()") {
			env = append(env, name+"="+value)
		}
	}
	return append(env, own...)
}

// maxShown bounds the last words of a process that an error shows, and maxKept what is kept to find
// them: a secret may be longer than its mask, and the begin of what is kept may be the rest of one.
const (
	maxShown = 512
	maxKept  = 16 << 10
)

// lastWords keeps the end of what is written to it, and passes everything on.
type lastWords struct {
	to   io.Writer // or nil
	kept []byte    // written by exec, and read when the process has ended
}

func (w *lastWords) Write(b []byte) (int, error) {
	w.kept = append(w.kept, b...)
	w.kept = w.kept[max(0, len(w.kept)-maxKept):]
	if w.to != nil {
		_, _ = w.to.Write(b) // the process goes on whoever listens
	}
	return len(b), nil
}

// sequence is an order for a terminal, such as for a colour.
var sequence = regexp.MustCompile("\x1b\\[[0-9;:?]*[ -/]*[@-~]")

// text is the end of it, in whole lines if they are short, without secrets and without what a terminal would obey.
func (w *lastWords) text(hidden secrets) string {
	kept := w.kept
	if len(kept) == maxKept { // it may begin with the rest of a secret
		kept = kept[min(hidden.longest, maxKept):]
	}
	text := hidden.hide(strings.ToValidUTF8(string(kept), "?"))
	text = strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, lineEnds.Replace(sequence.ReplaceAllString(text, "")))
	text = strings.TrimSpace(hidden.hide(text)) // a sequence may have been inside of a secret
	if len(text) <= maxShown {
		return text
	}
	text = strings.ToValidUTF8(text[len(text)-maxShown:], "")
	if _, whole, ok := strings.Cut(text, "\n"); ok {
		text = whole
	}
	return strings.TrimSpace(text)
}

// lineEnds makes one of all that people may see as the end of a line.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// oneLine makes one line of a text.
func oneLine(text string) string {
	var kept []string
	for line := range strings.SplitSeq(lineEnds.Replace(text), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, " | ")
}
