package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Delete implements [store.Store]. It deletes the records of a run and its mark. Nothing else deletes them: a run
// that has ended stays until a caller deletes it. A Read that is under way then ends early, with [ErrDeleted].
//
// The id can be used again. A process that lost the run long ago, and has not noticed, is refused at its
// next Append, unless the new run has come to exactly as many records: do not use the id again for a run
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
		return fmt.Errorf("sqlstore: delete run %q: %w", run, err)
	}
	defer func() { _ = hold.Release(context.WithoutCancel(ctx)) }() // a lease runs out by itself
	var uncertain bool
	if s.dialect == sqliteDialect {
		uncertain, err = s.sqliteWrite(ctx, func(conn *sql.Conn) error { return s.delete(ctx, conn, run) })
	} else {
		// Not twice by itself: meanwhile somebody may have begun another run under the id.
		uncertain, err = s.postgresDo(ctx, false, func(conn *sql.Conn) error { return s.postgresDelete(ctx, conn, run) })
	}
	switch {
	case err == nil:
	case uncertain:
		return fmt.Errorf("sqlstore: delete run %q, which may have been done: %w", run, s.explain(ctx, err))
	default:
		return fmt.Errorf("sqlstore: delete run %q: %w", run, s.explain(ctx, err))
	}
	s.forgetDriver(run)
	return nil
}

// postgresDelete is delete in a transaction. Each of its statements has to see what was appended until it got its lock.
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

// delete runs in a transaction. It locks first what others change: the run, against those who append.
func (s *Store) delete(ctx context.Context, q querier, run string) error {
	var id int64
	err := each(ctx, q, s.text(`SELECT id FROM agentfsm_runs WHERE run = $1 {lock}`),
		[]any{run}, func(rows *sql.Rows) error { return rows.Scan(&id) })
	for _, query := range []string{`DELETE FROM agentfsm_records WHERE run = $1 AND {sync}`, `DELETE FROM agentfsm_runs WHERE id = $1 AND {sync}`} {
		if err == nil {
			_, err = q.ExecContext(ctx, s.text(query), id)
		}
	}
	return err
}
