package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Delete implements [store.Store]. It deletes the records of a run and its entry in the queue, both or
// neither. Nothing else ever deletes them: runs that have ended stay until somebody calls it.
//
// While a worker has the run, and its lease has not run out, the error is [ErrLeased], and nothing is
// deleted. That is so within the func of Work, too. Who reads the records meanwhile gets [ErrDeleted] where
// they end early.
//
// The id can be used again. A worker whose lease ran out long ago, and who has not noticed, is refused at
// its next Append, unless the new run has come to exactly as many records: do not use the id again for a run
// that was deleted in mid-work.
//
// What was deleted is no longer found, but its bytes are in the files until the database
// uses their place for something else, or was told to VACUUM.
func (s *Store) Delete(ctx context.Context, run string) error {
	err := store.CheckRun(run)
	if err == nil {
		err = ended(ctx)
	}
	var hold store.Hold
	if err == nil {
		hold, err = s.Drive(ctx, run, false)
	}
	if err != nil {
		return &QueueError{Op: "delete", Run: run, Err: err}
	}
	defer func() { _ = hold.Release(context.WithoutCancel(ctx)) }() // a lease runs out by itself
	var uncertain bool
	if s.dialect == SQLite {
		uncertain, err = s.sqliteWrite(ctx, func(conn *sql.Conn) error { return s.delete(ctx, conn, run) })
	} else {
		// Not twice by itself: meanwhile somebody may have begun another run under the id.
		uncertain, err = s.postgresDo(ctx, false, func(conn *sql.Conn) error { return s.postgresDelete(ctx, conn, run) })
	}
	if err != nil {
		return &QueueError{Op: "delete", Run: run, Uncertain: uncertain, Err: s.explain(ctx, err)}
	}
	s.forgetDriver(run)
	return nil
}

// postgresDelete is delete in a transaction. Each of its statements has to see what was
// appended until it got its lock.
func (s *Store) postgresDelete(ctx context.Context, conn *sql.Conn, run string) error {
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing when it was committed
	if err := s.delete(ctx, tx, run); err != nil {
		return err
	}
	return tx.Commit()
}

// delete runs in a transaction. It locks first what others change: the entry against
// workers, then the run against those who append.
func (s *Store) delete(ctx context.Context, q querier, run string) error {
	var worker string
	var id int64
	leased := 0
	err := each(ctx, q, s.text(`SELECT worker, CASE WHEN state = 1 AND free > {now} THEN 1 ELSE 0 END FROM agentfsm_queue WHERE run = $1 {lock}`),
		[]any{run}, func(rows *sql.Rows) error { return rows.Scan(&worker, &leased) })
	if err == nil && leased == 1 {
		err = fmt.Errorf("%w: %q", ErrLeased, worker)
	}
	if err != nil {
		return err
	}
	err = each(ctx, q, s.text(`SELECT id FROM agentfsm_runs WHERE run = $1 {lock}`),
		[]any{run}, func(rows *sql.Rows) error { return rows.Scan(&id) })
	for _, d := range []struct {
		query string
		which any
	}{
		{`DELETE FROM agentfsm_queue WHERE run = $1 AND {sync}`, run},
		{`DELETE FROM agentfsm_records WHERE run = $1 AND {sync}`, id},
		{`DELETE FROM agentfsm_runs WHERE id = $1 AND {sync}`, id},
	} {
		if err == nil {
			_, err = q.ExecContext(ctx, s.text(d.query), d.which)
		}
	}
	return err
}
