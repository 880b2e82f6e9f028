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
	"strings"
	"sync"
	"time"
)

// child is a process that this one has started.
type child struct {
	cmd   *exec.Cmd
	stdin io.Closer // open as long as the child may live
	out   bytes.Buffer
	err   bytes.Buffer
}

// newChild makes a process of this program with a role and its part. It is killed when
// ctx is done.
func newChild(ctx context.Context, role string, part any) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	raw, err := json.Marshal(part)
	if err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	c := &child{cmd: exec.CommandContext(ctx, self)}
	c.cmd.Env = append(os.Environ(), roleEnv+"="+role, partEnv+"="+string(raw))
	c.cmd.WaitDelay = 10 * time.Second
	c.cmd.Stderr = &c.err
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	return c, nil
}

// failed is the error of a child that ended by itself, but not well.
func (c *child) failed(err error) error {
	text := strings.TrimSpace(c.err.String())
	if len(text) > 4000 {
		text = text[:4000] + " …"
	}
	return fmt.Errorf("crash: a process ended with %w: %s", err, text)
}

// server is a child that serves: the model or the desktop.
type server struct {
	*child
	address string
	log     *logReader
	read    sync.WaitGroup
}

// startServer starts a server and returns when it can be called. What it logs goes to
// heard as well.
func startServer(ctx context.Context, role string, part servicePart, heard func(event)) (*server, error) {
	c, err := newChild(ctx, role, part)
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	s := &server{child: c, log: &logReader{path: part.Log}}
	lines := bufio.NewScanner(out)
	if lines.Scan() {
		s.address = lines.Text()
	}
	s.read.Go(func() {
		for lines.Scan() {
			var e event
			if json.Unmarshal(lines.Bytes(), &e) == nil {
				heard(e)
			}
		}
	})
	if s.address == "" {
		return nil, errors.Join(fmt.Errorf("crash: the %s does not start: %w", role, lines.Err()), s.stop())
	}
	return s, nil
}

// stop ends the server, which must not have ended before.
func (s *server) stop() error {
	_ = s.stdin.Close() // that tells it
	s.read.Wait()
	err := s.cmd.Wait()
	if s.cmd.ProcessState.ExitCode() == orphaned {
		return nil
	}
	return s.failed(err)
}

// bus tells who waits for something of a run what its model and its desktop log.
type bus struct {
	mu    sync.Mutex
	heard map[string]func(event)
}

func (b *bus) publish(e event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if heard := b.heard[e.Run]; heard != nil {
		heard(e)
	}
}

// listen calls heard with what happens in a run, until stop is called. It is called
// under a lock and must not wait.
func (b *bus) listen(run string, heard func(event)) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.heard == nil {
		b.heard = map[string]func(event){}
	}
	b.heard[run] = heard
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.heard, run)
	}
}
