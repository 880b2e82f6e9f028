//go:build e2e

package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/internal/realparts/postgres"
)

var otherBackends = []backend{{name: "PostgreSQL", new: postgresPlace}}

// one is the server of all tests that do not stop it. It sorts texts as people do.
var one struct {
	sync.Mutex
	*postgres.Server
	schemas atomic.Int64
}

// server starts it once.
func server(t testing.TB) *postgres.Server {
	t.Helper()
	one.Lock()
	defer one.Unlock()
	if one.Server == nil {
		s, err := postgres.Start(context.WithoutCancel(t.Context()), "") // for longer than this test
		require.NoError(t, err)
		one.Server = s
		db, err := sql.Open("pgx", s.DSN(""))
		require.NoError(t, err)
		defer db.Close()
		_, err = db.ExecContext(t.Context(), `CREATE DATABASE lingual TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'`)
		require.NoError(t, err)
	}
	return one.Server
}

// stopServers is called when all tests have ended.
func stopServers() error {
	one.Lock()
	defer one.Unlock()
	if one.Server == nil {
		return nil
	}
	return one.Stop()
}

// postgresPlace is a schema of its own.
func postgresPlace(t testing.TB) *place {
	t.Helper()
	dsn := server(t).DSN("lingual")
	db, err := sql.Open("pgx", dsn)
	require.NoError(t, err)
	defer db.Close()
	schema := fmt.Sprintf("test_%d", one.schemas.Add(1))
	_, err = db.ExecContext(t.Context(), "CREATE SCHEMA "+schema)
	require.NoError(t, err)
	dsn += " search_path=" + schema
	return &place{dialect: sqlstore.PostgreSQL, dsn: dsn, driver: "pgx", name: dsn}
}

func TestPostgreSQLConforms(t *testing.T) { conforms(t, postgresPlace) }
