package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

// wanted are the runs of the demonstration, each with a workbook of its own.
var wanted = []struct{ name, request string }{
	{"sales", "extract the sales table from the Word document and create a bar chart in Excel"},
	{"costs", "extract the costs table from the Word document and create a bar chart in Excel"},
	{"2024", "draw a bar chart of 2024 of the sales table"},
}

// tale is the demonstration. It is a client: other processes of this program drive, serve and answer.
type tale struct {
	ctx  context.Context //nolint:containedctx // of one call of story, which it does not outlive
	self string
	dir  string
	call *call
	mark string // makes the ids of this demonstration different from those of others in a database

	mu  sync.Mutex // of out
	out io.Writer

	processes map[string]*process
	held      chan *process // which stands still
}

// process is one that was started.
type process struct {
	name  string
	cmd   *exec.Cmd
	input io.Closer
	first chan string   // its first line
	over  chan struct{} // all that it said was printed
}

// story shows that runs survive the processes that drive them.
func (p program) story(ctx context.Context, c *call) (err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "service-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.WriteFile(filepath.Join(dir, "sales.xlsx"), []byte("the chart of last year"), 0o600); err != nil {
		return err
	}
	t := &tale{ctx: ctx, out: p.out, self: self, dir: dir, call: c, mark: "-" + uuid.NewString()[:4],
		processes: map[string]*process{}, held: make(chan *process, 1)}
	defer func() { err = errors.Join(err, t.end()) }()
	return t.tell()
}

func (t *tale) id(name string) string { return name + t.mark }

func (t *tale) say(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(t.out, format+"\n", args...)
}

func (t *tale) tell() error {
	server, err := t.begin("server", "serve")
	if err != nil {
		return err
	}
	line, err := t.firstOf(server) // it has created what the others share
	if err != nil {
		return err
	}
	for _, name := range []string{"worker 1", "worker 2"} {
		if _, err := t.begin(name, "work", "-hold", t.id("costs")); err != nil {
			return err
		}
	}
	at := client(strings.TrimPrefix(line, "serving "))
	for _, w := range slices.Concat(wanted[:2], wanted[:1]) { // a request that arrives twice is one run
		if err := t.start(at, w.name, w.request); err != nil {
			return err
		}
	}
	if err := t.watch(at); err != nil {
		return err
	}
	for _, w := range wanted[2:] { // by workers of which one was killed
		if err := t.start(at, w.name, w.request); err != nil {
			return err
		}
	}
	for _, w := range wanted {
		for _, err := range at.watch(t.ctx, t.id(w.name)) { // until it has ended
			if err != nil {
				return err
			}
		}
		if err := t.proof(at, w.name); err != nil {
			return err
		}
	}
	return nil
}

// start starts a run over HTTP.
func (t *tale) start(at client, name, request string) error {
	status, err := at.start(t.ctx, t.id(name), request, job{Out: name + ".xlsx"})
	if err != nil {
		return err
	}
	t.say("POST /runs %s: %s", t.id(name), status)
	return nil
}

// watch prints the events of the run that asks. While that waits, a worker is killed, and then others answer.
func (t *tale) watch(at client) error {
	run := t.id("sales")
	for e, err := range at.watch(t.ctx, run) {
		if err != nil {
			return err
		}
		t.say("%s event %d: %s", run, e.Seq, e.Text)
		if e.Kind != "stop" {
			continue
		}
		state, err := at.get(t.ctx, run)
		if err != nil {
			return err
		}
		if len(state.Questions) != 1 {
			return fmt.Errorf("%d questions wait, and not one", len(state.Questions))
		}
		if err := t.kill(); err != nil {
			return err
		}
		t.say("%s asks: %s", run, state.Questions[0].Text)
		for _, word := range []string{"yes", "no"} { // whoever clicks first
			if err := t.answer(run, state.Questions[0].ID, word); err != nil {
				return err
			}
		}
	}
	return nil
}

// answer has a process of its own answer, which needs neither the server nor a worker.
func (t *tale) answer(run, id, word string) error {
	args := append(t.args("answer", "-name", "answer "+word), run, id, word)
	said, err := exec.CommandContext(t.ctx, t.self, args...).CombinedOutput() //nolint:gosec // it is this program
	t.say("$ service answer %s %s %s\n    %s", run, id, word, bytes.TrimSpace(said))
	return err
}

// kill kills the worker that stands still, and starts it again.
func (t *tale) kill() error {
	select {
	case p := <-t.held:
		t.say("kill -9 %s", p.name)
		if err := p.cmd.Process.Kill(); err != nil {
			return err
		}
		<-p.over
		_ = p.cmd.Wait() // it says that it was killed
		_ = p.input.Close()
		delete(t.processes, p.name)
		_, err := t.begin(p.name, "work")
		return err
	case <-t.ctx.Done():
		return context.Cause(t.ctx)
	}
}

func (t *tale) args(role string, more ...string) []string {
	args := []string{role, "-dir", t.dir, "-store", t.call.kind}
	if t.call.dsn != "" {
		args = append(args, "-dsn", t.call.dsn)
	}
	if t.call.engine != "" {
		args = append(args, "-engine", t.call.engine, "-temporal", t.call.at, "-namespace", t.call.namespace)
	}
	return append(args, more...)
}

// begin starts a process, whose lines are printed. It ends with its input, so none is left when this one dies.
func (t *tale) begin(name, role string, more ...string) (*process, error) {
	t.say("$ service %s    # %s", strings.Join(append([]string{role}, more...), " "), name)
	p := &process{name: name, first: make(chan string, 1), over: make(chan struct{})}
	p.cmd = exec.CommandContext(t.ctx, t.self, t.args(role, append(more, "-child", "-name", name)...)...)
	p.cmd.WaitDelay = time.Second
	input, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	said, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.input, p.cmd.Stderr = input, p.cmd.Stdout
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	t.processes[name] = p
	go t.listen(p, said)
	return p, nil
}

// listen prints what a process says.
func (t *tale) listen(p *process, said io.Reader) {
	defer close(p.over)
	defer close(p.first)
	begun := false
	for lines := bufio.NewScanner(said); lines.Scan(); {
		t.say("%s: %s", p.name, lines.Text())
		if !begun {
			p.first <- lines.Text()
			begun = true
		}
		if strings.HasSuffix(lines.Text(), standsStill) {
			t.held <- p
		}
	}
}

func (t *tale) firstOf(p *process) (string, error) {
	select {
	case line, there := <-p.first:
		if !there {
			return "", fmt.Errorf("the %s has ended", p.name)
		}
		return line, nil
	case <-t.ctx.Done():
		return "", context.Cause(t.ctx)
	}
}

// end ends all processes, and waits until they have.
func (t *tale) end() error {
	var errs []error
	for _, p := range t.processes {
		_ = p.input.Close()
	}
	for _, p := range t.processes {
		<-p.over
		if err := p.cmd.Wait(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.name, err))
		}
	}
	return errors.Join(errs...)
}

// proof compares how a run ended with its workbook, and with what its desktop has executed.
func (t *tale) proof(at client, name string) error {
	state, err := at.get(t.ctx, t.id(name))
	if err != nil {
		return err
	}
	book, err := xlsxtest.Open(filepath.Join(t.dir, name+".xlsx"))
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(desktopFile(t.dir, state.ID))
	if err != nil {
		return err
	}
	var tools []string
	for line := range bytes.Lines(raw) {
		var act struct {
			Tool string `json:"tool"`
		}
		if err := json.Unmarshal(line, &act); err != nil {
			return err
		}
		tools = append(tools, act.Tool)
	}
	t.say("%s: %s, %s: %s\n    its desktop executed %s", state.ID, state.Stage, state.Outcome,
		strings.ReplaceAll(state.Answer, t.dir+string(filepath.Separator), ""), strings.Join(tools, ", "))
	slices.Sort(tools)
	switch {
	case state.Outcome != "FINISH":
		return fmt.Errorf("%s: %s: %s", name, state.Outcome, state.Reason)
	case len(slices.Compact(slices.Clone(tools))) != len(tools):
		return fmt.Errorf("%s: something was done twice", name)
	case len(book.Sheets) != 1 || len(book.Sheets[0].Charts) != 1:
		return fmt.Errorf("%s: the workbook has not one chart", name)
	}
	return nil
}
