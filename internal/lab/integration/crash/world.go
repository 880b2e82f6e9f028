package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// What the world logs. An act is a command that changes something.
const (
	evCall  = "call"  // the model was asked
	evReply = "reply" // and is about to answer
	evOpen  = "open"  // a driver connected to the desktop, and took it from the one before
	evLook  = "look"  // a command that only looks was executed
	evGot   = "got"   // an act has arrived
	evBegin = "begin" // its execution begins
	evEnd   = "end"   // and has ended
	evGone  = "gone"  // it is never executed: its driver went away while it waited
	evStale = "stale" // it is never executed: its driver had lost the desktop
)

// event is an entry of the log of a run.
type event struct {
	Seq  int // from 1
	At   time.Time
	What string
	Life int64  // of the driver, as the desktop counts them
	Act  string // tool and arguments
	Call string // the CallID of the command
}

// world has the model and the desktops of all runs. It waits for random moments, so that kills fall into each window.
type world struct {
	address string
	server  *http.Server
	ended   chan error

	mu    sync.Mutex
	rng   *rand.Rand
	logs  map[string][]event
	desks map[string]*desk
}

func openWorld(ctx context.Context, seed uint64) (*world, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	w := &world{
		address: l.Addr().String(), ended: make(chan error, 1),
		rng: rand.New(rand.NewPCG(seed, 2)), logs: map[string][]event{}, desks: map[string]*desk{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{run}/complete", reply(w.complete))
	mux.HandleFunc("POST /{run}/open", reply(w.open))
	mux.HandleFunc("POST /{run}/{life}/execute", reply(w.execute))
	w.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { w.ended <- w.server.Serve(l) }()
	return w, nil
}

func (w *world) close() error {
	err := w.server.Close()
	if ended := <-w.ended; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}

// reply makes a handler of a func that returns what to write as JSON.
func reply[T any](f func(*http.Request) (T, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		result, err := f(r)
		raw, err2 := json.Marshal(result)
		if err = errors.Join(err, err2); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(raw) // the driver may be dead by now
	}
}

func (w *world) add(run string, e event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e.Seq, e.At = len(w.logs[run])+1, time.Now()
	w.logs[run] = append(w.logs[run], e)
}

// of returns what happened in a run.
func (w *world) of(run string) []event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.logs[run])
}

// wait waits for a moment that is at most so long.
func (w *world) wait(ctx context.Context, most time.Duration) {
	w.mu.Lock()
	d := time.Duration(w.rng.Int64N(int64(most)))
	w.mu.Unlock()
	pause(ctx, d)
}

// These let kills fall into each window now and then.
const (
	waitBefore = 3 * time.Millisecond // an act, or a reply of the model
	waitAfter  = 2 * time.Millisecond // an act
)

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
