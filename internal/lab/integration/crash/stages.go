package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/postgres"
	"github.com/agentfsm/agentfsm/runs"
)

// brief are waits that let kills fall into each window now and then.
var brief = servicePart{Before: 3 * time.Millisecond, After: 2 * time.Millisecond}

// services kills and stops processes whose journals are in a store of one machine.
func (s *settings) services(kind, place string) func(ctx context.Context, dir string) error {
	return func(ctx context.Context, dir string) error {
		return s.with(ctx, filepath.Join(dir, "service-"+kind), brief, func(l *lab) (*table, error) { return s.serve(ctx, l, kind, l.path(place), nil) })
	}
}

// postgres starts a PostgreSQL and does that with journals that are in it.
func (s *settings) postgres(ctx context.Context, dir string) error {
	server, err := postgres.Start(ctx, "")
	if err != nil {
		return err
	}
	err = s.with(ctx, filepath.Join(dir, storePostgres), brief, func(l *lab) (*table, error) {
		return s.serve(ctx, l, storePostgres, server.DSN(""), func(ctx context.Context) error {
			return errors.Join(server.Crash(), server.Restart(ctx))
		})
	})
	return errors.Join(err, server.Stop())
}

// serve has the runs driven, and one of each form before them that nobody disturbs. restart, which may be nil, restarts
// the database of the store.
func (s *settings) serve(ctx context.Context, l *lab, kind, place string, restart func(context.Context) error) (t *table, err error) {
	st, closeStore, err := openStore(ctx, kind, place)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeStore()) }()
	at, closeServer, err := s.startEngine(ctx, l, kind, place)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeServer()) }()
	e := &enterprise{lab: l, kind: kind, place: place, engine: s.engine, at: at, store: st, restart: restart, answered: map[string]map[string]string{}}
	engine, closeEngine, err := openEngine(ctx, e.job("starter"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeEngine()) }()
	if e.service, err = runs.New(st, runs.Config{Round: options(), Engine: engine}); err != nil {
		return nil, err
	}
	var calm []string
	for _, f := range forms {
		calm = append(calm, "calm-"+f.name)
	}
	if err := e.work(ctx, calm, 0, 0, rand.New(rand.NewPCG(s.seed, 0))); err != nil {
		return nil, fmt.Errorf("crash: %s, undisturbed: %w", kind, err)
	}
	undisturbed := map[string]*history{}
	for i, f := range forms {
		h, err := e.history(ctx, calm[i])
		if err == nil {
			err = s.violated(kind, h, append(f.whole(h), checkForm(f, h, h)...))
		}
		if err != nil {
			return nil, err
		}
		undisturbed[f.name] = h
	}
	title := kind + ", two processes of a service"
	if s.engine != "" {
		title += " on " + s.engine
	}
	t = newTable(title, undisturbed[forms[0].name])
	var names []string
	for i := range s.runs {
		names = append(names, fmt.Sprintf("run-%d-%s", i, forms[i%len(forms)].name))
	}
	if err := e.work(ctx, names, s.strikes, s.strikes, rand.New(rand.NewPCG(s.seed, 1))); err != nil {
		return t, fmt.Errorf("crash: %s, seed %d: %w", kind, s.seed, err)
	}
	for _, run := range names {
		f := formOf(run)
		h, err := e.history(ctx, run)
		if err != nil {
			return t, err
		}
		t.addTo(h, undisturbed[f.name])
		s.tell(kind, h, undisturbed[f.name])
		if err := s.violated(kind, h, checkForm(f, undisturbed[f.name], h)); err != nil {
			return t, err
		}
	}
	t.struck, t.frozen, t.answers = e.killed, e.frozen, e.given
	return t, nil
}
