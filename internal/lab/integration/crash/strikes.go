package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/agentfsm/agentfsm/durable"
)

// strike is what happens to a driver, or to all.
type strike func(ctx context.Context, l *lab, r *rand.Rand) error

// kill kills a driver and starts another.
func kill(ctx context.Context, l *lab, r *rand.Rand) error {
	i := r.IntN(len(l.drivers))
	if err := l.drivers[i].dismiss(true); err != nil {
		return err
	}
	l.killed++
	return l.hire(ctx, i, death{})
}

// patience is how long a list of the runs may take while a driver stands still.
const patience = 20 * time.Second

// freeze has a driver stand still for a while, mostly a short one. Others can read all meanwhile.
func freeze(ctx context.Context, l *lab, r *rand.Rand) (err error) {
	p := l.drivers[r.IntN(len(l.drivers))].cmd.Process
	if err := stop(p); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	defer func() { err = errors.Join(err, proceed(p)) }()
	l.frozen++
	most := 3 * time.Second
	if l.job.Store == storePostgres {
		most = 7 * time.Second // its runs are taken over
	}
	u := r.Float64()
	pause(ctx, time.Duration(u*u*u*float64(most)))
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, err := range durable.List(limited, l.store, durable.Query{}) {
		if err != nil {
			return fmt.Errorf("crash: while a driver stands still: %w", err)
		}
	}
	return nil
}

// settling is how long drivers may complain of a database that has come back.
const settling = 15 * time.Second

// restartDatabase kills the database under the drivers, and starts it again. People are away meanwhile.
func restartDatabase(ctx context.Context, l *lab, _ *rand.Rand) error {
	if err := errors.Join(l.complaints(), l.close()); err != nil {
		return err
	}
	excuse := func(pause time.Duration) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.excused = time.Now().Add(pause)
	}
	excuse(time.Hour)
	err := l.restart(ctx)
	excuse(settling)
	return errors.Join(err, l.open(ctx))
}
