package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/internal/realparts/postgres"
)

// brief are waits that let kills fall into each window now and then.
var brief = servicePart{Before: 3 * time.Millisecond, After: 2 * time.Millisecond}

// sqlite kills workers whose queue and journals are in a file of SQLite.
func (s *settings) sqlite(ctx context.Context, dir string) error {
	return s.with(ctx, filepath.Join(dir, storeSQLite), brief, func(l *lab) (*table, error) {
		return s.queue(ctx, l, storeSQLite, l.path("journals.db"))
	})
}

// postgres starts a PostgreSQL and kills workers whose queue and journals are in it.
func (s *settings) postgres(ctx context.Context, dir string) error {
	server, err := postgres.Start(ctx, "")
	if err != nil {
		return err
	}
	err = s.with(ctx, filepath.Join(dir, storePostgres), brief, func(l *lab) (*table, error) {
		return s.queue(ctx, l, storePostgres, server.DSN(""))
	})
	return errors.Join(err, server.Stop())
}

// queue enqueues the runs, and one before them that nobody disturbs.
func (s *settings) queue(ctx context.Context, l *lab, kind, place string) (t *table, err error) {
	store, err := openSQL(ctx, kind, place)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	q := &queue{lab: l, kind: kind, place: place, store: store}
	enqueue := func(run string) error { return store.Enqueue(ctx, run, nil) }
	r := rand.New(rand.NewPCG(s.seed, 0))
	if err := enqueue("calm"); err != nil {
		return nil, err
	}
	if err := q.work(ctx, 1, r); err != nil {
		return nil, fmt.Errorf("crash: %s, undisturbed: %w", kind, err)
	}
	calm, err := q.history(ctx, "calm")
	if err == nil {
		err = s.violated(kind, calm, checkCalm(calm))
	}
	if err != nil {
		return nil, err
	}
	t = newTable(kind+", two workers", calm)
	for i := range s.runs {
		if err := enqueue(fmt.Sprintf("run-%d", i)); err != nil {
			return t, err
		}
	}
	q.kills = s.strikes
	if err := q.work(ctx, 1+s.runs, r); err != nil {
		return t, fmt.Errorf("crash: %s, seed %d: %w", kind, s.seed, err)
	}
	for i := range s.runs {
		h, err := q.history(ctx, fmt.Sprintf("run-%d", i))
		if err != nil {
			return t, err
		}
		t.add(h)
		s.tell(kind, h, calm)
		if err := s.violated(kind, h, checkHistory(calm, h)); err != nil {
			return t, err
		}
	}
	t.struck, t.lost = q.killed, q.lost
	if most := q.killed + q.lost; t.extra > most {
		return t, fmt.Errorf("crash: %s, seed %d: %d model calls more than undisturbed after %d kills", kind, s.seed, t.extra, most)
	}
	return t, nil
}

// history collects what there is of a run that has ended.
func (q *queue) history(ctx context.Context, run string) (*history, error) {
	h := &history{Run: run}
	var err error
	if h.End, err = readEnd(q.dir, run); err != nil {
		return nil, err
	}
	if err := q.collect(ctx, h); err != nil {
		return nil, err
	}
	t, err := trailOf(ctx, q.store, run)
	if err != nil {
		return nil, err
	}
	// Each connection to the desktop but the first, and the one after the question, is
	// that of a worker which took the run from another one. It is in the journal where
	// that was, if it was not killed before it had said so.
	for i := range count(h.Desk, evOpen) - 2 {
		k := kill{}
		if len(t.resumed) > 0 {
			k.at = t.resumed[min(i, len(t.resumed)-1)]
		}
		h.Kills = append(h.Kills, k)
	}
	return h, nil
}
