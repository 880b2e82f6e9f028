package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runshttp"
)

// open opens the store that the flags name.
func (c *call) open(ctx context.Context) (st store.Store, closes func() error, err error) {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, nil, err
	}
	var db *sqlstore.Store
	switch c.kind {
	case files:
		st, err = store.Files(filepath.Join(c.dir, "journals"), nil)
		return st, func() error { return nil }, err
	case sqlite:
		db, err = sqlstore.OpenSQLite(ctx, filepath.Join(c.dir, "runs.db"), nil)
	case postgres:
		db, err = sqlstore.OpenPostgres(ctx, c.dsn, nil)
	}
	if err != nil {
		return nil, nil, err
	}
	return db, db.Close, nil
}

// service is what each role has of package runs.
func (p program) service(c *call, st store.Store, engine runs.Engine) (*runs.Service, error) {
	return runs.New(st, runs.Config{
		Engine: engine,
		Agent:  workshop{dir: c.dir, executed: p.hold(c)}.agent,
		Round:  bounds(),
		Poll:   100 * time.Millisecond, // a demonstration is impatient
		Logger: slog.New(slog.NewTextHandler(p.problems, nil)),
	})
}

// grace is how long a step may take to come to its end when the process is to end.
const grace = 5 * time.Second

// work drives runs until ctx is done.
func (p program) work(ctx context.Context, c *call, svc *runs.Service) error {
	stop := context.AfterFunc(ctx, func() {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		_ = svc.Close(within) // Work returns then
	})
	defer stop()
	fmt.Fprintln(p.out, "driving runs")
	if err := svc.Work(context.WithoutCancel(ctx)); !errors.Is(err, runs.ErrClosed) {
		return err
	}
	return nil
}

// serve serves the API until ctx is done, and drives runs if it is to.
func (p program) serve(ctx context.Context, c *call, svc *runs.Service) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.address)
	if err != nil {
		return err
	}
	streams, endStreams := context.WithCancel(context.WithoutCancel(ctx))
	defer endStreams()
	server := &http.Server{
		Handler:           runshttp.New(svc, runshttp.Config{Local: true}),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return streams },
	}
	server.RegisterOnShutdown(endStreams) // Shutdown waits for them
	fmt.Fprintf(p.out, "serving http://%s\n", listener.Addr())
	ended := make(chan error, 2)
	go func() { ended <- server.Serve(listener) }()
	waits := 1
	if c.work {
		waits++
		go func() { ended <- p.work(ctx, c, svc) }()
	}
	select {
	case err = <-ended: // it could not go on
		waits--
	case <-ctx.Done():
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err = errors.Join(err, server.Shutdown(within), svc.Close(within))
	for range waits {
		if e := <-ended; !errors.Is(e, http.ErrServerClosed) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// answer answers a question of a run. Whichever worker looks next goes on with it.
func (p program) answer(ctx context.Context, c *call, svc *runs.Service) error {
	run, id, word := c.args[0], c.args[1], c.args[2]
	given, err := svc.Answer(ctx, run, id, people.Answer{Text: word, Approved: word == "yes", By: os.Getenv("USER")})
	switch {
	case err != nil:
		return err
	case given:
		fmt.Fprintf(p.out, "%s: this answer counts\n", word)
	default:
		fmt.Fprintf(p.out, "%s: too late, another answer counts\n", word)
	}
	return nil
}

// hold returns what a worker does when a desktop has executed a tool. In the demonstration, one stands still to be killed.
func (p program) hold(c *call) func(ctx context.Context, run, tool string) {
	return func(ctx context.Context, run, tool string) {
		fmt.Fprintf(p.out, "%s: %s\n", run, tool)
		if run != c.hold || tool != "add_bar_chart" {
			return
		}
		once, err := os.OpenFile(filepath.Join(c.dir, "held"), os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return // it was killed there before
		}
		_ = once.Close()
		fmt.Fprintf(p.out, "%s: %s\n", run, standsStill)
		<-ctx.Done()
	}
}

const standsStill = "the chart is drawn, the journal does not know it yet, and this process stands still"

// untilEnd returns a context that ends with an input: whoever started the process has closed it, or is gone.
func untilEnd(ctx context.Context, in io.Reader) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() { // ends with the process
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	return ctx, cancel
}
