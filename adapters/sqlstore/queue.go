package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
)

// State says where a run is in the queue.
type State int

// The states of a run in the queue.
const (
	Ready   State = stateReady   // a worker may claim it
	Leased  State = stateLeased  // a worker has it, or had it and died
	Waiting State = stateWaiting // until Wake, or until Free where a question of the run has a deadline
	Ended   State = stateDone    // nobody claims it again; it stays until Delete
	Aside   State = stateAside   // it failed too often, and nobody claims it until Wake; Failure says why
)

func (s State) String() string {
	switch s {
	case Ready:
		return "ready"
	case Leased:
		return "leased"
	case Waiting:
		return "waiting"
	case Ended:
		return "ended"
	case Aside:
		return "aside"
	}
	return fmt.Sprintf("State(%d)", int(s))
}

// Queued is a run in the queue, as [Store.Queue] lists it.
type Queued struct {
	Run     string
	State   State
	Worker  string    // who has the lease, or had it; "" without one
	Free    time.Time // when it can be claimed, or could be: the end of the lease, of a pause or of the time for an answer; since when it has ended, or is aside
	Added   time.Time // when it was enqueued
	Tries   int       // how often it was claimed since it last came to Wait or Release, or was woken from aside
	Failure string    // why it failed last, "" when it did not
}

// Enqueue puts a run into the queue, ready to be claimed. The payload is for whoever
// claims it: what it needs to begin. A run is in the queue once, also after its end, until
// [Store.Delete]: for one that is there the error is [ErrExists], which so is also the answer
// to a second call after one whose outcome is not known.
//
// The run need not have a journal, and Enqueue makes none.
func (s *Store) Enqueue(ctx context.Context, run string, payload []byte) error {
	if err := store.CheckRun(run); err != nil {
		return &QueueError{Op: "enqueue", Run: run, Err: err}
	}
	if len(payload) > MaxAppend {
		return &QueueError{Op: "enqueue", Run: run, Err: fmt.Errorf("%w: %d bytes", store.ErrTooLarge, len(payload))}
	}
	if payload == nil {
		payload = []byte{} // which is not NULL
	}
	var one int
	return s.queued(ctx, "enqueue", run, ErrExists, false,
		`INSERT INTO agentfsm_queue (run, payload, state, free, added)
			SELECT $1, CAST($2 AS {bytes}), 0, t.now, t.now FROM (SELECT {now} AS now) t WHERE {sync}
			ON CONFLICT (run) DO NOTHING RETURNING 1`, []any{run, payload}, &one)
}

// Wake makes a run ready that waits. One that a worker has is ready when that worker comes
// to Wait, so that nothing is lost between its last look and Wait. One that was put aside is ready,
// too, with its tries counted anew: call it when what was wrong is mended. To wake a run that is
// ready, or has ended, does nothing. Put what the run waits for where it finds it first, then
// call Wake. The error of a run that is not in the queue is [ErrNoRun].
func (s *Store) Wake(ctx context.Context, run string) error {
	if err := store.CheckRun(run); err != nil {
		return &QueueError{Op: "wake", Run: run, Err: err}
	}
	var state int
	return s.queued(ctx, "wake", run, ErrNoRun, true,
		`UPDATE agentfsm_queue SET wakes = wakes + 1,
			state = CASE WHEN state IN (2, 4) THEN 0 ELSE state END,
			free = CASE WHEN state IN (2, 4) OR `+untilDeadline+` THEN {now} ELSE free END,
			tries = CASE state WHEN 4 THEN 0 ELSE tries END
		WHERE run = $1 AND {sync} RETURNING state`, []any{run}, &state)
}

// untilDeadline is true of a run that waits for an answer with a deadline. It is ready from then on,
// as after a pause, so Claim finds it by the same index; but it has not failed.
const untilDeadline = `state = 0 AND failure = '' AND free > {now}`

// queued runs a statement of the queue. None is the error when it finds nothing.
func (s *Store) queued(ctx context.Context, op, run string, none error, twice bool, query string, args []any, dest ...any) error {
	err := ended(ctx)
	found, uncertain := false, false
	if err == nil {
		found, uncertain, err = s.change(ctx, twice, query, args, dest...)
	}
	switch {
	case err != nil:
		return &QueueError{Op: op, Run: run, Uncertain: uncertain, Err: s.explain(ctx, err)}
	case !found:
		return &QueueError{Op: op, Run: run, Err: none}
	}
	return nil
}

// Queue yields the runs of the queue, in the order in which they were enqueued, each as it
// was when its page was read, those that have ended among them. An error is the last
// thing that it yields. No connection is held while they are used: they can be woken or
// deleted.
func (s *Store) Queue(ctx context.Context) iter.Seq2[Queued, error] {
	return func(yield func(Queued, error) bool) {
		for after := int64(0); ; {
			page, last, err := s.queuePage(ctx, after)
			for _, q := range page {
				if !yield(q, nil) {
					return
				}
			}
			if err == nil && len(page) == pageRows {
				after = last
				continue
			}
			if err = errors.Join(err, ended(ctx)); err != nil {
				yield(Queued{}, &QueueError{Op: "list", Err: s.explain(ctx, err)})
			}
			return
		}
	}
}

func (s *Store) queuePage(ctx context.Context, after int64) (page []Queued, last int64, err error) {
	if err := ended(ctx); err != nil {
		return nil, 0, err
	}
	err = s.look(ctx, func() { page = nil },
		s.text(`SELECT id, run, CASE WHEN `+untilDeadline+` THEN 2 ELSE state END, worker, free, added, tries, failure
			FROM agentfsm_queue WHERE id > $1 ORDER BY id LIMIT $2`), []any{after, pageRows},
		func(rows *sql.Rows) error {
			var q Queued
			var free, added int64
			if err := rows.Scan(&last, &q.Run, &q.State, &q.Worker, &free, &added, &q.Tries, &q.Failure); err != nil {
				return err
			}
			q.Free, q.Added = time.UnixMicro(free), time.UnixMicro(added)
			page = append(page, q)
			return nil
		})
	return page, last, err
}
