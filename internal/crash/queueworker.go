package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/round"
)

// queueJob is the part of a worker that takes runs from a queue.
type queueJob struct {
	Store   string `json:"store"`   // sqlite or postgres
	Place   string `json:"place"`   // file, or how to connect
	Model   string `json:"model"`   // address
	Desktop string `json:"desktop"` // address
	Dir     string `json:"dir"`     // for answers and ends
	Name    string `json:"name"`
}

// report is what such a worker says when something went wrong.
type report struct {
	Run  string `json:"run"`
	Text string `json:"text"`
	Lost bool   `json:"lost"` // another worker has taken the run
}

const (
	leaseTime = 700 * time.Millisecond
	poll      = 10 * time.Millisecond
)

var errStore = errors.New("crash: unknown store")

func openSQL(ctx context.Context, st, place string) (*sqlstore.Store, error) {
	switch st {
	case storeSQLite:
		return sqlstore.OpenSQLite(ctx, place, nil)
	case storePostgres:
		return sqlstore.OpenPostgres(ctx, place, nil)
	}
	return nil, fmt.Errorf("%w: %q", errStore, st)
}

// queueWorkerMain is the process of a worker that takes runs from a queue until it is
// told to end, or killed.
func queueWorkerMain(ctx context.Context, part []byte, out io.Writer) (err error) {
	var j queueJob
	if err := json.Unmarshal(part, &j); err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	st, err := openSQL(ctx, j.Store, j.Place)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	var mu sync.Mutex
	said := json.NewEncoder(out)
	opts := sqlstore.WorkOptions{
		Worker: j.Name, TTL: leaseTime, Poll: poll, Pause: leaseTime,
		Report: func(run string, err error) {
			mu.Lock()
			defer mu.Unlock()
			lost := errors.Is(err, sqlstore.ErrLeaseLost) || errors.Is(err, store.ErrConflict)
			_ = said.Encode(report{Run: run, Text: err.Error(), Lost: lost}) // nobody else could be told
		},
	}
	return st.Work(ctx, opts, func(ctx context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
		w := &worker{model: j.Model, desktop: j.Desktop, store: st, person: &person{path: answersOf(j.Dir, l.Run)}, takesOver: l.Tries > 1}
		res, err := w.work(ctx, l.Run)
		switch {
		case err != nil:
			return 0, err
		case res.Outcome == round.Suspended:
			return sqlstore.Wait, nil
		}
		return sqlstore.Done, writeEnd(j.Dir, l.Run, res)
	})
}

func answersOf(dir, run string) string { return filepath.Join(dir, run+".answers") }

func endOf(dir, run string) string { return filepath.Join(dir, run+".end") }

// writeEnd keeps how a run ended: all of it or nothing.
func writeEnd(dir, run string, res outcome) error {
	raw, err := json.Marshal(res)
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	f, err := os.CreateTemp(dir, run)
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	_, err = f.Write(raw)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), endOf(dir, run))
	}
	if err != nil {
		return fmt.Errorf("crash: %w", err)
	}
	return nil
}

func readEnd(dir, run string) (res outcome, err error) {
	raw, err := os.ReadFile(endOf(dir, run))
	if err == nil {
		err = json.Unmarshal(raw, &res)
	}
	if err != nil {
		return res, fmt.Errorf("crash: the end of %s: %w", run, err)
	}
	return res, nil
}
