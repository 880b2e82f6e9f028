package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/postgres"
)

// stages does what the flags ask for.
func (s *settings) stages(ctx context.Context, dir string) error {
	wanted := func(store string) bool { return s.store == "" || s.store == store }
	if wanted(storeFiles) && s.engine == "" {
		if err := s.print(s.records(ctx, filepath.Join(dir, "records"))); err != nil {
			return err
		}
	}
	for _, store := range []string{storeFiles, storeSQLite} {
		if wanted(store) {
			if err := s.print(s.service(ctx, dir, store, filepath.Join(dir, store+"-journals"), nil)); err != nil {
				return err
			}
		}
	}
	if !wanted(storePostgres) {
		return nil
	}
	server, err := postgres.Start(ctx, "")
	if err != nil {
		return err
	}
	err = s.print(s.service(ctx, dir, storePostgres, server.DSN(""), func(ctx context.Context) error {
		return errors.Join(server.Crash(), server.Restart(ctx))
	}))
	return errors.Join(err, server.Stop())
}

// print writes what was counted, also if something was wrong in the end.
func (s *settings) print(t *table, err error) error {
	if t == nil {
		return err
	}
	return errors.Join(err, t.print(s.out))
}

// records kills a driver at every record of an undisturbed run, or every so many, before and after its Append.
func (s *settings) records(ctx context.Context, dir string) (t *table, err error) {
	w, err := openWorld(ctx, s.seed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	calm, _, err := s.one(ctx, w, dir, "calm-host", death{})
	if err == nil {
		err = s.violated(storeFiles, calm, checkCalm(calm))
	}
	if err != nil {
		return nil, err
	}
	t = newTable("files, at every record", calm)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for i := 0; i < 2*len(calm.Kinds); i += s.every {
		group.Go(func() error {
			d := death{At: int64(i/2 + 1), After: i%2 == 1}
			h, killed, err := s.one(ctx, w, dir, fmt.Sprintf("record-%d-host", i), d)
			if err != nil {
				return err
			}
			wrong := checkRun(calm, h, 1)
			// People write some records, and a run may have ended sooner.
			if i/2 < len(h.Kinds) && !slices.Contains([]string{"start", "answer"}, h.Kinds[i/2]) && killed != 1 {
				wrong = append(wrong, fmt.Sprintf("%d kills at record %d, instead of one", killed, d.At))
			}
			t.add(s, h, calm)
			return s.violated(storeFiles, h, wrong)
		})
	}
	return t, group.Wait()
}

// one has one driver drive one run, and says how often it was killed.
func (s *settings) one(ctx context.Context, w *world, dir, run string, d death) (h *history, killed int, err error) {
	dir = filepath.Join(dir, run)
	l, err := openLab(ctx, w, dir, job{Store: storeFiles, Place: filepath.Join(dir, "journals")})
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	l.death = d
	if err = l.work(ctx, 1, []string{run}, nil, rand.New(rand.NewPCG(s.seed, 0))); err == nil {
		h, err = l.history(ctx, run)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("crash: files, seed %d, run %s: %w", s.seed, run, err)
	}
	return h, l.killed, nil
}

// service has two drivers drive runs, and one of each form before them that nobody disturbs. restart, which may be nil,
// restarts the database of the store.
func (s *settings) service(ctx context.Context, dir, kind, place string, restart func(context.Context) error) (t *table, err error) {
	w, err := openWorld(ctx, s.seed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	at, closeServer, err := startEngine(ctx, s.engine, dir, kind, place)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeServer()) }()
	l, err := openLab(ctx, w, filepath.Join(dir, kind), job{Store: kind, Place: place, Engine: s.engine, At: at})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	var calm []string
	for _, f := range forms {
		calm = append(calm, "calm-"+f.name)
	}
	if err := l.work(ctx, drivers, calm, nil, rand.New(rand.NewPCG(s.seed, 0))); err != nil {
		return nil, fmt.Errorf("crash: %s, undisturbed: %w", kind, err)
	}
	undisturbed := map[string]*history{}
	for i, f := range forms {
		h, err := l.history(ctx, calm[i])
		if err == nil {
			err = s.violated(kind, h, append(f.whole(h), checkForm(f, h, h)...))
		}
		if err != nil {
			return nil, err
		}
		undisturbed[f.name] = h
	}
	t = newTable(strings.TrimSuffix(kind+", two drivers on "+s.engine, " on "), undisturbed[forms[0].name])
	var names []string
	for i := range s.runs {
		names = append(names, fmt.Sprintf("run-%d-%s", i, forms[i%len(forms)].name))
	}
	strikes := slices.Concat(slices.Repeat([]strike{kill}, s.kills), slices.Repeat([]strike{freeze}, s.kills))
	if restart != nil {
		l.restart, strikes = restart, append(strikes, restartDatabase)
	}
	if err := l.work(ctx, drivers, names, strikes, rand.New(rand.NewPCG(s.seed, 1))); err != nil {
		return t, fmt.Errorf("crash: %s, seed %d: %w", kind, s.seed, err)
	}
	for _, run := range names {
		f := formOf(run)
		h, err := l.history(ctx, run)
		if err != nil {
			return t, err
		}
		t.add(s, h, undisturbed[f.name])
		if err := s.violated(kind, h, checkForm(f, undisturbed[f.name], h)); err != nil {
			return t, err
		}
	}
	t.struck, t.frozen = l.killed, l.frozen
	return t, nil
}

const drivers = 2 // of a service

// violated returns what is wrong with a run as an error; nil: nothing.
func (s *settings) violated(store string, h *history, wrong []string) error {
	if len(wrong) == 0 {
		return nil
	}
	return fmt.Errorf("crash: %s, seed %d, run %s (%s):\n  %s", store, s.seed, h.Run, h.killed(), strings.Join(slices.Concat(wrong, h.Story), "\n  "))
}
