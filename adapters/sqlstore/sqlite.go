package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/ownfile"
)

// OpenSQLite returns a Store in a database file, which is created when it is not there,
// for its owner only. Its folder has to be there, on a disk of this machine. As store.Files does, OpenSQLite refuses a
// folder to which every user may write, and files that are links or another user's. opts may be nil.
func OpenSQLite(ctx context.Context, path string, opts *Options) (*Store, error) {
	if path == "" {
		return nil, errors.New("sqlstore: no path of a database")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	if err := ended(ctx); err != nil {
		return nil, fmt.Errorf("sqlstore: %s: %w", path, err)
	}
	if err := createPrivate(path); err != nil {
		return nil, fmt.Errorf("sqlstore: %w", err)
	}
	db, err := sql.Open("sqlite", sqliteName(path))
	if err != nil {
		return nil, fmt.Errorf("sqlstore: %s: %w", path, err)
	}
	return openOwn(ctx, db, sqliteDialect, path, opts)
}

// creating is held while a database is created: to close its file would take away the locks of other stores of this process.
var creating sync.Mutex

// createPrivate makes an empty file that only its owner may read, if there is none: SQLite would let others read it. Its
// other files get the same rights.
func createPrivate(path string) error {
	creating.Lock()
	defer creating.Unlock()
	if there, err := checkOwn(path); there || err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process was faster
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// checkOwn refuses a folder that store.Files refuses, and files that somebody else has put beside the database, or in its place.
func checkOwn(path string) (there bool, err error) {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	if err == nil {
		err = ownfile.Folder(dir, info)
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrNotExist) {
		return false, &fs.PathError{Op: "create", Path: path, Err: e.Err}
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal", "-driven", ""} {
		if err != nil {
			return false, err
		}
		kind := fs.FileMode(0)
		if suffix == "-driven" {
			kind = fs.ModeDir
		}
		if err = ownfile.Check(path+suffix, kind); errors.Is(err, fs.ErrNotExist) {
			err = nil
		} else if err == nil {
			there = suffix == ""
		}
	}
	return there, err
}

// sqliteName is the name of a file for the driver. What waits in SQLite does not heed a
// context, so it waits for short whiles only, and the rest of the time here.
func sqliteName(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // of a drive
	}
	query := url.Values{
		"_pragma": {"busy_timeout(10)", "synchronous(FULL)", "fullfsync(1)", "checkpoint_fullfsync(1)"},
		"_txlock": {"immediate"},
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: query.Encode()}).String()
}

// prepareSQLite makes a database ready.
func (s *Store) prepareSQLite(ctx context.Context) error {
	err := s.sqliteSetUp(ctx)
	var file string
	if err == nil {
		file, err = filepath.EvalSymlinks(s.name) // whatever it was opened by
	}
	if err == nil {
		s.drives, err = store.DrivesIn(file + "-driven")
	}
	if err == nil {
		_, err = s.sqliteWrite(ctx, func(conn *sql.Conn) error {
			return s.createTables(ctx, conn, `SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = 'agentfsm_schema'`)
		})
	}
	return s.about(ctx, err)
}

// sqliteSetUp looks at what holds for the whole database.
func (s *Store) sqliteSetUp(ctx context.Context) error {
	var encoding, mode string
	return s.sqlitePatiently(ctx, func() error {
		if err := s.db.QueryRowContext(ctx, "PRAGMA encoding").Scan(&encoding); err != nil {
			return err
		}
		if encoding != "UTF-8" {
			return fmt.Errorf("its encoding is %s, and it should be UTF-8, in which ids have the order of their bytes: %w", encoding, errors.ErrUnsupported)
		}
		if err := s.db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
			return err
		}
		if mode != "wal" {
			return fmt.Errorf("it stays in the mode %q, and cannot have a WAL: %w", mode, errors.ErrUnsupported)
		}
		return nil
	})
}

// sqlitePatiently calls f until the database is not busy.
func (s *Store) sqlitePatiently(ctx context.Context, f func() error) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		if err := ended(ctx); err != nil {
			return err
		}
		err := f()
		if err == nil || !isBusy(err) {
			return err
		}
		timer := time.NewTimer(pause/2 + rand.N(pause))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// sqliteWrite runs f in a transaction that nobody else writes beside. Uncertain is whether it
// may have been committed in spite of the error.
func (s *Store) sqliteWrite(ctx context.Context, f func(*sql.Conn) error) (uncertain bool, err error) {
	// Those of one process take turns here, and need not poll for the lock of the file.
	select {
	case s.writer <- struct{}{}:
	case <-ctx.Done():
		return false, ended(ctx)
	}
	defer func() { <-s.writer }()
	var conn *sql.Conn
	err = s.sqlitePatiently(ctx, func() (err error) { conn, err = s.db.Conn(ctx); return err })
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close() }() // back into the pool
	err = s.sqlitePatiently(ctx, func() error { return sqliteExec(ctx, conn, "BEGIN IMMEDIATE") })
	if err != nil {
		return false, err
	}
	if err = f(conn); err == nil {
		// A commit that has begun is not cancelled, because its outcome would be unknown.
		err = s.sqlitePatiently(ctx, func() error {
			err := sqliteExec(context.WithoutCancel(ctx), conn, "COMMIT")
			uncertain = err != nil && !isBusy(err)
			return err
		})
	}
	if err != nil {
		undo := sqliteExec(context.WithoutCancel(ctx), conn, "ROLLBACK")
		if undo != nil && sqliteCode(undo) != codeError { // which it is when SQLite has done so already
			_ = conn.Raw(discarded)
		}
	}
	return uncertain, err
}

func sqliteExec(ctx context.Context, conn *sql.Conn, text string) error {
	_, err := conn.ExecContext(ctx, text)
	return err
}

// The codes of SQLite that something is made of here, without what is above the first byte.
const (
	codeError   = 1
	codeBusy    = 5
	codeLocked  = 6
	codeShmSize = 10 | 19<<8 // with what is above: the file ending in -shm could not grow
	codeCorrupt = 11
	codeFull    = 13
	codeUnique  = 19
	codeNotADB  = 26
)

// sqliteCode is the code of an error, 0 when it is not one of SQLite.
func sqliteCode(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

func isBusy(err error) bool {
	code := sqliteCode(err)
	return code == codeBusy || code == codeLocked
}

func isCorrupt(err error) bool {
	code := sqliteCode(err)
	return code == codeCorrupt || code == codeNotADB || postgresCode(err, "XX001", "XX002")
}

func isFull(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == codeFull || e.Code() == codeShmSize) || postgresCode(err, "53100")
}

func isUnique(err error) bool { return sqliteCode(err) == codeUnique || postgresCode(err, "23505") }
