package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// OpenPostgres returns a Store in a database of PostgreSQL 12 or newer, whose encoding has to be
// UTF8. The tables are created where the search path of the connection says. dsn is a
// URL, or words such as "host=/run/postgresql dbname=runs". opts may be nil.
func OpenPostgres(ctx context.Context, dsn string, opts *Options) (*Store, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err) // without the password
	}
	name := fmt.Sprintf("the database %q of %s", config.Database, config.Host)
	return openOwn(ctx, stdlib.OpenDB(*config), postgresDialect, name, opts)
}

// NewPostgres returns a Store in a database whose connections belong to the caller, of the driver "pgx". One is enough.
// The tables are created as by [OpenPostgres].
func NewPostgres(ctx context.Context, db *sql.DB) (*Store, error) {
	if db == nil {
		return nil, errors.New("sqlstore: no *sql.DB")
	}
	return open(ctx, &Store{db: db, dialect: postgresDialect, name: "the PostgreSQL database"})
}

// lockKey is the number of the lock of those who create tables: "agentfsm".
const lockKey = 0x6167656e7466736d

// preparePostgres makes a database ready.
func (s *Store) preparePostgres(ctx context.Context) error {
	_, err := s.postgresDo(ctx, true, func(conn *sql.Conn) error {
		var encoding string
		if err := conn.QueryRowContext(ctx, "SHOW server_encoding").Scan(&encoding); err != nil {
			return err
		}
		if encoding != "UTF8" {
			return fmt.Errorf("its encoding is %s, and it should be UTF8: %w", encoding, errors.ErrUnsupported)
		}
		return s.postgresTables(ctx, conn)
	})
	return s.about(ctx, err)
}

// postgresTables runs createTables in a transaction.
func (s *Store) postgresTables(ctx context.Context, conn *sql.Conn) (err error) {
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing when it was committed
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", int64(lockKey)); err != nil {
		return err
	}
	if err := s.createTables(ctx, tx, `SELECT COUNT(*) FROM pg_catalog.pg_class WHERE oid = to_regclass('agentfsm_schema')`); err != nil {
		return err
	}
	return tx.Commit()
}

// postgresDo runs f, which has one statement that changes something, and that is a transaction of its own. It is run
// again after errors before which nothing was done, such as that of a connection that the server had closed meanwhile,
// and, if it may be done twice, also after those where that is not known. Uncertain is whether it may have been done in
// spite of the error.
func (s *Store) postgresDo(ctx context.Context, twice bool, f func(*sql.Conn) error) (uncertain bool, err error) {
	broken := 0
	for pause := time.Millisecond; ; {
		conn, err := s.db.Conn(ctx)
		if err != nil {
			return uncertain, err
		}
		err = f(conn)
		open := err == nil || answered(conn, err)
		_ = conn.Close() // back into the pool
		if err == nil {
			return false, nil
		}
		uncertain = uncertain || !open && mayBeDone(err)
		switch {
		case ended(ctx) != nil:
			return uncertain, err
		case postgresCode(err, "40001", "40P01"): // of several at once, this one is to try again
			timer := time.NewTimer(pause/2 + rand.N(pause))
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				return uncertain, err
			}
			pause = min(2*pause, 50*time.Millisecond)
		case open, uncertain && !twice:
			return uncertain, err
		default: // all connections of the pool may be broken
			if broken++; broken > s.db.Stats().OpenConnections+2 {
				return uncertain, err
			}
		}
	}
}

// answered reports whether an error is an answer of the server, or our own: the connection can still be used.
func answered(conn *sql.Conn, err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return severity(e) == "ERROR"
	}
	open := false
	gone := conn.Raw(func(inner any) error {
		c, ok := inner.(*stdlib.Conn)
		open = ok && !c.Conn().IsClosed()
		return nil
	})
	return gone == nil && open
}

// mayBeDone reports whether a statement that ended with this error, which is not an answer, may have been executed.
func mayBeDone(err error) bool {
	return !errors.Is(err, driver.ErrBadConn) && !pgconn.SafeToRetry(err)
}

func severity(e *pgconn.PgError) string {
	if e.SeverityUnlocalized != "" {
		return e.SeverityUnlocalized
	}
	return e.Severity
}

// postgresCode reports whether an error is the server's with one of these codes.
func postgresCode(err error, codes ...string) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && slices.Contains(codes, e.Code)
}
