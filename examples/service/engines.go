package main

import (
	"context"
	"log/slog"
	"net/url"
	"path/filepath"
	"time"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
	_ "github.com/dbos-inc/dbos-transact-golang/dbos/driver/sqlite" // the driver of "sqlite:" URLs

	temporalclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"

	"github.com/agentfsm/agentfsm/adapters/dbos"
	"github.com/agentfsm/agentfsm/adapters/temporal"
	"github.com/agentfsm/agentfsm/runs"
)

// The engines.
const (
	onDBOS     = "dbos"
	onTemporal = "temporal"
)

// openEngine opens what schedules the runs; nil: the workers do.
func (c *call) openEngine(ctx context.Context) (e runs.Engine, closes func() error, err error) {
	switch c.engine {
	case onDBOS:
		return c.dbos(ctx)
	case onTemporal:
		return c.temporal(ctx)
	}
	return nil, func() error { return nil }, nil
}

// temporal is a Temporal server that is there already.
func (c *call) temporal(ctx context.Context) (runs.Engine, func() error, error) {
	worker.SetStickyWorkflowCacheSize(100) // a run that waits costs nothing here
	server, err := temporalclient.DialContext(ctx, temporalclient.Options{
		HostPort: c.at, Namespace: c.namespace, Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	if err != nil {
		return nil, nil, err
	}
	e, err := temporal.New(server, &temporal.Options{Heartbeat: 2 * time.Second}) // a demonstration is impatient
	return e, func() error { server.Close(); return nil }, err
}

// dbos is DBOS in the PostgreSQL of the runs, or in a file beside them.
func (c *call) dbos(ctx context.Context) (runs.Engine, func() error, error) {
	database := c.dsn
	if c.kind != postgres {
		database = "sqlite:" + (&url.URL{Path: filepath.ToSlash(filepath.Join(c.dir, "dbos.db"))}).EscapedPath()
	}
	e, err := dbos.New(ctx, sdk.Config{DatabaseURL: database, ExecutorID: c.name}, nil)
	if err != nil {
		return nil, nil, err
	}
	return e, e.Close, nil
}
