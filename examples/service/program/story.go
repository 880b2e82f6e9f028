package program

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/runs"
)

// tale is the demonstration. It is a client: other processes of this program drive, serve and answer.
type tale struct {
	ctx       context.Context //nolint:containedctx // of one call of story, which it does not outlive
	self, dir string

	mu  sync.Mutex // of out
	out io.Writer

	children map[string]*child
	held     chan *child // the worker that stands still
}

// child is a process that was started.
type child struct {
	name  string
	cmd   *exec.Cmd
	input io.Closer
	first chan string   // its first line
	over  chan struct{} // its output has ended
}

// story shows that runs survive the processes that drive them.
func story(ctx context.Context, out io.Writer) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
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
	t := &tale{ctx: ctx, self: self, dir: dir, out: out, children: map[string]*child{}, held: make(chan *child, 1)}
	defer func() { err = errors.Join(err, t.end()) }()
	return t.tell()
}

func (t *tale) tell() error {
	server, err := t.begin("server", "serve")
	if err != nil {
		return err
	}
	for _, name := range []string{"worker 1", "worker 2"} {
		if _, err := t.begin(name, "work", "-hold", "small"); err != nil {
			return err
		}
	}
	at := client(strings.TrimPrefix(<-server.first, "serving "))
	for _, run := range []struct{ id, request string }{
		{"small", "refund 15 euros of order 1001"},
		{"large", "refund 60 euros of order 1002"},
		{"small", "refund 15 euros of order 1001"}, // a request that arrives twice is one run
	} {
		status, err := at.start(t.ctx, run.id, run.request)
		if err != nil {
			return err
		}
		t.say("POST /runs %s: %s", run.id, status)
	}
	if err := t.kill(); err != nil {
		return err
	}
	for _, id := range []string{"small", "large"} {
		if err := at.watch(t.ctx, id, func(e runs.Event) error { return t.see(at, id, e) }); err != nil {
			return err
		}
		if err := t.proof(at, id); err != nil {
			return err
		}
	}
	return t.command("replay", "small")
}

// see prints an event. If the run asks, two other processes answer: the first answer counts.
func (t *tale) see(at client, id string, e runs.Event) error {
	t.say("%s event %d: %s", id, e.Seq, e.Text)
	if e.Kind != "stop" {
		return nil
	}
	state, err := at.get(t.ctx, id)
	if err != nil {
		return err
	}
	for _, q := range state.Questions {
		t.say("%s asks: %s", id, q.Text)
		if err := errors.Join(t.command("answer", id, q.ID, "yes"), t.command("answer", id, q.ID, "no")); err != nil {
			return err
		}
	}
	return nil
}

// proof compares the end of a run with the payments of the shop.
func (t *tale) proof(at client, id string) error {
	state, err := at.get(t.ctx, id)
	if err != nil {
		return err
	}
	paid, err := (&shop{file: filepath.Join(t.dir, "payments.jsonl")}).payments(id)
	if err != nil {
		return err
	}
	t.say("%s: %s: %s It was paid %d time(s).", id, state.Outcome, cmp.Or(state.Answer, state.Reason), len(paid))
	if state.Outcome != "FINISH" || len(paid) != 1 {
		return fmt.Errorf("%s: this is not one payment and FINISH", id)
	}
	return nil
}

func (t *tale) say(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintf(t.out, format+"\n", args...)
}

// command runs a process to its end.
func (t *tale) command(role string, args ...string) error {
	said, err := exec.CommandContext(t.ctx, t.self, append([]string{role, "-dir", t.dir}, args...)...).CombinedOutput() //nolint:gosec // it is this program
	t.say("$ service %s %s\n    %s", role, strings.Join(args, " "), bytes.TrimSpace(said))
	return err
}

// kill kills the worker that stands still.
func (t *tale) kill() error {
	select {
	case c := <-t.held:
		t.say("kill -9 %s", c.name)
		delete(t.children, c.name)
		err := c.cmd.Process.Kill()
		<-c.over
		_ = c.cmd.Wait() // it says that it was killed
		return err
	case <-t.ctx.Done():
		return context.Cause(t.ctx)
	}
}
