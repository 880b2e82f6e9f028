package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/runs"
)

// serviceJob is the part of a process of a service: one that drives runs, or one that answers.
type serviceJob struct {
	Store   string `json:"store"`   // files, sqlite or postgres
	Place   string `json:"place"`   // folder, file, or how to connect
	Inner   string `json:"inner"`   // folder of the journals of rounds inside
	Model   string `json:"model"`   // address
	Desktop string `json:"desktop"` // address

	Engine string `json:"engine"` // "": that of package runs
	At     string `json:"at"`     // where the engine is
	Name   string `json:"name"`   // of the process, the same when it is started again
}

// pollOf is how often a process looks into a store: a list of one that keeps no marks takes long.
func pollOf(st store.Store) time.Duration {
	if _, ok := st.(store.Index); !ok {
		return 500 * time.Millisecond
	}
	return 50 * time.Millisecond
}

var errStore = errors.New("crash: unknown store")

// openStore opens the store of a stage.
func openStore(ctx context.Context, kind, place string) (st store.Store, end func() error, err error) {
	var db *sqlstore.Store
	switch kind {
	case storeFiles:
		files, err := store.Files(place, nil)
		return files, func() error { return nil }, err
	case storeSQLite:
		db, err = sqlstore.OpenSQLite(ctx, place, nil)
	case storePostgres:
		db, err = sqlstore.OpenPostgres(ctx, place, nil)
	default:
		err = fmt.Errorf("%w: %q", errStore, kind)
	}
	if err != nil {
		return nil, nil, err
	}
	return db, db.Close, nil
}

// driverMain is a process that drives runs until it is told to end, or killed. It prints what its service logs.
func driverMain(ctx context.Context, part []byte, out io.Writer) (err error) {
	var j serviceJob
	if err := json.Unmarshal(part, &j); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	var st store.Store
	end := nothing
	err = patiently(ctx, func() (err error) {
		st, end, err = openStore(ctx, j.Store, j.Place)
		return err
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	inner, err := store.Files(j.Inner, nil)
	if err != nil {
		return err
	}
	var engine runs.Engine
	closeEngine := nothing
	err = patiently(ctx, func() (err error) {
		engine, closeEngine, err = openEngine(ctx, j)
		return err
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeEngine()) }()
	svc, err := runs.New(st, runs.Config{
		Engine: engine,
		Agent: func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
			agent, err := makes(run.Run, run.Seq, j.Model, j.Desktop, inner)
			return agent, nil, err
		},
		Round: options(), MaxRuns: 4, Slice: 7, Poll: pollOf(st),
		Logger: slog.New(slog.NewJSONHandler(out, nil)),
	})
	if err != nil {
		return err
	}
	for {
		err := svc.Work(ctx)
		if j.Engine == "" || ctx.Err() != nil {
			return err
		}
		pause(ctx, time.Second) // its database is away: whoever runs a service starts it again
	}
}

// patiently tries for some seconds, as while the database is about to start again.
func patiently(ctx context.Context, try func() error) (err error) {
	for range 20 {
		if err = try(); err == nil || ctx.Err() != nil {
			return err
		}
		pause(ctx, 500*time.Millisecond)
	}
	return err
}
