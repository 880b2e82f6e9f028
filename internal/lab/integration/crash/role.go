package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"time"
)

// The processes are this program again, which finds its part in the environment.
const (
	roleEnv = "AGENTFSM_CRASH_ROLE"
	partEnv = "AGENTFSM_CRASH_PART" // JSON: a servicePart, a job or a serviceJob
)

// orphaned is how a child ends when its parent has gone, or wants it to go.
const orphaned = 3

// roles are the parts that a process can have.
var roles = map[string]func(ctx context.Context, part []byte, out io.Writer) error{
	"model":   modelMain,
	"desktop": desktopMain,
	"worker":  workerMain,

	"driver":   driverMain,
	"answerer": answererMain,
}

// playRole does the part of a child and returns its exit status; false: this process
// is none. A child ends with its parent, whatever happens to that: its standard input
// is a pipe, which closes then.
func playRole() (status int, played bool) {
	role := os.Getenv(roleEnv)
	if role == "" {
		return 0, false
	}
	signal.Ignore(os.Interrupt) // a terminal tells all, and the parent ends us
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(orphaned)
	}()
	play, known := roles[role]
	err := fmt.Errorf("crash: unknown role %q", role)
	if known {
		err = play(context.Background(), []byte(os.Getenv(partEnv)), os.Stdout)
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return 0, true
}

// servicePart is the part of the model and of the desktop.
type servicePart struct {
	Log  string `json:"log"`
	Seed uint64 `json:"seed"`
	// Before and After an act is executed the desktop waits for a moment, at most so
	// long; the model does so before it answers.
	Before time.Duration `json:"before"`
	After  time.Duration `json:"after"`
}

// service is what model and desktop have in common.
type service struct {
	servicePart
	log *logbook

	mu  sync.Mutex
	rng *rand.Rand
}

// wait waits for a moment that is at most so long.
func (s *service) wait(ctx context.Context, most time.Duration) {
	if most <= 0 {
		return
	}
	s.mu.Lock()
	d := time.Duration(s.rng.Int64N(int64(most)))
	s.mu.Unlock()
	pause(ctx, d)
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// serve says on which address it listens, as the first line of its output, and serves
// until the process ends.
func serve(ctx context.Context, part []byte, out io.Writer, handler func(*service) http.Handler) error {
	s := &service{}
	if err := json.Unmarshal(part, &s.servicePart); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	s.rng = rand.New(rand.NewPCG(s.Seed, 1))
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	if _, err := fmt.Fprintln(out, l.Addr()); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	if s.log, err = newLogbook(s.Log, out); err != nil {
		return err
	}
	server := &http.Server{Handler: handler(s), ReadHeaderTimeout: time.Minute}
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("crash: %w", err)
	}
	return nil
}

// answer writes what a handler returns.
func answer(w http.ResponseWriter, v any, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	raw, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(raw) // who asked may be dead by now
}
