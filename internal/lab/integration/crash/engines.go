package main

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/runs"
)

// engine is one that schedules the runs of a service in place of package runs.
type engine struct {
	real bool // it needs a program of others
	// start starts what the engine needs beside the store, and returns where that is.
	start func(ctx context.Context, dir, kind, place string) (at string, end func() error, err error)
	// open opens it in a process.
	open func(ctx context.Context, j job) (e runs.Engine, end func() error, err error)
}

var engines = map[string]engine{"dbos": onDBOS, "temporal": onTemporal}

func nothing() error { return nil }

// startEngine starts what the engine of the services needs.
func startEngine(ctx context.Context, name, dir, kind, place string) (at string, end func() error, err error) {
	if name == "" {
		return "", nothing, nil
	}
	return engines[name].start(ctx, dir, kind, place)
}

// openEngine opens the engine of a process; nil: it is that of package runs.
func openEngine(ctx context.Context, j job) (e runs.Engine, end func() error, err error) {
	if j.Engine == "" {
		return nil, nothing, nil
	}
	kind, known := engines[j.Engine]
	if !known {
		return nil, nil, fmt.Errorf("crash: unknown engine %q", j.Engine)
	}
	return kind.open(ctx, j)
}
