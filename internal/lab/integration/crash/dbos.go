package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
	_ "github.com/dbos-inc/dbos-transact-golang/dbos/driver/sqlite" // the driver of "sqlite:" URLs

	"github.com/agentfsm/agentfsm/adapters/dbos"
	"github.com/agentfsm/agentfsm/runs"
)

// onDBOS has DBOS in a file beside the journals, or in the PostgreSQL that has them.
var onDBOS = engine{
	start: func(_ context.Context, dir, kind, place string) (at string, end func() error, err error) {
		if kind == storePostgres {
			return strings.Replace(place, "dbname='postgres'", "dbname='dbos'", 1), nothing, nil // DBOS creates it
		}
		return "sqlite:" + (&url.URL{Path: filepath.Join(dir, kind+"-dbos.db")}).EscapedPath(), nothing, nil
	},
	open: func(ctx context.Context, j job) (runs.Engine, func() error, error) {
		e, err := dbos.New(ctx, sdk.Config{DatabaseURL: j.At, ExecutorID: j.Name}, nil)
		if err != nil {
			return nil, nil, fmt.Errorf("crash: %w", err)
		}
		return e, e.Close, nil
	},
}
