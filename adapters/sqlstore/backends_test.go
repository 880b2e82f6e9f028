package sqlstore_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

// place is a database that nobody has used yet.
type place struct {
	dsn    string // what Open… is given
	driver string // of database/sql
	name   string // what that is given
}

func sqlitePlace(t testing.TB) *place {
	t.Helper()
	path := filepath.Join(t.TempDir(), "runs 100%?#.db") // a name that is not one of a URL
	return &place{
		dsn:    path,
		driver: "sqlite", name: "file:" + escaped.Replace(path) + "?_pragma=busy_timeout(10000)&_txlock=immediate",
	}
}

// onEach runs a test with an empty database: SQLite, or PostgreSQL within
// TestRealPostgreSQL, which has to know the test.
func onEach(t *testing.T, test func(t *testing.T, p *place)) {
	t.Helper()
	top, _, _ := strings.Cut(t.Name(), "/")
	if top == "TestRealPostgreSQL" {
		test(t, postgresPlace(t))
		return
	}
	require.Contains(t, testsOfAll(), top)
	test(t, sqlitePlace(t))
}

// open opens a store, as another process does.
func (p *place) open(t testing.TB, opts *sqlstore.Options) *sqlstore.Store {
	t.Helper()
	s, err := p.try(t, opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func (p *place) try(t testing.TB, opts *sqlstore.Options) (*sqlstore.Store, error) {
	t.Helper()
	if p.driver == "sqlite" {
		return sqlstore.OpenSQLite(t.Context(), p.dsn, opts)
	}
	return sqlstore.OpenPostgres(t.Context(), p.dsn, opts)
}

// pool opens the database without a store.
func (p *place) pool(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open(p.driver, p.name)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// exec changes the database behind the back of the stores.
func (p *place) exec(t testing.TB, query string, args ...any) {
	t.Helper()
	_, err := p.pool(t).ExecContext(t.Context(), query, args...)
	require.NoError(t, err)
}

// count is the answer to a query for a number.
func (p *place) count(t testing.TB, query string) (n int) {
	t.Helper()
	require.NoError(t, p.pool(t).QueryRowContext(t.Context(), query).Scan(&n))
	return n
}

// environment tells another process where the database is.
func (p *place) environment(task, name string) []string {
	return append(os.Environ(), envDriver+"="+p.driver, envDSN+"="+p.dsn, envTask+"="+task, envName+"="+name)
}

// read returns what can be read of a run, and how that ended.
func read(t testing.TB, s store.Store, run string) (records []string, err error) {
	t.Helper()
	for e, err := range s.Read(t.Context(), run, 1) {
		if err != nil {
			require.Zero(t, e)
			return records, err
		}
		records = append(records, string(e.Data))
		require.EqualValues(t, len(records), e.Seq)
	}
	return records, nil
}

// bytesOf turns texts into records.
func bytesOf(texts ...string) [][]byte {
	var records [][]byte
	for _, text := range texts {
		records = append(records, []byte(text))
	}
	return records
}

// words are those of the database in a statement.
func (p *place) words(query string) string {
	if p.driver == "sqlite" {
		return strings.ReplaceAll(query, "{bytes}", "BLOB")
	}
	return strings.ReplaceAll(query, "{bytes}", "bytea")
}
