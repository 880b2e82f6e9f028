package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/runs"
)

// job is what a driver has to do. It is JSON in the environment of its process.
type job struct {
	Store string `json:"store"` // files, sqlite or postgres
	Place string `json:"place"` // folder, file, or how to connect
	Inner string `json:"inner"` // folder of the journals of rounds inside
	World string `json:"world"` // address

	Engine string `json:"engine"` // "": that of package runs
	At     string `json:"at"`     // where the engine is
	Name   string `json:"name"`   // of the process, the same if it is started again

	Death death `json:"death"`
}

const jobEnv = "AGENTFSM_CRASH_JOB"

// orphaned is how a driver ends when its parent has gone, or wants it to go.
const orphaned = 3

// poll is how often a driver looks into its store.
const poll = 50 * time.Millisecond

// driver is the process of a driver.
type driver struct {
	cmd    *exec.Cmd
	stdin  io.Closer // open as long as the driver may live
	stderr bytes.Buffer
	ended  chan struct{} // closed when it has ended
	err    error         // of its end
}

// startDriver starts a process. It is killed when ctx is done. What its service logs goes to heard.
func startDriver(ctx context.Context, j job, heard func(line string)) (*driver, error) {
	self, err := os.Executable()
	raw, err2 := json.Marshal(j)
	d := &driver{cmd: exec.CommandContext(ctx, self), ended: make(chan struct{})}
	d.cmd.Env = append(os.Environ(), jobEnv+"="+string(raw))
	d.cmd.WaitDelay = 10 * time.Second
	d.cmd.Stderr = &d.stderr
	stdin, err3 := d.cmd.StdinPipe()
	out, err4 := d.cmd.StdoutPipe()
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	if err := d.cmd.Start(); err != nil {
		return nil, fmt.Errorf("crash: %w", err)
	}
	d.stdin = stdin
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			heard(lines.Text())
		}
		d.err = d.cmd.Wait()
		close(d.ended)
	}()
	return d, nil
}

// dismiss ends a driver: killed, or by its own hand.
func (d *driver) dismiss(kill bool) error {
	if kill {
		_ = d.cmd.Process.Kill() // it may have failed by itself, which shows below
	}
	_ = d.stdin.Close()
	<-d.ended
	if d.cmd.ProcessState.ExitCode() == orphaned || kill && wasKilled(d.cmd.ProcessState) {
		return nil
	}
	return fmt.Errorf("crash: a driver ended with %w: %.4000s", d.err, bytes.TrimSpace(d.stderr.Bytes()))
}

// playDriver does the job of a driver and returns its exit status; false: this process is none.
func playDriver() (status int, played bool) {
	raw := os.Getenv(jobEnv)
	if raw == "" {
		return 0, false
	}
	signal.Ignore(os.Interrupt) // a terminal tells all, and the parent ends us
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(orphaned)
	}()
	var j job
	err := json.Unmarshal([]byte(raw), &j)
	if err == nil {
		err = j.drive(context.Background(), os.Stdout)
	}
	_, _ = fmt.Fprintln(os.Stderr, err)
	return 1, true
}

// drive drives runs until the process ends.
func (j job) drive(ctx context.Context, out io.Writer) error {
	var st store.Store
	var engine runs.Engine
	err := patiently(ctx, func() (err error) {
		st, _, err = openStore(ctx, j.Store, j.Place)
		return err
	})
	if err != nil {
		return err
	}
	st = j.Death.of(st)
	inner, err := store.Files(j.Inner)
	if err != nil {
		return err
	}
	err = patiently(ctx, func() (err error) {
		engine, _, err = openEngine(ctx, j)
		return err
	})
	if err != nil {
		return err
	}
	svc, err := runs.New(st, runs.Config{
		Engine: engine,
		Agent: func(_ context.Context, run durable.State) (fsm.Worker, func(), error) {
			agent, err := makes(run.Run, run.Seq, j.World, inner)
			return agent, nil, err
		},
		Round: options(), MaxRuns: 4, Slice: 7, Poll: poll,
		Logger: slog.New(slog.NewJSONHandler(out, nil)),
	})
	if err != nil {
		return err
	}
	for {
		if err := svc.Work(ctx); j.Engine == "" {
			return err
		}
		pause(ctx, time.Second) // its database is away: an operator would start the service again
	}
}

// patiently tries for some seconds, such as while the database is about to start again.
func patiently(ctx context.Context, try func() error) (err error) {
	for range 20 {
		if err = try(); err == nil || ctx.Err() != nil {
			return err
		}
		pause(ctx, 500*time.Millisecond)
	}
	return err
}
