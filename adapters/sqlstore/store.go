package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/durable/store"
)

type dialect int

const (
	sqliteDialect dialect = iota + 1
	postgresDialect
)

// Options are options of a [Store]. The zero value has the defaults.
type Options struct {
	// MaxConns is how many connections OpenSQLite and OpenPostgres open at most. 0: 8.
	MaxConns int
}

const (
	maxRecord = 64 << 20 // bytes, as in store.Files
	// maxAppend is how many bytes may be appended at once. Databases have bounds not far above, and keep all of it in
	// memory on the way.
	maxAppend = 512 << 20
)

// Store keeps journals of runs in a database, and a mark of each. Everything may be
// called by several goroutines, and the database may be used by several processes.
type Store struct {
	db      *sql.DB
	dialect dialect
	name    string          // of the database, for messages
	own     bool            // whether Close closes db
	writer  chan struct{}   // has one place, for the goroutine that writes to SQLite
	drives  *store.Drives   // of SQLite: who drives which run
	life    context.Context //nolint:containedctx // ends with Close, for the goroutines that extend leases
	end     context.CancelFunc
}

var _ store.Index = (*Store)(nil)

// openOwn returns a store with a pool of its own.
func openOwn(ctx context.Context, db *sql.DB, of dialect, name string, opts *Options) (*Store, error) {
	conns := 8
	if opts != nil && opts.MaxConns > 0 {
		conns = opts.MaxConns
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	s, err := open(ctx, &Store{db: db, dialect: of, name: name, own: true})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// open completes the store and makes its tables.
func open(ctx context.Context, s *Store) (*Store, error) {
	s.writer = make(chan struct{}, 1)
	s.life, s.end = context.WithCancel(context.Background())
	prepare := s.preparePostgres
	if s.dialect == sqliteDialect {
		prepare = s.prepareSQLite
	}
	if err := prepare(ctx); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// Close closes the connections that OpenSQLite and OpenPostgres have opened. It leaves
// those alone that NewPostgres was given. Runs that are driven by it are given back by their Holds.
func (s *Store) Close() error {
	s.end()
	if !s.own {
		return nil
	}
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	return nil
}
