package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Dialect says which database it is.
type Dialect int

// The databases that there are.
const (
	SQLite     Dialect = iota + 1 // with the driver of modernc.org/sqlite
	PostgreSQL                    // with the driver of github.com/jackc/pgx/v5/stdlib
)

func (d Dialect) String() string {
	switch d {
	case SQLite:
		return "SQLite"
	case PostgreSQL:
		return "PostgreSQL"
	}
	return fmt.Sprintf("Dialect(%d)", int(d))
}

// Options are options of a [Store]. The zero value has the defaults.
type Options struct {
	// MaxRecord is how large a record may be that is appended, in bytes. 0:
	// 64 MiB, as that of store.Files; negative: MaxAppend.
	MaxRecord int64
	// MaxConns is how many connections OpenSQLite and OpenPostgres open at most. 0: 8. A
	// pool that New is given keeps its own bounds.
	MaxConns int
}

// MaxAppend is how many bytes may be appended at once. Databases have bounds not far
// above, and keep all of it in memory on the way.
const MaxAppend = 512 << 20

// Store keeps journals of runs in a database, and a mark of each. Everything may be
// called by several goroutines, and the database may be used by several processes.
type Store struct {
	db      *sql.DB
	dialect Dialect
	name    string // of the database, for messages
	own     bool   // whether Close closes db
	max     int64
	writer  chan struct{}   // has one place, for the goroutine that writes to SQLite
	drives  *store.Drives   // of SQLite: who drives which run
	life    context.Context //nolint:containedctx // ends with Close, for the goroutines that extend leases
	end     context.CancelFunc
}

var _ store.Index = (*Store)(nil)

// New returns a Store in a database whose connections belong to the caller, and creates its tables where there are
// none. Their names begin with agentfsm_. What a pool must be like is in the package comment. opts may be nil.
//
// It fails with [store.ErrVersion] where the tables are of a newer version, which are left as they are.
func New(ctx context.Context, db *sql.DB, dialect Dialect, opts *Options) (*Store, error) {
	if db == nil {
		return nil, errors.New("sqlstore: no *sql.DB")
	}
	s := &Store{db: db, dialect: dialect, name: "the " + dialect.String() + " database"}
	return s.open(ctx, opts)
}

// openOwn is New for a pool that belongs to the store.
func openOwn(ctx context.Context, db *sql.DB, dialect Dialect, name string, opts *Options) (*Store, error) {
	db.SetMaxOpenConns(opts.maxConns())
	db.SetMaxIdleConns(opts.maxConns())
	s := &Store{db: db, dialect: dialect, name: name, own: true}
	if _, err := s.open(ctx, opts); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// open completes the store and makes its tables.
func (s *Store) open(ctx context.Context, opts *Options) (*Store, error) {
	s.max, s.writer = 64<<20, make(chan struct{}, 1)
	s.life, s.end = context.WithCancel(context.Background())
	if opts != nil && opts.MaxRecord != 0 {
		s.max = opts.MaxRecord
		if s.max < 0 || s.max > MaxAppend {
			s.max = MaxAppend
		}
	}
	var err error
	switch s.dialect {
	case SQLite:
		err = s.prepareSQLite(ctx)
	case PostgreSQL:
		err = s.preparePostgres(ctx)
	default:
		err = fmt.Errorf("sqlstore: there is no %v", s.dialect)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// maxConns is how many connections a pool of ours has.
func (o *Options) maxConns() int {
	if o == nil || o.MaxConns <= 0 {
		return 8
	}
	return o.MaxConns
}

// Close closes the connections that OpenSQLite and OpenPostgres have opened. It leaves
// those alone that New was given. Runs that are driven by it are given back by their Holds.
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
