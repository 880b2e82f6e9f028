package sqlstore_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

// Transactions that have to be repeated are, whatever the isolation of the database is.
func TestRealSerializable(t *testing.T) {
	p := postgresPlace(t)
	p.dsn += " default_transaction_isolation=serializable"
	s, other := p.open(t, nil), p.open(t, nil)
	var group sync.WaitGroup
	for i, own := range []*sqlstore.Store{s, other, s, other} {
		group.Go(func() { assert.NoError(t, race(t.Context(), own, fmt.Sprint("w", i))) })
	}
	group.Wait()
	records, err := read(t, s, shared)
	require.NoError(t, err)
	require.Len(t, records, 4*2*rounds)
}

// What is committed is durable, also where the server is configured to answer earlier.
func TestRealSynchronousCommit(t *testing.T) {
	p := postgresPlace(t)
	p.dsn += " synchronous_commit=off"
	s := p.open(t, nil)
	p.exec(t, `CREATE TABLE seen (setting text)`)
	p.exec(t, `CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$`)
	for _, table := range []string{"agentfsm_records", "agentfsm_runs"} {
		p.exec(t, `CREATE TRIGGER look AFTER INSERT OR UPDATE ON `+table+` FOR EACH ROW EXECUTE FUNCTION look()`)
	}
	require.NoError(t, s.Append(t.Context(), "run", 0, []byte("1")))
	require.NoError(t, s.Append(t.Context(), "run", 1, []byte("2")))
	require.NoError(t, s.AppendMarked(t.Context(), "run", 2, store.Mark{Seq: 2}))
	require.Equal(t, 5, p.count(t, `SELECT COUNT(*) FROM seen`))
	require.Equal(t, 0, p.count(t, `SELECT COUNT(*) FROM seen WHERE setting <> 'on'`))
}

// A database whose encoding cannot hold every id is refused.
func TestRealEncoding(t *testing.T) {
	p := postgresPlace(t)
	p.exec(t, `CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`)
	_, err := sqlstore.OpenPostgres(t.Context(), server(t).DSN("latin"), nil)
	require.ErrorIs(t, err, errors.ErrUnsupported)
	_, err = sqlstore.OpenPostgres(t.Context(), server(t).DSN("missing"), nil)
	require.ErrorContains(t, err, "missing")
	_, err = sqlstore.OpenPostgres(t.Context(), "port=no password=secret", nil)
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "secret")
}
