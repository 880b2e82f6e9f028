package sqlstore

import (
	"context"
	"database/sql"
	"strings"
)

// querier is a connection or a transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// What PostgreSQL has for words in statements. A sub-select is evaluated once, and an
// index can be searched for it, which is not so for what changes with every look.
const (
	postgresNow = "(SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)"
	// Whoever configured the server may be content with losing what was committed last.
	postgresSync = `(SELECT set_config('synchronous_commit',
		CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)) IS NOT NULL`
)

// text fills in what differs between the databases.
func (s *Store) text(query string) string {
	sync, lock := postgresSync, "FOR UPDATE"
	if s.dialect == sqliteDialect {
		sync, lock = "TRUE", ""
	}
	return strings.NewReplacer("{now}", postgresNow, "{sync}", sync, "{lock}", lock).Replace(query)
}

// change runs one statement of PostgreSQL that changes at most one row and returns something of it. It does no harm
// when it is done twice.
func (s *Store) change(ctx context.Context, query string, args []any, dest ...any) (found bool, err error) {
	_, err = s.postgresDo(ctx, true, func(conn *sql.Conn) error {
		found = false
		return each(ctx, conn, s.text(query), args, func(rows *sql.Rows) error { found = true; return rows.Scan(dest...) })
	})
	return found && err == nil, err
}

// each runs a query and calls f for each row. It reads to the end, since a statement that
// changes something is done only then.
func each(ctx context.Context, q querier, query string, args []any, f func(*sql.Rows) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // its error is that of Err
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// look runs a query that changes nothing, again while SQLite is busy, or where a connection was
// broken. Begin is called before each try.
func (s *Store) look(ctx context.Context, begin func(), query string, args []any, f func(*sql.Rows) error) error {
	try := func(q querier) error {
		begin()
		return each(ctx, q, query, args, f)
	}
	if s.dialect == sqliteDialect {
		return s.sqlitePatiently(ctx, func() error { return try(s.db) })
	}
	_, err := s.postgresDo(ctx, true, func(conn *sql.Conn) error { return try(conn) })
	return err
}
