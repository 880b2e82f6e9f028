package sqlstore_test

import (
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/postgres"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// one is the server of all tests that do not stop it. It sorts texts as people do.
var one struct {
	sync.Mutex
	*postgres.Server
	schemas atomic.Int64
}

// server starts it once.
func server(t testing.TB) *postgres.Server {
	t.Helper()
	realpartstest.Need(t)
	one.Lock()
	defer one.Unlock()
	if one.Server == nil {
		s := realpartstest.SharedPostgres(t)
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
	return &place{dsn: dsn, driver: "pgx", name: dsn}
}

func TestRealConforms(t *testing.T) {
	realpartstest.Need(t)
	conforms(t, postgresPlace)
}

// TestRealPostgreSQL runs with PostgreSQL what runs with SQLite under its own name.
func TestRealPostgreSQL(t *testing.T) {
	realpartstest.Need(t)
	for name, test := range testsOfAll() {
		t.Run(name, test)
	}
}

// testsOfAll are those tests: the ones that call onEach.
func testsOfAll() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"TestALeaseOfADriverRunsOut": TestALeaseOfADriverRunsOut,
		"TestClosed":                 TestClosed,
		"TestContextEndsWaiting":     TestContextEndsWaiting,
		"TestCreatedAtOnce":          TestCreatedAtOnce,
		"TestDamagedTables":          TestDamagedTables,
		"TestDelete":                 TestDelete,
		"TestDeleteDeletesTheMark":   TestDeleteDeletesTheMark,
		"TestDeleteOfADrivenRun":     TestDeleteOfADrivenRun,
		"TestDeleteRacesAppend":      TestDeleteRacesAppend,
		"TestDeleteRefuses":          TestDeleteRefuses,
		"TestDeletedWhileRead":       TestDeletedWhileRead,
		"TestDriveWithOneConnection": TestDriveWithOneConnection,
		"TestKilledWhileAppending":   TestKilledWhileAppending,
		"TestNewerVersion":           TestNewerVersion,
		"TestOwnPool":                TestOwnPool,
		"TestRecordsBehindTheLast":   TestRecordsBehindTheLast,
		"TestSeveralProcesses":       TestSeveralProcesses,
		"TestTooLarge":               TestTooLarge,
	}
}
