package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
)

// queue is a database with runs, and the workers that take them.
type queue struct {
	*lab
	kind  string // of the store
	place string
	store *sqlstore.Store
	kills int // wanted

	mu      sync.Mutex
	workers []*queueWorker
	killed  int
	lost    int     // runs that a worker lost while it was alive
	failed  []error // what workers reported
}

// queueWorker is a worker that runs now.
type queueWorker struct {
	*child
	read sync.WaitGroup
}

// hire starts a worker.
func (q *queue) hire(ctx context.Context) (*queueWorker, error) {
	q.mu.Lock()
	name := fmt.Sprintf("worker %d", len(q.workers)+q.killed+1)
	q.mu.Unlock()
	c, err := newChild(ctx, "queueworker", queueJob{
		Store: q.kind, Place: q.place, Model: q.model.address, Desktop: q.desktop.address, Dir: q.dir, Name: name,
	})
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
	w := &queueWorker{child: c}
	w.read.Go(func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var r report
			err := json.Unmarshal(lines.Bytes(), &r)
			q.mu.Lock()
			if err == nil && r.Lost {
				q.lost++
			} else {
				q.failed = append(q.failed, fmt.Errorf("crash: %s: run %s: %s", q.kind, r.Run, lines.Text()))
			}
			q.mu.Unlock()
		}
	})
	return w, nil
}

// dismiss ends a worker: killed, or by its own hand.
func (w *queueWorker) dismiss(kill bool) error {
	if kill {
		_ = w.cmd.Process.Kill() // it may have failed by itself, which shows below
	}
	_ = w.stdin.Close()
	w.read.Wait()
	err := w.cmd.Wait()
	if w.cmd.ProcessState.ExitCode() == orphaned || kill && wasKilled(w.cmd.ProcessState) {
		return nil
	}
	return w.failed(err)
}

// staff is how many workers there are.
const staff = 2

var (
	errSlow  = errors.New("crash: the runs do not come to an end")
	errEarly = errors.New("crash: the runs came to an end before there were enough kills")
)

// work lets workers work until all runs have ended, and kills them meanwhile.
func (q *queue) work(ctx context.Context, runs int, r *rand.Rand) (err error) {
	ctx, stop := context.WithTimeoutCause(ctx, time.Minute+time.Duration(runs)*2*time.Second, errSlow)
	defer stop()
	defer func() {
		for _, w := range q.workers {
			err = errors.Join(err, w.dismiss(false))
		}
		q.workers = nil
	}()
	for range staff {
		w, err := q.hire(ctx)
		if err != nil {
			return err
		}
		q.workers = append(q.workers, w)
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
		ended, err := q.look(ctx)
		switch {
		case err != nil:
			return err
		case ended == runs && q.killed < q.kills:
			return errEarly
		case ended == runs:
			return nil
		case q.killed*(runs-runs/10-3) > ended*q.kills: // they are spread over the runs, and over before those are
			continue
		case q.killed < q.kills:
			pause(ctx, time.Duration(r.Int64N(int64(150*time.Millisecond))))
			if err := q.strike(ctx, r.IntN(staff)); err != nil {
				return err
			}
		}
	}
}

// strike kills a worker and starts another.
func (q *queue) strike(ctx context.Context, i int) error {
	if err := q.workers[i].dismiss(true); err != nil {
		return err
	}
	q.killed++
	w, err := q.hire(ctx)
	if err != nil {
		q.workers = append(q.workers[:i], q.workers[i+1:]...)
		return err
	}
	q.workers[i] = w
	return nil
}

// look returns how many runs have ended. It gives the answers that others wait for.
func (q *queue) look(ctx context.Context) (ended int, err error) {
	q.mu.Lock()
	err = errors.Join(q.failed...)
	q.mu.Unlock()
	if err != nil {
		return 0, err
	}
	for queued, err := range q.store.Queue(ctx) {
		if err != nil {
			return 0, err
		}
		switch queued.State {
		case sqlstore.Ended:
			ended++
		case sqlstore.Waiting:
			t, err := trailOf(ctx, q.store, queued.Run)
			if err == nil {
				err = giveAnswers(answersOf(q.dir, queued.Run), t.waits)
			}
			if err == nil {
				err = q.store.Wake(ctx, queued.Run)
			}
			if err != nil {
				return 0, err
			}
		case sqlstore.Aside:
			return 0, fmt.Errorf("run %q failed too often: %s", queued.Run, queued.Failure)
		case sqlstore.Ready, sqlstore.Leased:
		}
	}
	return ended, nil
}
