package postgres

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server is a server with a folder of its own. Its methods may be called by several
// goroutines, but Crash, Restart and Stop one after another.
type Server struct {
	bin    string // folder of its programs
	folder string // has data and socket

	cmd  *exec.Cmd     // nil: it does not run
	over chan struct{} // closed when the process has ended
	mu   sync.Mutex
	said []string // the last lines of its log
}

// Start makes a database cluster in a new folder inside dir, that of temporary files when dir is "",
// and starts a server for it. Root starts it as the user postgres, who has to be able
// to enter dir. The server ends with Stop, and, on Linux, with the process that started it.
func Start(ctx context.Context, dir string) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(dir, "agentfsm-postgres-")
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	s := &Server{bin: bin, folder: folder}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// begin makes the cluster and starts the server.
func (s *Server) begin(ctx context.Context) error {
	if err := own(s.folder); err != nil {
		return err
	}
	initdb := s.command(ctx, "initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions")
	if err := as(initdb); err != nil {
		return err
	}
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("postgres: initdb: %w: %s", err, out)
	}
	return s.Restart(ctx)
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// command is a program of PostgreSQL, which says what it has to say in English.
func (s *Server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Dir = s.folder
	for _, word := range os.Environ() { // PGDATA and the like would be meant for another one
		if !strings.HasPrefix(word, "PG") && !strings.HasPrefix(word, "LC_") && !strings.HasPrefix(word, "LANG") {
			cmd.Env = append(cmd.Env, word)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C")
	return cmd
}

// ready is what a server says when it can be asked.
const ready = "database system is ready to accept connections"

// Restart starts a server that does not run, after Crash, with the same data. It
// returns when the server answers.
func (s *Server) Restart(ctx context.Context) error {
	if s.cmd != nil {
		return errors.New("postgres: it runs")
	}
	cmd := s.command(context.WithoutCancel(ctx), "postgres", "-D", s.data(), "-k", s.folder,
		"-c", "listen_addresses=", "-c", "fsync=on", "-c", "shared_buffers=32MB", "-c", "logging_collector=off", "-c", "log_destination=stderr")
	if err := as(cmd); err != nil {
		return err
	}
	dieWithParent(cmd)
	out, err := cmd.StderrPipe()
	if err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	answers, over := make(chan struct{}), make(chan struct{})
	s.cmd, s.over, s.said = cmd, over, nil
	go func() {
		defer close(over)
		up := false
		for lines := bufio.NewScanner(out); lines.Scan(); {
			s.note(lines.Text())
			if !up && strings.Contains(lines.Text(), ready) {
				up = true
				close(answers)
			}
		}
		_ = cmd.Wait() // what it said is in the log
	}()
	select {
	case <-answers:
		return nil
	case <-over:
		s.cmd = nil
		return fmt.Errorf("postgres: the server does not start:\n%s", s.Log())
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("postgres: %w", context.Cause(ctx)), s.Crash())
	}
}

func (s *Server) note(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.said = append(s.said, line); len(s.said) > 200 {
		s.said = s.said[100:]
	}
}

// Log returns the last lines that the server has said.
func (s *Server) Log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.said, "\n")
}

// DSN is what a client opens a database of the server with, as a superuser. "" is the
// database postgres.
func (s *Server) DSN(database string) string {
	if database == "" {
		database = "postgres"
	}
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	return fmt.Sprintf("host='%s' port=5432 user=postgres dbname='%s' sslmode=disable", quote.Replace(s.folder), quote.Replace(database))
}

// Crash ends all processes of the server at once. They write nothing more: the next start
// recovers from the log, as after a power cut.
func (s *Server) Crash() error { return s.end(syscall.SIGQUIT) }

// Stop ends the server and removes its folder. To stop it twice is harmless.
func (s *Server) Stop() error {
	err := s.end(syscall.SIGINT) // clients are cut off
	if gone := os.RemoveAll(s.folder); gone != nil {
		err = errors.Join(err, fmt.Errorf("postgres: %w", gone))
	}
	return err
}

// patience is how long a server may take to end by itself.
const patience = 30 * time.Second

// end sends a signal and waits for the end. One that does not end is killed.
func (s *Server) end(how syscall.Signal) error {
	if s.cmd == nil {
		return nil
	}
	defer func() { s.cmd = nil }()
	err := s.cmd.Process.Signal(how)
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	if err == nil {
		select {
		case <-s.over:
			return nil
		case <-limit.C:
			err = fmt.Errorf("it has not ended after %v", patience)
		}
	}
	err = errors.Join(err, s.cmd.Process.Kill())
	<-s.over // all its processes have: they share its log
	return fmt.Errorf("postgres: killed: %w", err)
}
