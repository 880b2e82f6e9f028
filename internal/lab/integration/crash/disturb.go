package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/agentfsm/agentfsm/durable"
)

// kill kills a process and starts another.
func (e *enterprise) kill(ctx context.Context, r *rand.Rand) error {
	i := r.IntN(drivers)
	if err := e.drivers[i].dismiss(true); err != nil {
		return err
	}
	e.killed++
	s, err := e.hireDriver(ctx, i)
	e.drivers[i] = s // nil: it is none
	return err
}

// freeze has a process stand still for a while, mostly a short one. Others can read all meanwhile.
func (e *enterprise) freeze(ctx context.Context, r *rand.Rand) (err error) {
	p := e.drivers[r.IntN(drivers)].cmd.Process
	if err := stop(p); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	defer func() {
		if err2 := proceed(p); err2 != nil {
			err = errors.Join(err, fmt.Errorf("crash: %w", err2))
		}
	}()
	e.frozen++
	most := 3 * time.Second
	if e.kind == storePostgres {
		most = 7 * time.Second // its runs are taken over, by whoever looks
	}
	u := r.Float64()
	pause(ctx, time.Duration(u*u*u*float64(most)))
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, err := range durable.List(limited, e.store, durable.Query{}) {
		if err != nil {
			return fmt.Errorf("crash: while a process stands still: %w", err)
		}
	}
	return nil
}

// restartDatabase kills the database under those who drive runs, and starts it again. Whoever answers is at home meanwhile.
func (e *enterprise) restartDatabase(ctx context.Context, _ *rand.Rand) error {
	if err := errors.Join(e.complaints(), e.answerer.dismiss(true)); err != nil {
		return err
	}
	e.answerer = nil
	excuse := func(pause time.Duration) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.excused = time.Now().Add(pause)
	}
	excuse(time.Hour)
	err := e.restart(ctx)
	excuse(settling)
	if err == nil {
		e.answerer, err = e.hireAnswerer(ctx)
	}
	return err
}
